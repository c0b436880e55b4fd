extension StreamRun {
    /// Creates a run for a custom driver, which reads the outside world and is notified when it has an item.
    ///
    /// - Parameters:
    ///   - document: The document to run.
    ///   - checkpoint: The state to resume from; `nil` to begin from the start.
    ///   - inputs: The items from the outside world after the checkpoint.
    ///   - journal: A closure that records each item from the outside world before it is processed; the run calls it.
    ///   - watch: A recorder of the values that pass between the stages.
    ///   - library: The documents that references lead to.
    ///   - host: The sources and sinks that the stream may use; `nil` in virtual time, which has none.
    ///   - limits: The limits on the work of the run.
    ///   - onInput: A closure that is called from any thread when there is an item to let in; it must not call the run.
    /// - Throws: The errors of ``init(_:from:in:parameters:limits:)``.
    package convenience init(
        driving document: StreamDocument,
        from checkpoint: StreamCheckpoint?,
        replaying inputs: [StreamInput] = [],
        journal: ((StreamInput) -> Void)? = nil,
        watch: StageWatch? = nil,
        in library: StreamLibrary,
        host: StreamHost?,
        limits: StreamLimits = StreamLimits(),
        onInput: @escaping @Sendable () -> Void = {}
    ) throws {
        let compiled = try CompiledDocument(document, in: library, isWatched: watch != nil)
        try self.init(
            driving: compiled,
            from: checkpoint,
            replaying: inputs,
            journal: journal,
            watch: watch,
            host: host,
            limits: limits,
            onInput: onInput
        )
    }

    /// Makes a run of a compiled document for a driver of its own.
    ///
    /// A run that is interrupted while it replays the inputs is ``isInterrupted``, and of no use: it starts no source.
    ///
    /// - Throws: as ``init(_:from:in:parameters:limits:)``.
    package convenience init(
        driving compiled: CompiledDocument,
        from checkpoint: StreamCheckpoint?,
        replaying inputs: [StreamInput] = [],
        journal: ((StreamInput) -> Void)? = nil,
        watch: StageWatch? = nil,
        host: StreamHost?,
        limits: StreamLimits = StreamLimits(),
        interruption: (() -> Bool)? = nil,
        onInput: @escaping @Sendable () -> Void = {}
    ) throws {
        try self.init(
            beforeReplayOf: compiled,
            from: checkpoint,
            watch: watch,
            host: host,
            limits: limits,
            interruption: interruption,
            onInput: onInput
        )
        try replay(inputs)
        if isInterrupted { return }
        endReplay(journal: journal)
    }

    /// Makes a run that starts no source until its driver has replayed a journal, and calls ``endReplay(journal:)``.
    ///
    /// - Throws: as ``init(_:from:in:parameters:limits:)``.
    package convenience init(
        beforeReplayOf compiled: CompiledDocument,
        from checkpoint: StreamCheckpoint?,
        watch: StageWatch? = nil,
        host: StreamHost?,
        limits: StreamLimits = StreamLimits(),
        interruption: (() -> Bool)? = nil,
        onInput: @escaping @Sendable () -> Void = {}
    ) throws {
        let outside = host.map { OutsideInputs($0, ReadySources(onAdd: onInput)) }
        outside?.isStored = true
        // Items of the journal are not read again.
        outside?.holdStarts()
        if let checkpoint {
            try self.init(restoring: compiled, checkpoint, limits, outside, watch)
        } else {
            self.init(beginning: compiled, limits, outside, watch)
        }
        setInterruption(interruption)
    }
}
