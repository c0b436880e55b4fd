extension Flow {
    /// Starts a stream for each value, cancels the previous one, and emits the values of the latest stream.
    ///
    /// Completes when this stream and the latest one have completed; fails with the first that fails.
    ///
    /// - Parameter start: A closure that the run calls for each value; an error that it throws fails the stream.
    public func switchMap<Output>(_ start: @escaping @Sendable (Value) throws -> Flow<Output>) -> Flow<Output> {
        switching { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``switchMap(_:)``, with the subscription left to `start`.
    func switching<Output>(
        _ start: @escaping @Sendable (Scope, Value, Sink<Output>) throws -> Void
    ) -> Flow<Output> {
        Flow<Output> { scope, sink in switchOver(scope, sink, start) }
    }

    /// Subscribes to the stream and to the latest of the streams that `start` starts for its values.
    func switchOver<Output>(
        _ scope: Scope,
        _ sink: Sink<Output>,
        _ start: @escaping (Scope, Value, Sink<Output>) throws -> Void
    ) {
        let cell = scope.cell(SwitchState())
        func begin(_ value: Value, _ scope: Scope, _ lifetime: Lifetime) {
            cell.state.latest = lifetime
            let inner = Sink<Output>(
                lifetime: lifetime,
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.latest = nil
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
                if cell.state.latest == nil { sink.finish(.completed) }
            },
            receive: { value in
                let former = cell.state.latest
                former?.close()
                guard !sink.isClosed, scope.run.spend() else { return }
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

private struct SwitchState {
    /// The lifetime of the running stream.
    var latest: Lifetime?
    var isCompleted = false
}

extension SwitchState: SavableState {
    static var fields: [SavedField<Self>] { [SavedField("isCompleted", \.isCompleted)] }
}

extension OperatorKind {
    static let switchMap = OperatorKind(
        "switchMap",
        synonyms: ["flatMapLatest"],
        summary: "Starts a stream for each value, and cancels the previous one",
        [.source("to"), .expression(isRequired: false), .onError]
    ) { stage in
        let start = stage.flattened()
        return stage.input.switching(start)
    }
}

extension Operator {
    /// Starts a stream for each value `a`, cancels the previous one, and emits the result of an expression of `a` and
    /// each value `x` of that stream, or `x` itself without an expression. Expressions within the stream see `a` too.
    ///
    /// ```marbles
    /// 1--2----|
    /// {"switchMap": {"to": {"marbles": {"text": "-5-6|", "frame": 1}}, "expression": "a * 10 + x"}}
    /// -'15'--'25'-'26'-|
    /// ```
    public static func switchMap(
        to source: StreamSource,
        _ expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .switchMap,
            ["to": .source(source), "expression": expression.map { .string($0) }, "onError": onError.argument]
        )
    }
}
