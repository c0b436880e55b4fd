extension Flow {
    /// Starts a stream for a value, emits the values of that stream, and drops the values that come while it runs.
    ///
    /// Completes when this stream and the running one have completed; fails with the first that fails.
    ///
    /// - Parameter start: A closure that the run calls for each value that is not dropped; an error that it throws
    ///   fails the stream.
    public func exhaustMap<Output>(_ start: @escaping @Sendable (Value) throws -> Flow<Output>) -> Flow<Output> {
        exhausting { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``exhaustMap(_:)``, with the subscription left to `start`.
    func exhausting<Output>(
        _ start: @escaping @Sendable (Scope, Value, Sink<Output>) throws -> Void
    ) -> Flow<Output> {
        Flow<Output> { [subscribe] scope, sink in
            let cell = scope.cell(ExhaustState())
            func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
                let inner = Sink<Output>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        cell.state.isRunning = false
                        if cell.state.isCompleted { sink.finish(.completed) }
                    },
                    receive: sink.receive
                )
                do { try start(scope, value, inner) } catch { sink.finish(.failed(error)) }
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.isCompleted = true
                    if !cell.state.isRunning { sink.finish(.completed) }
                },
                receive: { value in
                    guard !cell.state.isRunning, scope.run.spend() else { return }
                    cell.state.isRunning = true
                    let lifetime = sink.lifetime.child()
                    begin(value, scope.begin(for: value, lifetime), lifetime)
                }
            )
            for (value, inner) in scope.restored(Value.self) {
                let lifetime = sink.lifetime.child()
                begin(value, inner(lifetime), lifetime)
            }
            subscribe(scope, input)
        }
    }
}

private struct ExhaustState {
    var isRunning = false
    var isCompleted = false
}

extension ExhaustState: SavableState {
    static var fields: [SavedField<Self>] {
        [
            SavedField("isRunning", \.isRunning),
            SavedField("isCompleted", \.isCompleted),
        ]
    }
}

extension OperatorKind {
    static let exhaustMap = OperatorKind(
        "exhaustMap",
        synonyms: ["flatMapFirst"],
        summary: "Starts a stream for a value, and drops values while it runs",
        [.source("to"), .expression(isRequired: false), .onError]
    ) { stage in
        let start = stage.flattened()
        return stage.input.exhausting(start)
    }
}

extension Operator {
    /// Starts a stream for a value `a`, drops the values that come while it runs, and emits the result of an expression
    /// of `a` and each value `x` of that stream, or `x` itself without an expression. Expressions within the stream see
    /// `a` too.
    ///
    /// ```marbles
    /// 1--2--3-|
    /// {"exhaustMap": {"to": {"marbles": {"text": "-5-6|", "frame": 1}}, "expression": "a * 10 + x"}}
    /// -'15'-'16'---'35'-'36'|
    /// ```
    public static func exhaustMap(
        to source: StreamSource,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .exhaustMap,
            ["to": .source(source), "expression": expression.map { .string($0) }, "onError": onError.argument]
        )
    }
}
