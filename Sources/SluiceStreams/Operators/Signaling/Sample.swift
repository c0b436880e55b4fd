extension Flow {
    /// Emits, at each value of another stream, the latest value since the last time, if any.
    ///
    /// The other stream is subscribed after this one. Its completion is ignored; its error fails this stream. The
    /// completion of this stream drops a waiting value.
    public func sample<Signal>(on signal: Flow<Signal>) -> Flow {
        Flow { [subscribe] scope, sink in
            let latest = scope.cell(nil as Value?)
            subscribe(scope, sink.receiving { latest.state = $0 })
            guard !sink.isClosed else { return }
            let signaled = Sink<Signal>(
                lifetime: sink.lifetime.child(),
                end: { end in if case .failed = end { sink.finish(end) } },
                receive: { _ in
                    guard let value = latest.state else { return }
                    latest.state = nil
                    sink.receive(value)
                }
            )
            signal.subscribe(scope, signaled)
        }
    }
}

extension OperatorKind {
    static let sample = OperatorKind(
        "sample",
        summary: "Emits the latest value whenever another stream emits",
        [.source()]
    ) { stage in
        stage.input.sample(on: stage.source().flow)
    }
}

extension Operator {
    /// Emits, at each value of another stream, the latest value since the last time, if any; completion drops a waiting
    /// value.
    ///
    /// ```marbles
    /// 12---3-4-5|
    /// signal: ---x--x-x-
    /// {"sample": {"source": {"ref": "signal"}}}
    /// ---2--3-4-|
    /// ```
    public static func sample(_ source: StreamSource) -> Operator { Operator(.sample, ["source": .source(source)]) }
}
