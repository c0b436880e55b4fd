import SluiceExpressions
import SluiceJSON

/// A part of a stream as a stream: a subscriber receives the values from then on, or the end if it has passed.
final class Window<Value> {
    /// Its number among the windows of its subscription.
    let id: Int
    private var sinks: [(id: Int, sink: Sink<Value>)] = []
    private var lastID = 0
    private var end: StreamEnd?

    init(_ id: Int) { self.id = id }

    /// Adds a reader until its lifetime closes.
    func add(_ sink: Sink<Value>) {
        if let end { return sink.finish(end) }
        lastID += 1
        let id = lastID
        sinks.append((id, sink))
        sink.lifetime.whenClosed { self.sinks.removeAll { $0.id == id } }
    }

    /// Passes a value to the current readers, in the order in which they came.
    func receive(_ value: Value) {
        for (_, sink) in sinks where !sink.isClosed { sink.receive(value) }
    }

    /// Ends the window for current and later readers.
    func finish(_ ending: StreamEnd) {
        end = ending
        let ended = sinks
        sinks = []
        for (_, sink) in ended { sink.finish(ending) }
    }

    /// Makes the window fail for later readers.
    func seal() { end = .failed(StreamError(message: "the last window can't be read again after the stream ended")) }
}

/// The window for which a stream was started, and the pipeline that reads it.
struct ReadWindow {
    fileprivate let token: Token
    fileprivate let window: AnyObject
}

/// The pipeline of each window: a stream that reads the window for which it is started.
struct WindowPipeline<Value, Output>: Sendable {
    private let token: Token
    private let output: Flow<Output>

    /// - Parameter make: A closure that is called once, with a stream that represents every window.
    init(_ make: (Flow<Value>) -> Flow<Output>) {
        let token = Token()
        self.token = token
        output = make(
            Flow { scope, sink in
                var outer = scope.outer
                while let found = outer, found.window?.token !== token { outer = found.next }
                (outer?.window?.window as? Window<Value>)?.add(sink)
            }.staged(StageKey.source, StateKind(name: "window", migrations: []))
        )
    }

    /// Starts the pipeline for a window, within a stream that was started for `value`.
    fileprivate func start(_ window: Window<Value>, for value: CELValue, _ scope: Scope, _ sink: Sink<Output>) {
        let inner = scope.inside(value)
        inner.outer?.window = ReadWindow(token: token, window: window)
        output.subscribe(inner, sink)
    }
}

/// The windows of one subscription, with their pipelines; it completes when the input and all pipelines have completed.
final class Windows<Value, Output, Result> {
    private let pipeline: WindowPipeline<Value, Output>
    private let scope: Scope
    private let sink: Sink<Result>
    private let holding: Holding
    private let cell: Cell<WindowsState>
    private let sealsLast: Bool

    /// Creates the windows of a subscription.
    ///
    /// - Parameter sealsLast: A Boolean value that indicates whether the window that is open at the completion fails
    ///   for a pipeline that reads it again, as in RxJS's `window`. Other windows complete again.
    init(_ pipeline: WindowPipeline<Value, Output>, _ scope: Scope, _ sink: Sink<Result>, sealsLast: Bool = false) {
        self.sealsLast = sealsLast
        self.pipeline = pipeline
        self.scope = scope
        self.sink = sink
        holding = scope.holding(for: sink.lifetime)
        cell = scope.cell(WindowsState(), "windows")
    }

    /// Opens a window and starts its pipeline.
    ///
    /// - Parameters:
    ///   - value: The value of the window that the expressions of the pipeline see.
    ///   - receive: A closure that takes the output of the pipeline.
    func open(for value: CELValue = .null, _ receive: @escaping (Output) -> Void) -> Window<Value> {
        cell.state.lastID += 1
        let window = Window<Value>(cell.state.lastID)
        guard !sink.isClosed, scope.run.spend() else { return window }
        holding.add(1)
        cell.state.running += 1
        cell.state.open.insert(window.id)
        let lifetime = sink.lifetime.child()
        let inner = scope.begin(for: WindowItem(id: window.id, value: value), lifetime)
        pipeline.start(window, for: value, inner, self.sink(lifetime, receive))
        return window
    }

    /// Returns the windows that were open, if the subscription resumes from a checkpoint, and resumes their pipelines;
    /// returns `nil` if the subscription begins.
    ///
    /// - Parameter receive: A closure that returns the receiver of a pipeline's output, by the value of its window.
    func reopened(_ receive: (CELValue) -> (Output) -> Void) -> [Window<Value>]? {
        guard scope.isRestoring else { return nil }
        var windows: [Int: Window<Value>] = [:]
        for id in cell.state.open { windows[id] = Window(id) }
        for (item, inner) in scope.restored(WindowItem.self, where: WindowItem.isSaved) {
            let lifetime = sink.lifetime.child()
            let window = windows[item.id] ?? ended(item.id)
            pipeline.start(window, for: item.value, inner(lifetime), sink(lifetime, receive(item.value)))
        }
        return cell.state.open.sorted().compactMap { windows[$0] }
    }

    /// Returns a window that has closed, for a pipeline that may read it again.
    private func ended(_ id: Int) -> Window<Value> {
        let window = Window<Value>(id)
        window.finish(.completed)
        if sealsLast, cell.state.isCompleted, id == cell.state.lastID { window.seal() }
        return window
    }

    private func sink(_ lifetime: Lifetime, _ receive: @escaping (Output) -> Void) -> Sink<Output> {
        Sink(
            lifetime: lifetime,
            end: { end in
                guard case .completed = end else { return self.sink.finish(end) }
                // A shared stream is left before the completion is passed on.
                lifetime.close()
                self.cell.state.running -= 1
                self.finishIfDone()
            },
            receive: receive
        )
    }

    /// Closes an open window.
    func close(_ window: Window<Value>) {
        guard !sink.isClosed else { return }
        cell.state.open.remove(window.id)
        holding.add(-1)
        window.finish(.completed)
    }

    /// Ends all open windows, the oldest first, and the stream, when the input has ended.
    func finish(_ end: StreamEnd, _ open: some Sequence<Window<Value>>) {
        for window in open {
            guard !sink.isClosed, scope.run.spend() else { return }
            holding.add(-1)
            window.finish(end)
        }
        guard case .completed = end else { return sink.finish(end) }
        cell.state.open.removeAll()
        cell.state.isCompleted = true
        finishIfDone()
        if sealsLast { for window in open where window.id == cell.state.lastID { window.seal() } }
    }

    private func finishIfDone() {
        if cell.state.isCompleted && cell.state.running == 0 { sink.finish(.completed) }
    }
}

/// The state of the windows of one subscription.
private struct WindowsState {
    /// The numbers of the open windows.
    var open: Set<Int> = []
    /// The number of running pipelines.
    var running = 0
    var lastID = 0
    var isCompleted = false
}

extension WindowsState: SavableState {
    static var fields: [SavedField<Self>] {
        [
            SavedField("open", \.sortedOpen), SavedField("running", \.running), SavedField("lastID", \.lastID),
            SavedField("isCompleted", \.isCompleted),
        ]
    }

    /// The numbers of the open windows, the oldest first.
    private var sortedOpen: [Int] {
        get { open.sorted() }
        set { open = Set(newValue) }
    }
}

/// The window for which a pipeline was started: its number and its value.
private struct WindowItem: Savable {
    let id: Int
    let value: CELValue

    init(id: Int, value: CELValue) { (self.id, self.value) = (id, value) }

    init(saved json: JSON) throws {
        guard case .array(let parts) = json, parts.count == 2 else { throw StreamError.unreadable("a window", json) }
        self.init(id: try Int(saved: parts[0]), value: try CELValue(saved: parts[1]))
    }

    var saved: JSON { [id.saved, value.saved] }

    /// Returns a Boolean value that indicates whether a saved value is the item of a window.
    static func isSaved(_ json: JSON) -> Bool { if case .array = json { true } else { false } }
}

extension Stage {
    /// Returns the pipeline that the `operators` of a stage make, or without them, one that emits each window as an
    /// array. Sets the type of the items.
    ///
    /// - Parameter key: The name and type by which expressions see the value of the window; `nil` to hide it.
    mutating func windowPipeline(
        for key: (name: String, type: CELType) = ("", .null)
    ) -> WindowPipeline<CELValue, CELValue> {
        guard has("operators") else {
            item = .list(item)
            return WindowPipeline { $0.collect().map { .list($0) } }
        }
        let stage = self
        var type = CELType.dyn
        defer { item = type }
        return WindowPipeline { window in
            let output = stage.operators(on: TypedFlow(window, stage.item), for: key)
            type = output.item
            return output.flow
        }
    }
}
