extension OperatorKind {
    static let withLatestFrom = OperatorKind(
        "withLatestFrom",
        summary: "Combines each value of this stream with the latest ones of others",
        [.source(isRequired: false), .moreSources, .expression(isRequired: false), .onError]
    ) { stage in
        stage.joined([TypedFlow(stage.input, stage.item)] + stage.others) { Flow.withLatestFrom($0) }
    }
}

extension Operator {
    /// Emits each value of this stream with the latest ones of others, as arrays, or the result of an expression: `a`
    /// is the value of this stream, `b`, … those of the others. Drops values that come before all others have emitted.
    ///
    /// ```marbles
    /// -1-2--4-|
    /// other: --3-5|
    /// {"withLatestFrom": {"source": {"ref": "other"}, "expression": "a + b"}}
    /// ---5--9-|
    /// ```
    public static func withLatestFrom(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        joining(.withLatestFrom, sources, expression, onError)
    }
}
