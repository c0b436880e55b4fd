extension Flow {
    /// Keeps the first `count` values and completes with the last of them.
    public func prefix(_ count: Int) -> Flow {
        guard count > 0 else { return .empty }
        return lift { scope, sink in
            let passed = scope.cell(0)
            return sink.receiving { value in
                passed.state += 1
                let isLast = passed.state >= count
                sink.receive(value)
                if isLast { sink.finish(.completed) }
            }
        }
    }
}

extension OperatorKind {
    static let prefix = OperatorKind(
        "prefix",
        synonyms: ["take"],
        summary: "Keeps the first count values, then completes",
        [.count().resetting]
    ) { stage in
        stage.input.prefix(stage.count())
    }
}

extension Operator {
    /// Keeps the first `count` values and completes with the last of them; completes immediately if `count` is 0.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"prefix": {"count": 2}}
    /// -1-(2|)
    /// ```
    public static func prefix(_ count: Int) -> Operator { Operator(.prefix, ["count": .int(count)]) }
}
