import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Passes on `output` at the completion when there was no value.
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
    static let replaceEmpty = OperatorKind("replaceEmpty", synonyms: ["defaultIfEmpty"], [.value()]) { stage in
        let value = stage.value()
        if stage.item != CELType(of: value) { stage.item = .dyn }
        return stage.input.replaceEmpty(with: value)
    }
}

extension Operator {
    /// Passes on a value at the completion when there was none.
    ///
    /// ```marbles
    /// ---|
    /// {"replaceEmpty": {"value": 0}}
    /// ---(0|)
    /// ```
    public static func replaceEmpty(_ value: JSON) -> Operator { Operator(.replaceEmpty, ["value": .json(value)]) }
}
