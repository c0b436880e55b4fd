public import SluiceJSON

/// A run of a document in live time that can be saved and edited while its events are read.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}}"#)
/// let run = try LiveRun(document, clock: .continuous)
/// let edited = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 2}}}"#)
/// print(try await run.edit(to: edited))              // keep   source.interval: seconds 1 → 2
/// let saved = await run.checkpoint()
/// ```
///
/// Edits and checkpoints always happen between two items. Only one task may read ``events``.
public actor LiveRun<C: Clock> where C.Duration == Duration {
    private let run: StreamRun
    private let readySources: ReadySources
    private let clock: C
    /// The instant at which the time of the run was 0; `nil` before it begins.
    private var start: C.Instant?

    /// Creates a run that begins, or resumes, at the first request for an event.
    ///
    /// - Parameters:
    ///   - document: The document to run.
    ///   - checkpoint: The state to resume from; `nil` to begin from the start.
    ///   - away: The time since the checkpoint, or the last of `inputs`, was taken. Events that came due meanwhile
    ///     follow immediately, in order. By default no time has passed.
    ///   - inputs: The items from the outside world after the checkpoint, as recorded in the journal. They are replayed
    ///     at their times, before anything else.
    ///   - journal: A closure that records each item from the outside world before it is processed. The run calls it,
    ///     and it must not block.
    ///   - library: The documents that references lead to.
    ///   - parameters: The values of the document's parameters, in place of its defaults.
    ///   - host: The sources and sinks that the stream may use.
    ///   - limits: The limits on the work of the run.
    ///   - clock: The clock that measures the delays.
    /// - Throws: The errors of ``StreamRun/init(_:from:in:parameters:limits:)``.
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
        let readySources = ReadySources()
        let outside = OutsideInputs(host, readySources)
        outside.holdStarts()
        let compiled = try CompiledDocument(document, in: library, parameters: parameters, isWatched: false)
        if let checkpoint {
            run = try StreamRun(restoring: compiled, checkpoint, limits, outside)
            start = clock.now.advanced(by: .zero - checkpoint.time.duration - max(away, .zero))
        } else {
            run = StreamRun(beginning: compiled, limits, outside)
        }
        try run.replay(inputs)
        outside.journal = journal
        outside.releaseStarts()
        if let time = inputs.last?.time, start == nil || checkpoint.map({ $0.time < time }) == true {
            start = clock.now.advanced(by: .zero - time.duration - max(away, .zero))
        }
        self.readySources = readySources
        self.clock = clock
    }

    /// The document that is running.
    public var document: StreamDocument { run.document }

    /// Replaces the running document with another revision; see ``StreamRun/edit(to:in:)``.
    ///
    /// Events that are due by now are delivered first.
    ///
    /// - Parameters:
    ///   - new: The new document.
    ///   - library: The documents that its references lead to.
    ///   - rest: A closure that takes each event of the old document that hasn't been read, in place of the
    ///     reader; with `nil` the reader receives these events after the edit. If it throws, the old document keeps
    ///     running.
    /// - Throws: `JSONErrors` for a document that cannot run; the old one keeps running.
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

    /// Returns the state of the run, between two items.
    public func checkpoint() -> StreamCheckpoint { run.checkpoint() }

    /// Ends the run without further events.
    public func close() {
        run.close()
        wake()
    }

    /// Waits for the next event; returns `nil` after the last. If nothing more can come from the stream, it waits for
    /// an edit.
    ///
    /// - Throws: `CancellationError`, immediately, when the task is canceled; the run resumes with the next call.
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

    /// Wakes the waiting reader.
    private func wake() { readySources.add(0) }

    /// Waits until the time, something from outside, or an edit has come, or the task is canceled.
    private func wait(until instant: C.Instant?) async {
        guard let instant else { return await readySources.wait() }
        await withTaskGroup { [clock, readySources] group in
            group.addTask { try? await clock.sleep(until: instant, tolerance: nil) }
            group.addTask { await readySources.wait() }
            await group.next()
            group.cancelAll()
        }
    }

    /// The events of a run in live time.
    public struct Events: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let run: LiveRun

        /// Returns the sequence itself, for one reader.
        public func makeAsyncIterator() -> Events { self }

        /// Waits for the next event; see ``LiveRun/next()``.
        public mutating func next() async throws -> StreamEvent<JSON>? { try await run.next() }
    }
}
