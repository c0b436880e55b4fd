import Sluice
import SluiceExpressions

/// One run of a stream that several subscriptions share.
final class SharedStream<Value> {
    /// The policy of a shared stream for late subscribers, and for the departure of the last one.
    struct Policy: Sendable {
        /// The number of the latest values that a late subscriber receives immediately.
        var replayed = 0
        /// A Boolean value that indicates whether its completion is kept for late subscribers; otherwise they start it
        /// from the beginning.
        var keepsCompletion = false
        /// A Boolean value that indicates whether it is stopped when the last subscriber has left.
        var stopsWhenLeft = true
    }

    private let policy: Policy
    private let run: Run
    private var readers = Readers<Value>()
    private let cell: Cell<SharedState<Value>>
    private let holding: Holding
    /// A closure that starts the stream.
    private let start: (Sink<Value>) -> Void
    /// A Boolean value that indicates whether it was running when it was saved, and is to be subscribed again.
    private var goesOn: Bool
    /// The subscription to the stream.
    private var input: Lifetime?

    init(_ policy: Policy, _ scope: Scope, start: @escaping (Sink<Value>) -> Void) {
        self.policy = policy
        run = scope.run
        self.start = start
        // The buffer outlives the subscriptions.
        holding = scope.holding(for: Lifetime())
        cell = scope.cell(SharedState())
        goesOn = scope.isRestoring && cell.state.isRunning
    }

    deinit { holding.removeAll() }

    /// Adds a subscriber until its lifetime closes, and starts the stream if it isn't running.
    ///
    /// - Parameter reader: Its number among the subscribers; 0 without a number.
    func add(_ sink: Sink<Value>, _ reader: Cell<Int>) {
        guard !sink.isClosed else { return }
        let isNew = reader.state == 0
        let id = readers.add(sink, as: reader.state)
        reader.state = id
        sink.lifetime.whenClosed { self.remove(id) }
        guard isNew else { return }
        for value in cell.state.kept.all {
            guard !sink.isClosed, run.spend() else { return }
            sink.receive(value)
        }
        if cell.state.isCompleted { return sink.finish(.completed) }
        guard input == nil, !readers.isEmpty else { return }
        begin()
    }

    /// Resumes where it was; its input may be shared itself.
    func goOn() {
        guard goesOn else { return }
        goesOn = false
        begin()
    }

    private func begin() {
        cell.state.isRunning = true
        let lifetime = run.lifetime.child()
        input = lifetime
        start(Sink(lifetime: lifetime, end: { self.finish($0, of: lifetime) }, receive: receive))
    }

    /// Passes a value to the current subscribers, in the order in which they came.
    private func receive(_ value: Value) {
        if policy.replayed > 0 {
            if cell.state.kept.count >= policy.replayed { _ = cell.state.kept.popFirst() } else { holding.add(1) }
            cell.state.kept.append(value)
        }
        readers.forEach { $0.receive(value) }
    }

    /// Ends all current subscribers.
    private func finish(_ end: StreamEnd, of lifetime: Lifetime) {
        guard input === lifetime else { return }
        input = nil
        cell.state.isRunning = false
        if case .completed = end, policy.keepsCompletion { cell.state.isCompleted = true } else { forget() }
        readers.takeAll().forEach { $0.finish(end) }
    }

    private func remove(_ id: Int) {
        guard readers.remove(id) else { return }
        stopIfLeft()
    }

    /// Stops the stream if nothing reads it, as after an edit that dropped its last subscriber.
    func stopIfLeft() {
        guard readers.isEmpty, policy.stopsWhenLeft, let lifetime = input else { return }
        input = nil
        cell.state.isRunning = false
        forget()
        lifetime.close()
    }

    private func forget() {
        cell.state.kept.removeAll()
        holding.removeAll()
    }
}

/// The state of a shared stream.
private struct SharedState<Value> {
    var kept = Deque<Value>()
    var isRunning = false
    var isCompleted = false
}

extension SharedState: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("kept", \.kept), SavedField("isRunning", \.isRunning),
            SavedField("isCompleted", \.isCompleted),
        ]
    }
}

extension Flow {
    /// Returns the stream, shared by all its subscriptions in a run, or in the stream of an item.
    func shared(_ policy: SharedStream<Value>.Policy, isInner: Bool) -> Flow { SharedFlow(self, policy, isInner).flow }
}

/// A shared stream, with everything that is the same for all of its runs.
struct SharedFlow<Value>: Sendable {
    private let token = Token()
    private let source: Flow<Value>
    private let policy: SharedStream<Value>.Policy
    private let isInner: Bool
    /// Its key among the shared streams that are saved for the same item.
    private let key: String

    init(_ source: Flow<Value>, _ policy: SharedStream<Value>.Policy, _ isInner: Bool, key: String = "shared") {
        self.source = source
        self.policy = policy
        self.isInner = isInner
        self.key = key
    }

    /// Returns the object that its subscriptions share; the first one creates it.
    func common(_ scope: Scope) -> SharedStream<Value> {
        let shared = scope.common(token, isInner: isInner) {
            let around = isInner ? scope.outer?.node : nil
            let scope = scope.at((around ?? scope.run.root)?.shared(key))
            let (run, node) = (scope.run, scope.node)
            // An item keeps the objects that its streams share, which must not keep the item.
            return SharedStream(policy, scope) { [weak outer = scope.outer] in
                source.subscribe(Scope(run: run, outer: outer, node: node), $0)
            }
        }
        shared.goOn()
        return shared
    }

    var flow: Flow<Value> { Flow { scope, sink in common(scope).add(sink, scope.cell(0, "reader")) } }
}

extension Stage {
    /// Returns the input, shared by all subscriptions.
    func shared(_ policy: SharedStream<CELValue>.Policy) -> Flow<CELValue> {
        let key = compiler.sharedKey(scope)
        let shared = SharedFlow(input, policy, scope.isInner, key: key)
        compiler.sharedStarts[key] = { scope in
            let stream = shared.common(scope)
            scope.run.afterEdit { [weak stream] in stream?.stopIfLeft() }
        }
        return shared.flow
    }
}
