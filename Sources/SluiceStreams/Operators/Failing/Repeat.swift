extension Flow {
    /// Subscribes again when the stream completes.
    ///
    /// - Parameters:
    ///   - count: how often it is subscribed in all; without end where nothing is said.
    ///   - delay: how long after the completion; at once without it.
    public func `repeat`(_ count: Int = .max, delay: StreamTime? = nil) -> Flow {
        guard count > 0 else { return .empty }
        return resubscribing(after: delay) { used, end in
            guard case .completed = end else { return false }
            return used < count - 1
        }
    }
}

extension OperatorKind {
    static let `repeat` = OperatorKind(
        "repeat",
        [.count(isRequired: false), .seconds(isRequired: false), .source(isRequired: false)]
    ) { stage in
        let count = stage.optionalCount() ?? .max
        if stage.waitsForSource(isRequired: false) { return stage.input.repeating(count, stage.signalForEnd()) }
        return stage.input.repeat(count, delay: stage.optionalSeconds())
    }
}

extension Operator {
    /// Subscribes again when the stream completes, `seconds` later or at once.
    ///
    /// ```marbles
    /// -1-|
    /// {"repeat": {"count": 2, "seconds": 1}}
    /// -1---1-|
    /// ```
    ///
    /// With `source` in place of `seconds` it waits for the first value of a stream that is started for the completion;
    /// where that completes without one, the stream completes. Expressions of the stream see `attempt`, the number of
    /// the subscription that completed, from 1.
    ///
    /// ```marbles
    /// -1-|
    /// {"repeat": {"source": {"source": {"timer": {"seconds": 1}}, "operators": [
    ///     {"filter": {"expression": "attempt < 2"}}]}}}
    /// -1---1--|
    /// ```
    ///
    /// - Parameter count: how often it is subscribed in all: 1 changes nothing, 0 completes at once. Without end where
    ///   nothing is said.
    public static func `repeat`(_ count: Int? = nil, seconds: Double? = nil) -> Operator {
        Operator(.repeat, ["count": count.map { .int($0) }, "seconds": seconds.map { .double($0) }])
    }

    /// Subscribes again when the stream completes, each time that a stream that is started for the completion gives a
    /// value. Within that stream, expressions see `attempt`.
    public static func `repeat`(_ count: Int? = nil, when source: StreamSource) -> Operator {
        Operator(.repeat, ["count": count.map { .int($0) }, "source": .source(source)])
    }
}
