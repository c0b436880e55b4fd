extension Flow {
    /// Starts a stream for each value, one after another, and emits the values of these streams.
    ///
    /// Values wait in order while a stream runs. Completes when this stream and all started streams have completed;
    /// fails with the first that fails.
    ///
    /// - Parameter start: A closure that the run calls for each value when its stream is to start; an error that it
    ///   throws fails the stream.
    public func concatMap<Output>(_ start: @escaping @Sendable (Value) throws -> Flow<Output>) -> Flow<Output> {
        flatMap(concurrency: 1, start)
    }
}

extension OperatorKind {
    static let concatMap = OperatorKind(
        "concatMap",
        summary: "Starts a stream for each value, one after another",
        [.source("to"), .expression(isRequired: false), .onError]
    ) {
        stage in
        let start = stage.flattened()
        return stage.input.flattening(1, start)
    }
}

extension Operator {
    /// Starts a stream for each value `a`, one after another, and emits the result of an expression of `a` and each
    /// value `x` of that stream, or `x` itself without an expression. Expressions within the stream see `a` too.
    ///
    /// ```marbles
    /// 12------|
    /// {"concatMap": {"to": {"marbles": {"text": "-5-6|", "frame": 1}}, "expression": "a * 10 + x"}}
    /// -'15'-'16'-'25'-'26'|
    /// ```
    public static func concatMap(
        to source: StreamSource,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .concatMap,
            ["to": .source(source), "expression": expression.map { .string($0) }, "onError": onError.argument]
        )
    }
}
