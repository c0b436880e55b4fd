import SluiceJSON

extension StreamCheckpoint {
    /// Returns the checkpoint without the groups of an operator, and the groups; `nil` where the operator has ended, or the run
    /// has, so that nothing is left to move.
    ///
    /// - Throws: ``StreamError`` for a checkpoint that can't be read.
    package func takingGroups(of moving: MovingOperator) throws -> (rest: StreamCheckpoint, groups: MovingGroups)? {
        var saved = try run()
        guard !saved.isEnded, var node = saved.root?.children[moving.key],
            let groups = try MovingGroups.take(from: &node, at: saved.clock)
        else { return nil }
        saved.root?.children[moving.key] = node
        return (replacing(saved), groups)
    }

    /// Returns the state of a run that begins with groups of other runs.
    ///
    /// - Parameters:
    ///   - compiled: The document, which has the operator.
    ///   - moving: The operator.
    ///   - parts: The groups, each with the time by which they were taken from their run after the first of them. The state is
    ///     of the time of the first: no timer of a group is due before the time of its groups.
    ///   - host: The sources and sinks that the stream may use.
    ///   - limits: The limits on the work of the run.
    /// - Throws: ``StreamError`` where the groups don't fit the operator.
    package static func beginning(
        _ compiled: CompiledDocument,
        _ moving: MovingOperator,
        with parts: [(groups: MovingGroups, later: Duration)],
        host: StreamHost,
        limits: StreamLimits = StreamLimits()
    ) throws -> StreamCheckpoint {
        let instants = parts.map { (time: $0.groups.time.nanoseconds, later: StreamTime($0.later).nanoseconds) }
        let now = StreamTime(nanoseconds: max(0, instants.map { $0.time - $0.later }.max() ?? 0))
        // Timers keep their order within a run, and those of the runs follow each other.
        var order: Int64 = 0
        var shifted: [(groups: MovingGroups, shift: SavedShift)] = []
        for (part, instant) in zip(parts, instants) {
            let (shift, isTooLarge) = (now.nanoseconds - instant.time).addingReportingOverflow(instant.later)
            guard !isTooLarge, order < Int64.max / 4 else { throw StreamError(message: "the groups are too far apart") }
            shifted.append((part.groups, SavedShift(time: shift, order: order)))
            order += part.groups.lastOrder
        }
        guard order < Int64.max / 4 else { throw StreamError(message: "the groups have too many timers") }
        let clock = SavedClock(now: now, order: .min, lastOrder: order)
        func engine() -> Engine<JSON> {
            let outside = OutsideInputs(host, ReadySources())
            outside.holdStarts()
            return Engine(compiled.flow, limits: limits, outside: outside)
        }
        let first = engine()
        defer { first.close() }
        let unbegun = SavedRun(clock: clock, hasBegun: false, isEnded: false, pending: [], root: nil, unsaved: [])
        try first.restore(unbegun, compiled.sharedStarts)
        first.advance(to: now)
        var saved = first.saved
        if var node = saved.root?.children[moving.key] {
            try MovingGroups.join(shifted, into: &node)
            saved.root?.children[moving.key] = node
        } else if !parts.allSatisfy(\.groups.isEmpty) {
            throw StreamError(path: moving.key, message: "the operator has ended before its groups have come")
        }
        // Once read and written, all times are those of this run.
        let second = engine()
        defer { second.close() }
        try second.restore(saved, compiled.sharedStarts)
        return StreamCheckpoint(
            second.saved,
            of: compiled.document,
            fingerprint: compiled.fingerprint,
            outputs: 0
        )
    }
}
