import SluiceExpressions

extension Flow {
    /// Emits events as values: each value, then the completion or the failure; then completes.
    public func materialize() -> Flow<StreamEvent<Value>.Kind> {
        lift { _, sink in
            Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    switch end {
                    case .completed: sink.receive(.completed)
                    case .failed(let error): sink.receive(.failed(StreamError(error)))
                    }
                    sink.finish(.completed)
                },
                receive: { sink.receive(.value($0)) }
            )
        }
    }
}

extension OperatorKind {
    static let materialize = OperatorKind(
        "materialize",
        summary: "Emits events as values, completion and errors included"
    ) { stage in
        stage.item = .map(.string, .dyn)
        return stage.input.materialize().map { kind in
            switch kind {
            case .value(let value): ["value": value]
            case .reported(let error): ["reported": .string(error.description)]
            case .completed: ["completed": true]
            case .failed(let error): ["error": .string(error.description)]
            }
        }
    }
}

extension Operator {
    /// Emits events as values: `{"value": x}` for each value, and at the end `{"completed": true}` or `{"error": "…"}`;
    /// then completes.
    ///
    /// ```marbles
    /// -1-|
    /// {"materialize": {}}
    /// -'{"value": 1}'-('{"completed": true}'|)
    /// ```
    ///
    /// Reported errors pass separately, as always.
    public static let materialize = Operator(.materialize)
}
