extension OperatorKind {
    static let combineLatest = OperatorKind(
        "combineLatest",
        synonyms: ["combineLatestWith"],
        summary: "Combines the latest values of this stream and others whenever one of them emits",
        [.source(isRequired: false), .moreSources, .expression(isRequired: false), .onError]
    ) { stage in
        stage.joined([TypedFlow(stage.input, stage.item)] + stage.others) { Flow.combineLatest($0) }
    }
}

extension Operator {
    /// Emits the latest values of this stream and of others whenever one of them emits, once all have emitted: as
    /// arrays, or the result of an expression. `a` is the value of this stream, `b`, … those of the others.
    ///
    /// ```marbles
    /// -1---2-|
    /// other: --3-4----|
    /// {"combineLatest": {"source": {"ref": "other"}, "expression": "a + b"}}
    /// --4-56---|
    /// ```
    public static func combineLatest(
        with sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        joining(.combineLatest, sources, expression, onError)
    }
}
