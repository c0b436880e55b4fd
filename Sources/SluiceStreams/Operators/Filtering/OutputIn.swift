extension Flow {
    /// Keeps the values at the indices, from 0, of a range, and completes with the last of them.
    public func output(in range: Range<Int>) -> Flow { dropFirst(range.lowerBound).prefix(range.count) }
}

extension OperatorKind {
    static let outputIn = OperatorKind(
        "outputIn",
        summary: "Emits count values, beginning at an index, then completes",
        [.count("from").resetting, .count(isRequired: false).resetting]
    ) { stage in
        let rest = stage.input.dropFirst(stage.count("from"))
        return stage.optionalCount().map { rest.prefix($0) } ?? rest
    }
}

extension Operator {
    /// Keeps `count` values from the index `from` on, which counts from 0, and completes with the last of them; without
    /// a count, keeps all values from there on.
    ///
    /// ```marbles
    /// -1-2-3-4-|
    /// {"outputIn": {"from": 1, "count": 2}}
    /// ---2-(3|)
    /// ```
    public static func outputIn(from: Int, count: Int? = nil) -> Operator {
        Operator(.outputIn, ["from": .int(from), "count": count.map { .int($0) }])
    }
}
