extension StreamRun {
    /// Makes a run for a driver of its own, which reads the outside world and is told when something came from there.
    ///
    /// - Parameters:
    ///   - document: what runs.
    ///   - checkpoint: the state from which it goes on; `nil` to begin.
    ///   - inputs: what it took from the outside world after the checkpoint.
    ///   - journal: takes each item from the outside world before it is processed; called by the run.
    ///   - watch: is told what passes between the stages.
    ///   - library: where references lead.
    ///   - host: what it may read of the outside world; `nil` in virtual time, which has none.
    ///   - limits: how much it may do.
    ///   - onRing: called from anywhere when there is something to let in; it must not call the run.
    /// - Throws: as ``init(_:from:in:parameters:limits:)``.
    package convenience init(
        driving document: StreamDocument,
        from checkpoint: StreamCheckpoint?,
        replaying inputs: [StreamInput] = [],
        journal: ((StreamInput) -> Void)? = nil,
        watch: StageWatch? = nil,
        in library: StreamLibrary,
        host: StreamHost?,
        limits: StreamLimits = StreamLimits(),
        onRing: @escaping @Sendable () -> Void = {}
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
            onRing: onRing
        )
    }

    /// Makes a run of a compiled document for a driver of its own.
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
        onRing: @escaping @Sendable () -> Void = {}
    ) throws {
        let outside = host.map { OutsideInputs($0, Doorbell(onRing: onRing)) }
        if let checkpoint {
            try self.init(restoring: compiled, checkpoint, limits, outside, watch)
        } else {
            self.init(beginning: compiled, limits, outside, watch)
        }
        try replay(inputs)
        outside?.journal = journal
    }
}

extension StreamTime {
    /// The span of a duration; what is less than none is none.
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        self.init(nanoseconds: overflow || overflows ? (seconds < 0 ? 0 : .max) : max(0, sum))
    }
}
