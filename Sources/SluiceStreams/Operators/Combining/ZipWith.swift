extension OperatorKind {
    static let zip = OperatorKind(
        "zip",
        synonyms: ["zipWith"],
        summary: "Combines the values of this stream and others one by one",
        [.source(isRequired: false), .moreSources, .expression(isRequired: false), .onError]
    ) { stage in
        stage.joined([TypedFlow(stage.input, stage.item)] + stage.others) { Flow.zip($0) }
    }
}

extension Operator {
    /// Emits the values of this stream and of others row by row, as arrays, or the result of an expression: `a` is the
    /// value of this stream, `b`, … those of the others.
    ///
    /// ```marbles
    /// -1-2-|
    /// other: --3---4--|
    /// {"zip": {"source": {"ref": "other"}, "expression": "a + b"}}
    /// --4---(6|)
    /// ```
    public static func zip(
        with sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        joining(.zip, sources, expression, onError)
    }
}
