public import SluiceJSON

/// A run of a document that can be saved between two items, restored, and edited: the core of drivers of durable
/// streams.
///
/// ```swift
/// let document = try StreamDocument(parsing: #"{"source": {"values": [1, 2]}, "operators": [{"delay": {"seconds": 3}}]}"#)
/// let run = try StreamRun(document)
/// run.advance(to: .zero)
/// run.nextDue?.seconds                             // 3
/// let saved = run.checkpoint()
/// let other = try StreamRun(document, from: saved)
/// other.advance(to: StreamTime(seconds: 3)!)
/// other.next()?.value                              // 1
/// ```
///
/// Time is an input: everything happens in ``advance(to:)``. Only one caller at a time may use a run.
public final class StreamRun {
    /// The document that is running.
    public private(set) var document: StreamDocument
    /// The number of events that have been read since the first run of the document.
    public private(set) var outputs = 0
    private var library: StreamLibrary
    private var parameters: [String: JSON]
    private let limits: StreamLimits
    private let outside: OutsideInputs?
    private let watch: StageWatch?
    private var engine: Engine<JSON>
    private var fingerprint: String
    private var traits: CompiledTraits
    /// The last edit, until its kept state has failed or another edit follows.
    private var lastEdit: LastEdit?
    /// The state before an edit whose kept state made the run fail; otherwise `nil`.
    ///
    /// ```swift
    /// let library = StreamLibrary()
    /// var run = try StreamRun(StreamDocument(parsing: #"{"source": {"values": [1]}}"#), in: library)
    /// if let rollback = run.rollback {  // nil: no edit has made it fail
    ///     run = try StreamRun(rollback.document, from: rollback.checkpoint, in: library)
    /// }
    /// ```
    public private(set) var rollback: StreamRollback?

    /// Creates a run that has not begun.
    ///
    /// - Parameters:
    ///   - document: The document to run.
    ///   - library: The documents that its references lead to.
    ///   - parameters: The values of its parameters, in place of its defaults.
    ///   - limits: The limits on the work of the run.
    /// - Throws: `JSONErrors`, as ``StreamDocument/flow(in:parameters:)`` does.
    public convenience init(
        _ document: StreamDocument,
        in library: StreamLibrary = StreamLibrary(),
        parameters: [String: JSON] = [:],
        limits: StreamLimits = StreamLimits()
    ) throws(JSONErrors) {
        let compiled = try CompiledDocument(document, in: library, parameters: parameters, isWatched: false)
        self.init(beginning: compiled, limits, nil)
    }

    /// Creates a run that resumes exactly from a checkpoint.
    ///
    /// - Parameters:
    ///   - document: The document that was running at the checkpoint.
    ///   - checkpoint: The state of the run.
    ///   - library: The documents that its references lead to.
    ///   - parameters: The values of its parameters, in place of its defaults.
    ///   - limits: The limits on the work of the run.
    /// - Throws: `JSONErrors` if the document cannot run; ``StreamError`` if the checkpoint is of another document or
    ///   cannot be read, with the path of the invalid node.
    public convenience init(
        _ document: StreamDocument,
        from checkpoint: StreamCheckpoint,
        in library: StreamLibrary = StreamLibrary(),
        parameters: [String: JSON] = [:],
        limits: StreamLimits = StreamLimits()
    ) throws {
        let compiled = try CompiledDocument(document, in: library, parameters: parameters, isWatched: false)
        try self.init(restoring: compiled, checkpoint, limits, nil)
    }

    init(
        beginning compiled: CompiledDocument,
        _ limits: StreamLimits,
        _ outside: OutsideInputs?,
        _ watch: StageWatch? = nil
    ) {
        watch?.attach(compiled.probe)
        engine = Engine(compiled.flow, limits: limits, outside: outside)
        engine.keepParts(compiled.sharedStarts)
        (document, library, parameters) = (compiled.document, compiled.library, compiled.parameters)
        (self.limits, self.outside, self.watch) = (limits, outside, watch)
        (fingerprint, traits) = (compiled.fingerprint, compiled.traits)
        watch?.probe = compiled.probe
    }

    init(
        restoring compiled: CompiledDocument,
        _ checkpoint: StreamCheckpoint,
        _ limits: StreamLimits,
        _ outside: OutsideInputs?,
        _ watch: StageWatch? = nil
    ) throws {
        guard compiled.fingerprint == checkpoint.fingerprint else {
            throw StreamError(message: "the checkpoint is of another document, or of another revision of it")
        }
        watch?.attach(compiled.probe)
        engine = Engine(compiled.flow, limits: limits, outside: outside)
        try engine.restore(checkpoint.run(), compiled.sharedStarts)
        (document, library, parameters) = (compiled.document, compiled.library, compiled.parameters)
        (self.limits, self.outside, self.watch) = (limits, outside, watch)
        (fingerprint, traits) = (compiled.fingerprint, compiled.traits)
        watch?.probe = compiled.probe
        outputs = checkpoint.outputs
    }

    /// The time of the run.
    public var time: StreamTime { engine.run.now }

    /// The time of the next event; `nil` when the stream has ended, or waits for something from outside.
    public var nextDue: StreamTime? { engine.nextDue }

    /// A closure that returns whether the run is to stop in the middle of an instant. Where it returns `true`, the run is of
    /// no use anymore, and another continues from the last checkpoint.
    private var interruption: (() -> Bool)?

    /// Sets the closure that returns whether the run is to stop in the middle of an instant.
    func setInterruption(_ body: (() -> Bool)?) {
        interruption = body
        engine.run.interruption = body
    }

    /// A Boolean value that indicates whether the run was interrupted.
    package var isInterrupted: Bool { engine.run.isInterrupted }

    /// A Boolean value that indicates whether the stream has ended, or was closed.
    public var isEnded: Bool { engine.isEnded }

    /// Advances the time to `time` and does all work that is due by then; the first call begins the run.
    public func advance(to time: StreamTime) { engine.advance(to: time) }

    /// Returns the oldest event that hasn't been read.
    public func next() -> StreamEvent<JSON>? {
        guard let event = engine.next() else { return nil }
        outputs += 1
        guard case .failed(let error) = event.kind, let edit = lastEdit, edit.explains(error) else { return event }
        (rollback, lastEdit) = (edit.rollback, nil)
        return StreamEvent(time: event.time, kind: .failed(edit.explained(error)))
    }

    /// Leaves out a number of the outputs, so that the event taken last has the next one.
    package func skipOutputNumber() { outputs += 1 }

    /// Lets in one item from outside at `time`, after all work that is due by then; returns `false` if there was none.
    package func letIn(at time: StreamTime) -> Bool {
        if engine.listensOutside { return engine.letIn(at: time) }
        // Discard the rings, which wake a reader: this run has no reader.
        while outside?.readySources.next() != nil {}
        return false
    }

    /// Leaves out the ticks of `interval` that are overdue at `time`, and the items of `poll` that wait, but for the
    /// newest of each source. The journal notes it, so that a replay leaves out the same.
    ///
    /// - Returns: the number of ticks and items that were left out.
    package func skipOverdue(at time: StreamTime) -> Int {
        let ticks = engine.run.skipTicks(dueBy: time)
        if ticks > 0 {
            let item: JSON = .array([.string("skipped"), time.saved])
            outside?.journal?(StreamInput(source: StreamInput.skipping, time: self.time, item: item))
        }
        return ticks + (outside?.skipPolls() ?? 0)
    }

    /// Ends the deliveries of the items that the run has taken since the last call: it keeps them, or it is discarded.
    package func endDeliveries(areTaken: Bool) { outside?.endDeliveries(areTaken: areTaken) }

    /// Returns the closures to call when the store has the items that the run has taken since the last call.
    package func takeStoreNotes() -> [@Sendable () -> Void] { outside?.takeStoreNotes() ?? [] }

    /// The reasons for which sources of the outside world have nothing to give, each with the source's name.
    package var waitingSources: [String] { outside?.waiting ?? [] }

    /// Ends the run with an error.
    package func fail(_ error: StreamError) {
        engine.run.abort(error)
        if engine.isEnded { engine.run.close() }
    }

    /// Replays the inputs of a journal, in order, unless the run is interrupted.
    ///
    /// - Throws: ``StreamError`` if the journal is of another run.
    func replay(_ inputs: [StreamInput]) throws { _ = try replay(inputs[...]) { false } }

    /// Replays inputs of a journal, in order, until a closure returns `true` or the run is interrupted.
    ///
    /// - Parameters:
    ///   - inputs: The inputs that are left.
    ///   - isOver: A closure that is called between two instants.
    /// - Returns: The number of inputs that the run has taken. What lies before the next one may be done in part; the next
    ///   call goes on there.
    /// - Throws: ``StreamError`` if the journal is of another run.
    package func replay(_ inputs: ArraySlice<StreamInput>, until isOver: () -> Bool) throws -> Int {
        for (count, input) in inputs.enumerated() {
            engine.begin()
            // One instant after the other, so that a long way to the input can be interrupted.
            while !engine.isEnded, let due = engine.nextDue, due < input.time, !engine.run.checkInterruption() {
                engine.advance(to: due)
                if isOver() { return count }
            }
            if engine.run.checkInterruption() { return count }
            if input.source == StreamInput.skipping {
                engine.advance(to: input.time)
                _ = engine.run.skipTicks(dueBy: try StreamTime(saved: input.item[1] ?? nil))
            } else {
                try engine.run.replay(input)
                if isInterrupted { return count }
                if engine.isEnded { engine.run.close() }
            }
            if isOver() { return count + 1 }
        }
        return inputs.count
    }

    /// Has the run, which was made without a replay of its own, read the outside world after it has replayed its journal.
    ///
    /// - Parameter journal: A closure that records each item from the outside world before it is processed.
    package func endReplay(journal: ((StreamInput) -> Void)?) {
        outside?.journal = journal
        outside?.releaseStarts()
    }

    /// Replaces the running document with another revision, between two items.
    ///
    /// Stages that the plan keeps continue with their state; stages that it resets or adds begin now, on inputs that
    /// continue; stages that it drops end with what they hold. A stream completes if its last running stage is dropped.
    ///
    /// ```swift
    /// let old = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#)
    /// let new = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 2}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#)
    /// let run = try StreamRun(old)
    /// run.advance(to: StreamTime(seconds: 3)!)
    /// try run.edit(to: new).keepsAll                   // true
    /// ```
    ///
    /// - Parameters:
    ///   - new: The new document.
    ///   - newLibrary: The documents that its references lead to; `nil` for the current library.
    /// - Returns: The plan that was carried out.
    /// - Throws: `JSONErrors` for a document that cannot run, and ``StreamError`` if the state of code would be lost;
    ///   the old document keeps running.
    @discardableResult
    public func edit(to new: StreamDocument, in newLibrary: StreamLibrary? = nil) throws -> StreamPlan {
        try edit(
            to: CompiledDocument(new, in: newLibrary ?? library, parameters: parameters, isWatched: watch != nil)
        )
    }

    /// Puts a compiled document in place of the one that runs, as ``edit(to:in:)`` does.
    @discardableResult
    package func edit(to new: CompiledDocument) throws -> StreamPlan {
        watch?.attach(new.probe)
        let made = Engine(new.flow, limits: limits, outside: outside)
        let (saved, comparison) = try moved(to: new, made) { $0 }
        let plan = StreamPlan(
            comparison,
            isEnded: saved.isEnded,
            sinks: StreamPlan.steps(from: document.sinks, to: new.document.sinks),
            division: StreamPlan.Division(from: document, to: new.document, in: new.library, new.parameters)
        )
        let before = StreamCheckpoint(saved, of: document, fingerprint: fingerprint, outputs: outputs)
        lastEdit = LastEdit(StreamRollback(document: document, checkpoint: before, plan: plan), comparison, at: time)
        rollback = nil
        // New stages begin immediately; their external sources are handed over before the old run releases them.
        if saved.hasBegun { made.beginEdited() }
        engine.close()
        made.run.interruption = interruption
        (engine, fingerprint, traits) = (made, new.fingerprint, new.traits)
        (document, library, parameters) = (new.document, new.library, new.parameters)
        watch?.probe = new.probe
        return plan
    }

    /// Returns the plan of ``edit(to:in:)`` for the current state of the run, without changing anything.
    ///
    /// A changed expression is tried on the state that it would continue from, and on the last item. If it fails, the
    /// plan says so and resets the operator. A timer whose new duration has already passed is `due now`. The plan of an
    /// ended run says that nothing is running.
    ///
    /// - Throws: The errors of ``edit(to:in:)``.
    public func plan(to new: StreamDocument, in newLibrary: StreamLibrary? = nil) throws -> StreamPlan {
        try plan(to: CompiledDocument(new, in: newLibrary ?? library, parameters: parameters, isWatched: false))
    }

    /// Returns what ``edit(to:)`` would do to the run as it is now, and changes nothing.
    ///
    /// - Throws: as ``edit(to:in:)``.
    package func plan(to new: CompiledDocument) throws -> StreamPlan {
        let made = Engine(new.flow, limits: limits, outside: nil)
        defer { made.close() }
        let (saved, comparison) = try moved(to: new, made) { $0?.withoutHandover() }
        return StreamPlan(
            comparison,
            isEnded: saved.isEnded,
            sinks: StreamPlan.steps(from: document.sinks, to: new.document.sinks),
            division: StreamPlan.Division(from: document, to: new.document, in: new.library, new.parameters)
        )
    }

    /// Restores the state of the run in another engine; returns it, and the comparison of the documents.
    private func moved(
        to new: CompiledDocument,
        _ made: Engine<JSON>,
        _ prepare: (SavedStateNode?) -> SavedStateNode?
    ) throws -> (saved: SavedRun, comparison: PipelineComparison) {
        let comparison = PipelineComparison(
            Located<StreamPipeline>(document, library, traits, parameters),
            Located<StreamPipeline>(new.document, new.library, new.traits, new.parameters)
        )
        var saved = engine.saved
        if let path = saved.unsaved.first { throw StreamError(path: path, message: "the state of code cannot be kept") }
        saved.root = prepare(saved.root)
        try made.restore(EditedRun(comparison).edited(saved), new.sharedStarts)
        return (saved, comparison)
    }

    /// The saved states of the run's own stages, by their keys.
    var savedStages: [String: SavedStateNode] { engine.saved.root?.children ?? [:] }

    /// Ends the run early.
    public func close() { engine.close() }

    /// Returns the state of the run, which continues unaffected.
    ///
    /// - Complexity: O(*n*) in the items that operators hold.
    public func checkpoint() -> StreamCheckpoint {
        StreamCheckpoint(engine.saved, of: document, fingerprint: fingerprint, outputs: outputs)
    }
}
