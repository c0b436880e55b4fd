import SluiceExpressions

extension Flow {
    /// Emits, at each value of another stream, an array of the values since the last one, which may be empty; emits the
    /// rest at completion.
    ///
    /// The other stream is subscribed after this one. Its completion is ignored; its error fails this stream.
    public func collect<Signal>(on signal: Flow<Signal>) -> Flow<[Value]> {
        Flow<[Value]> { [subscribe] scope, sink in
            let items = scope.cell([] as [Value])
            let holding = scope.holding(for: sink.lifetime)
            func emit() {
                let full = items.state
                items.state = []
                holding.removeAll()
                sink.receive(full)
            }
            let input = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    if case .completed = end { emit() }
                    sink.finish(end)
                },
                receive: { value in
                    items.state.append(value)
                    holding.add(1)
                }
            )
            subscribe(scope, input)
            guard !sink.isClosed else { return }
            let signaled = Sink<Signal>(
                lifetime: sink.lifetime.child(),
                end: { end in if case .failed = end { sink.finish(end) } },
                receive: { _ in emit() }
            )
            signal.subscribe(scope, signaled)
        }
    }
}

extension OperatorKind {
    static let collectBySource = OperatorKind(
        "collectBySource",
        synonyms: ["buffer"],
        summary: "Collects values into an array until another stream emits",
        [.source()]
    ) { stage in
        stage.item = .list(stage.item)
        return stage.input.collect(on: stage.source().flow).map { .list($0) }
    }
}

extension Operator {
    /// Emits, at each value of another stream, an array of the values since the last one, which may be empty; emits the
    /// rest at completion. RxJS calls it `buffer`.
    ///
    /// ```marbles
    /// 1-2--3-|
    /// signal: ---xx-
    /// {"collectBySource": {"source": {"ref": "signal"}}}
    /// ---'[1,2]' '[]'--('[3]'|)
    /// ```
    public static func collectBySource(_ source: StreamSource) -> Operator {
        Operator(.collectBySource, ["source": .source(source)])
    }
}
