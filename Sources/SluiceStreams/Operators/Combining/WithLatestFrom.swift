extension OperatorKind {
    static let withLatestFrom = OperatorKind(
        "withLatestFrom",
        [.source(isRequired: false), .moreSources, .expression(isRequired: false), .onError]
    ) { stage in
        stage.joined([TypedFlow(stage.input, stage.item)] + stage.others) { Flow.withLatestFrom($0) }
    }
}

extension Operator {
    /// Each value of this stream with the latest ones of others, as arrays, or what an expression makes of them: `a` is
    /// the value of this stream, `b`, … those of the others. Values that come before all others have given one are left
    /// out.
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
        onError: ErrorRoute = .fail
    ) -> Operator {
        joining(.withLatestFrom, sources, expression, onError)
    }
}
