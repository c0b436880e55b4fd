import SluiceExpressions

extension Flow {
    /// The values of all streams as they come; completes when all have, fails with the first that fails.
    static func merged(_ flows: [Flow]) -> Flow {
        Flow { scope, sink in
            let running = Cell(flows.count)
            if flows.isEmpty { sink.finish(.completed) }
            for flow in flows {
                guard !sink.isClosed else { return }
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
    static let merge = SourceKind("merge", [.sources], bare: "sources") { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .merged(sources.map(\.flow))
    }
}

extension TypedFlow {
    /// The type that the items of all streams have; `dyn` where they differ.
    static func common(_ flows: [TypedFlow]) -> CELType {
        guard let first = flows.first?.item else { return .dyn }
        return flows.allSatisfy { $0.item == first } ? first : .dyn
    }
}
