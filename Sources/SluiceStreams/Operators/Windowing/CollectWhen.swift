import SluiceExpressions

extension Flow {
    /// Emits, as arrays, the values of consecutive parts of this stream, including empty ones.
    ///
    /// Emits the rest at the completion. The signal is subscribed again for each part, first before this stream. Its
    /// completion is ignored; its error fails this stream.
    ///
    /// - Parameter signal: A stream that is subscribed for each part, and ends it with its first value.
    public func collect<Signal>(when signal: Flow<Signal>) -> Flow<[Value]> {
        Flow<[Value]> { [subscribe] scope, sink in
            let cell = scope.cell(nil as [Value]?)
            let holding = scope.holding(for: sink.lifetime)
            func emit() {
                let values = cell.state
                cell.state = []
                holding.removeAll()
                if let values { sink.receive(values) }
            }
            Renewal(signal: signal).subscribe(scope, sink.lifetime, renew: emit, failed: sink.finish)
            guard !sink.isClosed else { return }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end { emit() }
                    sink.finish(end)
                },
                receive: { value in
                    cell.state?.append(value)
                    holding.add(1)
                }
            )
            subscribe(scope, input)
        }
    }
}

extension OperatorKind {
    static let collectWhen = OperatorKind(
        "collectWhen",
        synonyms: ["bufferWhen"],
        summary: "Collects values into an array until a stream, started for each array, emits",
        [.source()]
    ) { stage in
        stage.item = .list(stage.item)
        return stage.input.collect(when: stage.source().flow).map { .list($0) }
    }
}

extension Operator {
    /// Emits, as arrays, the values of consecutive parts of the stream, including empty ones. A part lasts until
    /// another stream, which is subscribed again for each part, emits its first value. The rest is emitted at the
    /// completion.
    ///
    /// ```marbles
    /// 1-2-3-4-|
    /// {"collectWhen": {"source": {"timer": {"seconds": 3}}}}
    /// ---'[1,2]'--'[3,4]'-('[]'|)
    /// ```
    ///
    /// `collectBySource` reads the other stream once. RxJS calls this `bufferWhen`.
    public static func collectWhen(_ source: StreamSource) -> Operator {
        Operator(.collectWhen, ["source": .source(source)])
    }
}
