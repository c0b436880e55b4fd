extension Flow {
    /// Passes values on until another stream emits one; then completes.
    ///
    /// The other stream is subscribed first. Its completion is ignored; its error fails this stream.
    public func prefix<Signal>(until signal: Flow<Signal>) -> Flow {
        Flow { [subscribe] scope, sink in
            let signaled = Sink<Signal>(
                lifetime: sink.lifetime.child(),
                end: { end in if case .failed = end { sink.finish(end) } },
                receive: { _ in sink.finish(.completed) }
            )
            signal.subscribe(scope, signaled)
            if !sink.isClosed { subscribe(scope, sink) }
        }
    }
}

extension OperatorKind {
    static let prefixUntil = OperatorKind(
        "prefixUntil",
        synonyms: ["takeUntil"],
        summary: "Keeps values until another stream emits, then completes",
        [.source()]
    ) { stage in
        stage.input.prefix(until: stage.source().flow)
    }
}

extension Operator {
    /// Passes values on until another stream emits one; then completes.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// signal: ---x
    /// {"prefixUntil": {"source": {"ref": "signal"}}}
    /// 1-2|
    /// ```
    public static func prefixUntil(_ source: StreamSource) -> Operator {
        Operator(.prefixUntil, ["source": .source(source)])
    }
}
