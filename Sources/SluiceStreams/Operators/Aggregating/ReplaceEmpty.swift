import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits `output` at the completion if there were no values.
    public func replaceEmpty(with output: Value) -> Flow {
        lift { scope, sink in
            let isEmpty = scope.cell(true)
            return sink.receiving {
                if isEmpty.state { sink.receive(output) }
                sink.finish(.completed)
            } _: { value in
                isEmpty.state = false
                sink.receive(value)
            }
        }
    }
}

extension OperatorKind {
    static let replaceEmpty = OperatorKind(
        "replaceEmpty",
        synonyms: ["defaultIfEmpty"],
        summary: "Emits a value at completion if there was no other",
        [.value()]
    ) { stage in
        let value = stage.value()
        if stage.item != CELType(of: value) { stage.item = .dyn }
        return stage.input.replaceEmpty(with: value)
    }
}

extension Operator {
    /// Emits a value at the completion if there were no values.
    ///
    /// ```marbles
    /// ---|
    /// {"replaceEmpty": {"value": 0}}
    /// ---(0|)
    /// ```
    public static func replaceEmpty(_ value: JSON) -> Operator { Operator(.replaceEmpty, ["value": .json(value)]) }
}
