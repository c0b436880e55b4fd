public import SluiceJSON

/// One run of a document in live time that can be saved and edited while it is read.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}}"#)
/// let run = try LiveRun(document, clock: .continuous)
/// let edited = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 2}}}"#)
/// print(try await run.edit(to: edited))              // keep   source.interval: seconds 1 → 2
/// let saved = await run.checkpoint()
/// ```
///
/// Edits and checkpoints come between two items, always. One task reads ``events``.
public actor LiveRun<C: Clock> where C.Duration == Duration {
    private let run: StreamRun
    private let doorbell: Doorbell
    private let clock: C
    /// When the time of the run was 0; `nil` before it begins.
    private var start: C.Instant?

    /// Makes a run; it begins, or goes on, when it is first asked for an event.
    ///
    /// - Parameters:
    ///   - document: what runs.
    ///   - checkpoint: the state from which it goes on; `nil` to begin.
    ///   - away: how long ago the checkpoint, or the last of `inputs`, was taken: what came due meanwhile comes at once, in its order. Where
    ///     nothing is said no time has passed.
    ///   - inputs: what the run took from the outside world after the checkpoint, as the journal has it: it comes again
    ///     at its times, before anything else.
    ///   - journal: takes each item from the outside world before it is processed; called by the run, it must not block.
    ///   - library: where the references of the document lead.
    ///   - parameters: what stands for its parameters, in place of what it says itself.
    ///   - host: what it may read of the outside world.
    ///   - limits: how much the run may do.
    ///   - clock: the clock that measures the delays.
    /// - Throws: as ``StreamRun/init(_:from:in:parameters:limits:)``.
    public init(
        _ document: StreamDocument,
        from checkpoint: StreamCheckpoint? = nil,
        away: Duration = .zero,
        replaying inputs: [StreamInput] = [],
        journal: (@Sendable (StreamInput) -> Void)? = nil,
        in library: StreamLibrary = StreamLibrary(),
        parameters: [String: JSON] = [:],
        host: StreamHost = StreamHost(),
        limits: StreamLimits = StreamLimits(),
        clock: C
    ) throws {
        let doorbell = Doorbell()
        let outside = OutsideInputs(host, doorbell)
        let compiled = try CompiledDocument(document, in: library, parameters: parameters, isWatched: false)
        if let checkpoint {
            run = try StreamRun(restoring: compiled, checkpoint, limits, outside)
            start = clock.now.advanced(by: .zero - checkpoint.time.duration - max(away, .zero))
        } else {
            run = StreamRun(beginning: compiled, limits, outside)
        }
        try run.replay(inputs)
        outside.journal = journal
        if let time = inputs.last?.time, start == nil || checkpoint.map({ $0.time < time }) == true {
            start = clock.now.advanced(by: .zero - time.duration - max(away, .zero))
        }
        self.doorbell = doorbell
        self.clock = clock
    }

    /// The document that runs.
    public var document: StreamDocument { run.document }

    /// Puts another revision of the document in place of the one that runs; see ``StreamRun/edit(to:in:)``.
    ///
    /// What was due by now is given first.
    ///
    /// - Parameter rest: takes each event that the old document has given and nobody has read, in place of the reader;
    ///   with `nil` the reader has them after the edit. What it throws leaves the old document running.
    /// - Throws: `JSONErrors` for a document that cannot run; the old one runs on then.
    @discardableResult
    public func edit(
        to new: StreamDocument,
        in library: StreamLibrary? = nil,
        giving rest: ((StreamEvent<JSON>) throws -> Void)? = nil
    ) throws -> StreamPlan {
        if let start { run.advance(to: StreamTime(since: start, clock)) }
        defer { wake() }
        if let rest {
            while let event = run.next() { try rest(event) }
        }
        return try run.edit(to: new, in: library)
    }

    /// The state of the run, between two items.
    public func checkpoint() -> StreamCheckpoint { run.checkpoint() }

    /// Ends the run: nothing comes any more.
    public func close() {
        run.close()
        wake()
    }

    /// Waits for the next event; `nil` after the last. A stream of which nothing will come waits for an edit.
    ///
    /// - Throws: `CancellationError`, at once, when the task is cancelled; the run goes on when it is asked again.
    public func next() async throws -> StreamEvent<JSON>? {
        let start = start ?? clock.now
        self.start = start
        while true {
            if let event = run.next() { return event }
            if run.isEnded { return nil }
            try Task.checkCancellation()
            let now = StreamTime(since: start, clock)
            if let due = run.nextDue, due <= now {
                run.advance(to: due)
            } else if !run.letIn(at: now) {
                await wait(until: run.nextDue.map { start.advanced(by: $0.duration) })
            }
        }
    }

    /// The events from now on, for one reader.
    public nonisolated var events: Events { Events(run: self) }

    /// Has who waits look again.
    private func wake() { doorbell.ring(0) }

    /// Waits until the time, something from outside or an edit has come, or the task is cancelled.
    private func wait(until instant: C.Instant?) async {
        guard let instant else { return await doorbell.wait() }
        await withTaskGroup { [clock, doorbell] group in
            group.addTask { try? await clock.sleep(until: instant, tolerance: nil) }
            group.addTask { await doorbell.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// The events of a run in live time.
    public struct Events: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let run: LiveRun

        /// The events for one reader.
        public func makeAsyncIterator() -> Events { self }

        /// Waits for the next event; see ``LiveRun/next()``.
        public mutating func next() async throws -> StreamEvent<JSON>? { try await run.next() }
    }
}
