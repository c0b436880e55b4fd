import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Emits `output` in place of each value.
    public func mapTo<Output: Sendable>(_ output: Output) -> Flow<Output> {
        lift { _, sink in sink.receiving { _ in sink.receive(output) } }
    }
}

extension OperatorKind {
    static let mapTo = OperatorKind("mapTo", summary: "Replaces each value with a constant", [.value()]) { stage in
        let value = stage.value()
        stage.item = CELType(of: value)
        return stage.input.mapTo(value)
    }
}

extension Operator {
    /// Emits the same value in place of each value.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"mapTo": {"value": 7}}
    /// -7-7-7-|
    /// ```
    public static func mapTo(_ value: JSON) -> Operator { Operator(.mapTo, ["value": .json(value)]) }
}
