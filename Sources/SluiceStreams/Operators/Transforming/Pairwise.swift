import SluiceExpressions

extension Flow {
    /// Emits each value but the first, together with the previous one.
    public func pairwise() -> Flow<(Value, Value)> {
        lift { scope, sink in
            let previous = scope.cell(nil as Value?)
            return sink.receiving { value in
                let before = previous.state
                previous.state = value
                if let before { sink.receive((before, value)) }
            }
        }
    }
}

extension OperatorKind {
    static let pairwise = OperatorKind(
        "pairwise",
        synonyms: ["adjacentPairs"],
        summary: "Emits [previous, x] for each value but the first"
    ) { stage in
        stage.item = .list(stage.item)
        return stage.input.pairwise().map { .list([$0, $1]) }
    }
}

extension Operator {
    /// Emits `[previous, x]` for each value but the first.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"pairwise": {}}
    /// ---'[1, 2]'-'[2, 3]'-|
    /// ```
    public static let pairwise = Operator(.pairwise)
}
