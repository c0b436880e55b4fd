import SluiceExpressions

extension Flow {
    /// Emits each value when a stream that is started for it emits its first value; drops it when that stream completes
    /// without a value.
    ///
    /// Completes when this stream has completed and no value waits; fails with the first stream that fails.
    ///
    /// - Parameter start: A closure that the run calls once for each value.
    public func delay<Signal>(until start: @escaping @Sendable (Value) throws -> Flow<Signal>) -> Flow {
        delaying { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// Implements ``delay(until:)``, with the subscription left to `start`.
    func delaying<Signal>(_ start: @escaping @Sendable (Scope, Value, Sink<Signal>) throws -> Void) -> Flow {
        flattening(.max) { scope, value, sink in
            let signaled: Sink<Signal> = sink.receiving { _ in
                sink.receive(value)
                sink.finish(.completed)
            }
            try start(scope, value, signaled)
        }
    }
}

extension OperatorKind {
    static let delayWhen = OperatorKind(
        "delayWhen",
        summary: "Delays each value until a stream, started for it, emits",
        [.source()]
    ) { stage in
        let signal = stage.source("source", for: ("a", stage.item)).flow
        return stage.input.delaying { scope, value, sink in signal.subscribe(scope.inside(value), sink) }
    }
}

extension Operator {
    /// Emits each value when another stream, started for it, emits its first value; drops it when that stream completes
    /// without a value. Expressions within the stream see the value as `a`.
    ///
    /// ```marbles
    /// 1--2---|
    /// later: --x
    /// {"delayWhen": {"source": {"ref": "later"}}}
    /// --1--2-|
    /// ```
    ///
    /// Completes when the input has completed and no value waits.
    public static func delayWhen(_ source: StreamSource) -> Operator {
        Operator(.delayWhen, ["source": .source(source)])
    }
}
