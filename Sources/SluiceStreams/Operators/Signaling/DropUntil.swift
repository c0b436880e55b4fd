extension Flow {
    /// Drops values until another stream emits one; then passes all on.
    ///
    /// The other stream is subscribed first and canceled at its first value. Its completion is ignored; an error before
    /// its first value fails this stream.
    public func drop<Signal>(until signal: Flow<Signal>) -> Flow {
        Flow { [subscribe] scope, sink in
            let isOpen = scope.cell(false)
            let lifetime = sink.lifetime.child()
            let signaled = Sink<Signal>(
                lifetime: lifetime,
                end: { end in if case .failed = end { sink.finish(end) } },
                receive: { _ in
                    isOpen.state = true
                    lifetime.close()
                }
            )
            signal.subscribe(scope, signaled)
            if !sink.isClosed { subscribe(scope, sink.receiving { if isOpen.state { sink.receive($0) } }) }
        }
    }
}

extension OperatorKind {
    static let dropUntil = OperatorKind(
        "dropUntil",
        synonyms: ["skipUntil"],
        summary: "Drops values until another stream emits",
        [.source()]
    ) { stage in
        stage.input.drop(until: stage.source().flow)
    }
}

extension Operator {
    /// Drops values until another stream emits one; then passes all on.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// signal: ---x
    /// {"dropUntil": {"source": {"ref": "signal"}}}
    /// ----3-4-|
    /// ```
    public static func dropUntil(_ source: StreamSource) -> Operator {
        Operator(.dropUntil, ["source": .source(source)])
    }
}
