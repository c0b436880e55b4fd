import SluiceExpressions

extension Flow {
    /// Passes on this stream or another, whichever gives a value or ends first; the others are left.
    public func race(with others: Flow...) -> Flow { .race([self] + others) }

    /// Passes on the stream that gives a value or ends first; the others are left. Of none: nothing, and no end.
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
    /// The stream that gives a value or ends first; the others are left.
    ///
    /// ```marbles
    /// a: --1-2-|
    /// b: -3-4-5-|
    /// {"race": [{"ref": "a"}, {"ref": "b"}]}
    /// -3-4-5-|
    /// ```
    ///
    /// Of none: nothing, and no end.
    static let race = SourceKind("race", synonyms: ["amb"], [.sources], bare: "sources") { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .race(sources.map(\.flow))
    }
}

extension StreamSource {
    /// The stream that gives a value or ends first; the others are left.
    public static func race(_ sources: StreamSource...) -> StreamSource {
        .named(NamedSource(.race, ["sources": .sources(sources)]))
    }
}
