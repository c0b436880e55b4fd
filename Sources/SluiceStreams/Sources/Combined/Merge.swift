import SluiceExpressions

extension Flow {
    /// The values of this stream and of others as they come; completes when all have, fails with the first that fails.
    public func merge(with others: Flow...) -> Flow { .merge([self] + others) }

    /// The values of all streams as they come; completes when all have, fails with the first that fails.
    ///
    /// - Parameter concurrency: how many run at the same time; the others wait in order.
    public static func merge(_ flows: [Flow], concurrency: Int = .max) -> Flow {
        if concurrency < flows.count {
            return Flow<Int>.values(Array(flows.indices)).nested("order").flatMap(
                concurrency: Swift.max(1, concurrency)
            ) { flows[$0] }
        }
        return Flow { scope, sink in
            let running = scope.cell(flows.count)
            if flows.isEmpty { sink.finish(.completed) }
            for flow in flows {
                guard !sink.isClosed, scope.run.spend() else { return }
                let input = Sink<Value>(
                    lifetime: sink.lifetime.child(),
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        running.state -= 1
                        if running.state == 0 { sink.finish(.completed) }
                    },
                    receive: sink.receive
                )
                flow.subscribe(scope, input)
            }
        }
    }
}

extension SourceKind {
    /// The values of all streams as they come; completes when all have, fails with the first that fails.
    ///
    /// ```marbles
    /// a: -1---3|
    /// b: ---2|
    /// {"merge": [{"ref": "a"}, {"ref": "b"}]}
    /// -1-2-3|
    /// ```
    ///
    /// `concurrency` is how many run at the same time; the others wait in order.
    ///
    /// ```marbles
    /// a: -1-|
    /// b: -2-|
    /// {"merge": {"sources": [{"ref": "a"}, {"ref": "b"}], "concurrency": 1}}
    /// -1--2-|
    /// ```
    static let merge = SourceKind(
        "merge",
        [.sources, .count("concurrency", least: 1, isRequired: false)],
        bare: "sources"
    ) { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .merge(sources.map(\.flow), concurrency: stage.optionalCount("concurrency") ?? .max)
    }
}

extension StreamSource {
    /// The values of all streams as they come.
    ///
    /// - Parameter concurrency: how many run at the same time; the others wait in order.
    public static func merge(_ sources: StreamSource..., concurrency: Int? = nil) -> StreamSource {
        .named(
            NamedSource(.merge, ["sources": .sources(sources), "concurrency": concurrency.map { .int($0) }])
        )
    }
}

extension TypedFlow {
    /// The type that the items of all streams have; `dyn` where they differ.
    static func common(_ flows: [TypedFlow]) -> CELType {
        guard let first = flows.first?.item else { return .dyn }
        return flows.allSatisfy { $0.item == first } ? first : .dyn
    }
}
