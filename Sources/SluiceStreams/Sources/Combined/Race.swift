import SluiceExpressions

extension Flow {
    /// Continues with this stream or another, whichever emits or ends first, and cancels the others.
    public func race(with others: Flow...) -> Flow { .race([self] + others) }

    /// Returns a stream that continues with the stream that emits or ends first, and cancels the others. Without
    /// streams, it emits nothing and never ends.
    public static func race(_ flows: [Flow]) -> Flow {
        Flow { scope, sink in
            let lifetimes = Cell<[Lifetime]>([])
            let isWon = scope.cell(false)
            for flow in flows {
                guard scope.isRestoring || !isWon.state, !sink.isClosed, scope.run.spend() else { return }
                let lifetime = sink.lifetime.child()
                lifetimes.state.append(lifetime)
                let input = Sink<Value>(
                    lifetime: lifetime,
                    end: sink.finish,
                    receive: { value in
                        if !isWon.state {
                            isWon.state = true
                            let all = lifetimes.state
                            lifetimes.state = []
                            for other in all where other !== lifetime { other.close() }
                        }
                        sink.receive(value)
                    }
                )
                flow.subscribe(scope, input)
            }
        }
    }
}

extension SourceKind {
    /// Continues with the stream that emits or ends first, and cancels the others.
    ///
    /// ```marbles
    /// a: --1-2-|
    /// b: -3-4-5-|
    /// {"race": [{"ref": "a"}, {"ref": "b"}]}
    /// -3-4-5-|
    /// ```
    ///
    /// Without streams, it emits nothing and never ends.
    static let race = SourceKind(
        "race",
        synonyms: ["amb"],
        summary: "Follows the stream that emits or ends first",
        [.sources],
        bare: "sources"
    ) { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .race(sources.map(\.flow))
    }
}

extension StreamSource {
    /// Returns a source that continues with the stream that emits or ends first, and cancels the others.
    public static func race(_ sources: StreamSource...) -> StreamSource {
        .named(NamedSource(.race, ["sources": .sources(sources)]))
    }
}
