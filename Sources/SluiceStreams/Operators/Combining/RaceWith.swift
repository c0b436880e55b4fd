extension OperatorKind {
    static let race = OperatorKind(
        "race",
        synonyms: ["raceWith", "amb"],
        [.source(isRequired: false), .moreSources]
    ) { stage in
        let flows = [TypedFlow(stage.input, stage.item)] + stage.others
        stage.item = TypedFlow.common(flows)
        return .race(flows.map(\.flow))
    }
}

extension Operator {
    /// This stream or another, whichever gives a value or ends first; the others are left.
    ///
    /// ```marbles
    /// --1-2-|
    /// other: -3-4-5-|
    /// {"race": {"source": {"ref": "other"}}}
    /// -3-4-5-|
    /// ```
    public static func race(with sources: StreamSource...) -> Operator { Operator(.race, others(sources)) }
}
