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
    static let `repeat` = OperatorKind("repeat", [.count(isRequired: false), .seconds(isRequired: false)]) { stage in
        stage.input.repeat(stage.optionalCount() ?? .max, delay: stage.optionalSeconds())
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
    /// - Parameter count: how often it is subscribed in all: 1 changes nothing, 0 completes at once. Without end where
    ///   nothing is said.
    public static func `repeat`(_ count: Int? = nil, seconds: Double? = nil) -> Operator {
        Operator(.repeat, ["count": count.map { .int($0) }, "seconds": seconds.map { .double($0) }])
    }
}
