extension OperatorKind {
    static let race = OperatorKind(
        "race",
        synonyms: ["raceWith", "amb"],
        summary: "Follows this stream or another, whichever emits or ends first",
        [.source(isRequired: false), .moreSources]
    ) { stage in
        let flows = [TypedFlow(stage.input, stage.item)] + stage.others
        stage.item = TypedFlow.common(flows)
        return .race(flows.map(\.flow))
    }
}

extension Operator {
    /// Continues with this stream or another, whichever emits or ends first, and cancels the others.
    ///
    /// ```marbles
    /// --1-2-|
    /// other: -3-4-5-|
    /// {"race": {"source": {"ref": "other"}}}
    /// -3-4-5-|
    /// ```
    public static func race(with sources: StreamSource...) -> Operator { Operator(.race, others(sources)) }
}
