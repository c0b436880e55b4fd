import SluiceExpressions
import SluiceJSON

/// A source of the outside world that a stream requests by name.
struct Outside: Sendable {
    /// The name under which a host registers it.
    let name: String
    /// The document's arguments for it.
    let arguments: JSON
    /// The buffer between it and the run.
    let buffer: StreamBuffer
}

/// The sources of the outside world that one run reads; used only in the driver's turn.
@usableFromInline final class OutsideInputs {
    let host: StreamHost
    let readySources: ReadySources
    /// The closures that deliver an item, by the source's number.
    private var deliver: [Int: () -> Void] = [:]
    /// The closures that deliver an item of a journal, by the source's path.
    private var replay: [String: (JSON) throws -> Void] = [:]
    /// A closure that records each item before it is delivered.
    var journal: ((StreamInput) -> Void)?
    private var lastID = 0
    /// The closures that drop waiting items, by the number of the source.
    private var polls: [Int: () -> Int] = [:]
    /// The closures that return the reason why a source waits, by its number.
    private var waits: [Int: () -> String?] = [:]
    /// The reasons for which sources wait, each with the source's name.
    var waiting: [String] { waits.sorted { $0.key < $1.key }.compactMap { $0.value() } }

    init(_ host: StreamHost, _ readySources: ReadySources) {
        self.host = host
        self.readySources = readySources
    }

    /// The deliveries of items that the run has taken in this turn.
    private var deliveries: [StreamDelivery] = []

    /// Ends the deliveries of the items that the run has taken: it keeps them, or it is discarded.
    func endDeliveries(areTaken: Bool) {
        for delivery in deliveries { delivery.end(isTaken: areTaken) }
        deliveries = []
    }

    /// A Boolean value that indicates whether the driver stores what the run takes, and takes ``takeStoreNotes()``.
    var isStored = false
    /// The closures to call when the store has the items that the run has taken.
    private var storeNotes: [@Sendable () -> Void] = []

    /// Returns the closures to call when the store has the items that the run has taken since the last call.
    func takeStoreNotes() -> [@Sendable () -> Void] {
        defer { storeNotes = [] }
        return storeNotes
    }

    private func note(_ delivery: StreamDelivery) {
        guard let onStored = delivery.onStored else { return deliveries.append(delivery) }
        // Of a run that nobody stores, nothing is repeated.
        if isStored { storeNotes.append(onStored) } else { onStored() }
    }

    /// The closures that start the sources that were opened while starting is held; `nil` where it is not.
    private var held: [() -> Void]?

    /// Holds the start of sources, for a run that continues: what its journal has is not read again.
    func holdStarts() { held = held ?? [] }

    /// Starts the sources that are held.
    func releaseStarts() {
        let starts = held ?? []
        held = nil
        for start in starts { start() }
    }

    /// A Boolean value that indicates whether no sources are being read.
    var isEmpty: Bool { deliver.isEmpty }

    /// Starts a source, in a task of its own that is canceled when `sink` closes.
    func open<Value: Sendable>(
        _ name: String,
        _ buffer: StreamBuffer,
        _ scope: Scope,
        for sink: Sink<Value>,
        _ source: OutsideBody<Value>
    ) {
        guard !sink.isClosed else { return }
        let taken = scope.cell(0, "taken")
        let place = source.hasPositions ? scope.cell("", "position") : nil
        let handed = scope.isRestoring ? scope.node?.takeHandover() as? OutsideFeed<Value> : nil
        let skipped = source.isRepeatable ? taken.state : 0
        let feed = handed ?? self.feed(name, buffer, skipping: skipped, valueSize: scope.run.limits.valueSize)
        if handed == nil { start(feed, at: place, source.run) }
        scope.node?.handover = feed
        feed.owner += 1
        let (owner, sourceBuffer) = (feed.owner, feed.sourceBuffer)
        func give(_ step: SourceBufferState<Value>.Step) {
            switch step {
            case .value(let value, let position):
                taken.state += 1
                if let position { place?.state = position }
                sink.receive(value)
            case .position(let position): place?.state = position
            case .end(let end): sink.finish(end)
            }
        }
        deliver[feed.id] = { [weak self] in
            guard let (step, delivery) = sourceBuffer.take() else { return }
            if let delivery { self?.note(delivery) }
            if let note = self?.journal, let path = scope.node?.path, let item = source.save?(step) {
                note(StreamInput(source: path, time: scope.run.now, item: item))
            }
            give(step)
        }
        waits[feed.id] = { sourceBuffer.waiting.map { "\(name): \($0)" } }
        if source.isSkippable { polls[feed.id] = { sourceBuffer.keepNewest() } }
        let path = scope.node?.path
        if let path, let restore = source.restore {
            replay[path] = { item in
                let step = try restore(item)
                if source.isRepeatable, case .value = step { sourceBuffer.skip() }
                give(step)
            }
        }
        sink.lifetime.whenClosed { [weak self] in
            // A run that an edit has created may continue to read it.
            guard feed.owner == owner else { return }
            self?.deliver[feed.id] = nil
            self?.polls[feed.id] = nil
            self?.waits[feed.id] = nil
            if let path { self?.replay[path] = nil }
            sourceBuffer.close()
            feed.isOver = true
            feed.task?.cancel()
        }
    }

    private func feed<Value: Sendable>(
        _ name: String,
        _ buffer: StreamBuffer,
        skipping count: Int,
        valueSize: Int
    ) -> OutsideFeed<Value> {
        lastID += 1
        let (id, readySources) = (lastID, readySources)
        let sourceBuffer = SourceBuffer<Value>(
            buffer,
            skipping: count,
            valueSize: valueSize,
            name: name,
            drops: host.drops
        ) { readySources.add(id) }
        return OutsideFeed(id: id, sourceBuffer: sourceBuffer)
    }

    /// Starts a source after its last position, now or when starts are released.
    private func start<Value: Sendable>(
        _ feed: OutsideFeed<Value>,
        at place: Cell<String>?,
        _ run: @escaping @Sendable (SourceBuffer<Value>) async throws -> Void
    ) {
        let start = {
            if feed.isOver { return }
            let sourceBuffer = feed.sourceBuffer
            sourceBuffer.position = place.flatMap { $0.state.isEmpty ? nil : $0.state }
            feed.task = Task {
                do {
                    try await run(sourceBuffer)
                    sourceBuffer.finish(.completed)
                } catch {
                    sourceBuffer.finish(.failed(error))
                }
            }
        }
        if held == nil { start() } else { held?.append(start) }
    }

    /// Leaves out the items of `poll` that wait, but for the newest of each source; returns how many they were.
    func skipPolls() -> Int { polls.values.reduce(0) { $0 + $1() } }

    /// Delivers an item of a journal.
    ///
    /// - Throws: ``StreamError`` if no such source is being read, or the item is invalid.
    func deliver(_ input: StreamInput) throws {
        guard let replay = replay[input.source] else {
            throw StreamError(path: input.source, message: "no source is read here at \(input.time) seconds")
        }
        try replay(input.item)
    }

    /// Delivers the item of the source that rang first; returns `false` if none has.
    func deliverNext() -> Bool {
        guard let id = readySources.next() else { return false }
        deliver[id]?()
        return true
    }
}

/// A source of the outside world that has been started.
private final class OutsideFeed<Value: Sendable> {
    let id: Int
    let sourceBuffer: SourceBuffer<Value>
    /// The task that runs the source; `nil` before it starts.
    var task: Task<Void, Never>?
    /// A Boolean value that indicates whether nothing more is wanted.
    var isOver = false
    /// The number of the subscription that reads it; an edit passes it from one run to the next.
    var owner = 0

    init(id: Int, sourceBuffer: SourceBuffer<Value>) {
        self.id = id
        self.sourceBuffer = sourceBuffer
    }
}

/// The code that runs a source of the outside world.
struct OutsideBody<Value: Sendable>: Sendable {
    /// A Boolean value that indicates whether the source gives the same items again when it is restarted.
    var isRepeatable = false
    /// A Boolean value that indicates whether its items have positions, after the last of which it continues when it is
    /// started again.
    var hasPositions = false
    /// A Boolean value that indicates whether the newest of its waiting items can stand for all of them.
    var isSkippable = false
    /// A closure that converts its items to JSON, for a journal; `nil` for items of code.
    var save: (@Sendable (SourceBufferState<Value>.Step) -> JSON)?
    var restore: (@Sendable (JSON) throws -> SourceBufferState<Value>.Step)?
    let run: @Sendable (SourceBuffer<Value>) async throws -> Void
}

extension Flow where Value: Sendable {
    /// Returns a stream that comes from outside of the run, in live time only.
    static func outside(
        _ name: String,
        _ buffer: StreamBuffer,
        _ body: @escaping @Sendable (StreamHost) throws -> OutsideBody<Value>
    ) -> Flow {
        Flow { scope, sink in
            guard let inputs = scope.run.outside else {
                let text = "the source \(name) is of the outside world, which virtual time does not have: "
                return sink.finish(.failed(StreamError(message: text + "let an input of a test stand in for it")))
            }
            do { inputs.open(name, buffer, scope, for: sink, try body(inputs.host)) } catch {
                sink.finish(.failed(error))
            }
        }
    }
}

extension Flow<CELValue> {
    /// Returns the stream of a source that the host has registered by name.
    static func outside(_ outside: Outside) -> Flow {
        .outside(outside.name, outside.buffer) { host in
            guard let source = host.source(outside.name) else {
                let known = host.names.isEmpty ? "none is" : host.names.joined(separator: ", ")
                let text = "no source is registered as \(JSON.string(outside.name)) here (registered: \(known))"
                throw StreamError(message: text)
            }
            let arguments = outside.arguments
            return OutsideBody(
                isRepeatable: source.isRepeatable(arguments),
                hasPositions: source.hasPositions(arguments),
                // The pages of a poll belong together.
                isSkippable: outside.name == "poll" && arguments["paging"] == nil && !source.isRepeatable(arguments),
                save: { $0.saved },
                restore: { try SourceBufferState.Step(saved: $0) },
                run: { sourceBuffer in try await source.body(arguments, sourceBuffer.json(for: host)) }
            )
        }
    }
}

extension SourceBuffer<CELValue> {
    /// Returns the connection as an inlet of JSON values.
    fileprivate func json(for host: StreamHost) -> StreamInlet<JSON> {
        StreamInlet(
            send: { try await self.send(Self.value($0), at: $1) },
            sendAwaited: { try await self.send(Self.value($0), at: $1, $2) },
            push: { json in
                do { return self.push(try Self.value(json)) } catch {
                    self.finish(.failed(error))
                    return false
                }
            },
            mark: { self.mark($0) },
            deliver: { item, delivery in
                let value = try Self.value(item)
                // The run would fail, and with it the items of all other senders.
                let size = value.estimatedSize
                guard size <= self.valueSize else { throw StreamItemSizeError(size: size, limit: self.valueSize) }
                return self.deliver(value, delivery)
            },
            position: position,
            report: { self.report($0) },
            stream: host.stream,
            stacks: host.stacks
        )
    }

    private static func value(_ json: JSON) throws -> CELValue {
        do throws(CELError) { return try CELValue(json) } catch {
            throw StreamError(message: error.issues.first?.message ?? "\(error)")
        }
    }
}
