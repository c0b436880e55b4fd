extension Flow {
    /// Subscribes again when the stream completes.
    ///
    /// - Parameters:
    ///   - count: The total number of subscriptions; unlimited by default.
    ///   - delay: The delay after the completion; none by default.
    public func `repeat`(_ count: Int = .max, delay: Duration? = nil) -> Flow {
        guard count > 0 else { return .empty }
        return resubscribing(after: delay.map { StreamTime($0) }) { used, end in
            guard case .completed = end else { return false }
            return used < count - 1
        }
    }
}

extension OperatorKind {
    static let `repeat` = OperatorKind(
        "repeat",
        summary: "Subscribes again after completion, at once or after a delay",
        [.count(isRequired: false), .seconds(isRequired: false), .source(isRequired: false)]
    ) { stage in
        let count = stage.optionalCount() ?? .max
        if stage.waitsForSource(isRequired: false) { return stage.input.repeating(count, stage.signalForEnd()) }
        return stage.input.repeat(count, delay: stage.optionalSeconds()?.duration)
    }
}

extension Operator {
    /// Subscribes again when the stream completes, after `seconds` or immediately.
    ///
    /// ```marbles
    /// -1-|
    /// {"repeat": {"count": 2, "seconds": 1}}
    /// -1---1-|
    /// ```
    ///
    /// With `source` in place of `seconds`, it waits for the first value of a stream that is started for the
    /// completion; if that stream completes without a value, the whole stream completes. Expressions of the stream see
    /// `attempt`, the number of the completed subscription, from 1.
    ///
    /// ```marbles
    /// -1-|
    /// {"repeat": {"source": {"source": {"timer": {"seconds": 1}}, "operators": [
    ///     {"filter": {"expression": "attempt < 2"}}]}}}
    /// -1---1--|
    /// ```
    ///
    /// - Parameters:
    ///   - count: The total number of subscriptions: 1 changes nothing, 0 completes immediately; unlimited by
    ///     default.
    ///   - seconds: The wait; `nil` for none.
    public static func `repeat`(_ count: Int? = nil, seconds: Double? = nil) -> Operator {
        Operator(.repeat, ["count": count.map { .int($0) }, "seconds": seconds.map { .double($0) }])
    }

    /// Subscribes again when the stream completes, at the first value of a stream that is started for the completion.
    /// Expressions of that stream see `attempt`.
    public static func `repeat`(_ count: Int? = nil, when source: StreamSource) -> Operator {
        Operator(.repeat, ["count": count.map { .int($0) }, "source": .source(source)])
    }
}
