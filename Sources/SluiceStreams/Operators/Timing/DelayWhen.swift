import SluiceExpressions

extension Flow {
    /// Passes each value on when a stream that is started for it gives its first; drops it when that completes without.
    ///
    /// Completes when this stream has and no value waits; fails with the first stream that fails.
    ///
    /// - Parameter start: called by the run once for each value.
    public func delay<Signal>(until start: @escaping @Sendable (Value) throws -> Flow<Signal>) -> Flow {
        delaying { scope, value, sink in try start(value).subscribe(scope, sink) }
    }

    /// As ``delay(until:)``, with the subscribing left to `start`.
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
    static let delayWhen = OperatorKind("delayWhen", [.source()]) { stage in
        let signal = stage.source("source", for: ("a", stage.item)).flow
        return stage.input.delaying { scope, value, sink in signal.subscribe(scope.inside(value), sink) }
    }
}

extension Operator {
    /// Passes each value on when another stream, started for it, gives its first; drops it when that completes without.
    /// Within the stream, expressions see the value as `a`.
    ///
    /// ```marbles
    /// 1--2---|
    /// later: --x
    /// {"delayWhen": {"source": {"ref": "later"}}}
    /// --1--2-|
    /// ```
    ///
    /// Completes when the input has and no value waits.
    public static func delayWhen(_ source: StreamSource) -> Operator {
        Operator(.delayWhen, ["source": .source(source)])
    }
}
