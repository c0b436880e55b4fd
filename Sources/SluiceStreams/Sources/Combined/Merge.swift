import SluiceExpressions
import SluiceJSON

extension Flow {
    /// Emits the values of this stream and of others as they come; completes when all have completed, and fails with
    /// the first that fails.
    public func merge(with others: Flow...) -> Flow { .merge([self] + others) }

    /// Merges streams: emits their values as they come. Completes when all have completed, and fails with the first
    /// that fails.
    ///
    /// - Parameters:
    ///   - flows: The other streams.
    ///   - concurrency: The maximum number of streams that run at the same time; the others wait in order.
    public static func merge(_ flows: [Flow], concurrency: Int = .max) -> Flow {
        if concurrency < flows.count { return queued(flows, Swift.max(1, concurrency)) }
        return Flow { scope, sink in
            let running = scope.cell(flows.count)
            if flows.isEmpty { sink.finish(.completed) }
            for flow in flows {
                guard !sink.isClosed, scope.run.spend() else { return }
                let lifetime = sink.lifetime.child()
                let input = Sink<Value>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        // A shared stream is left before the completion is passed on.
                        lifetime.close()
                        running.state -= 1
                        if running.state == 0 { sink.finish(.completed) }
                    },
                    receive: sink.receive
                )
                flow.subscribe(scope, input)
            }
        }
    }

    /// Merges streams of which `concurrency` run at the same time.
    private static func queued(_ flows: [Flow], _ concurrency: Int) -> Flow {
        Flow { scope, sink in
            let cell = scope.cell(MergeQueue())
            let isStarting = Cell(false)
            func subscribe(_ index: Int) {
                let lifetime = sink.lifetime.child()
                let input = Sink<Value>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        // A shared stream is left before the next one is subscribed.
                        lifetime.close()
                        cell.state.running -= 1
                        start()
                    },
                    receive: sink.receive
                )
                flows[index].subscribe(scope, input)
            }
            // A loop, because a stream that ends immediately would nest the next one within itself.
            func start() {
                if isStarting.state { return }
                isStarting.state = true
                defer { isStarting.state = false }
                while cell.state.running < concurrency, cell.state.next < flows.count {
                    guard !sink.isClosed, scope.run.spend() else { return }
                    cell.state.running += 1
                    cell.state.next += 1
                    subscribe(cell.state.next - 1)
                }
                if cell.state.running == 0, cell.state.next >= flows.count { sink.finish(.completed) }
            }
            guard scope.isRestoring else { return start() }
            cell.state.next = Swift.min(cell.state.next, flows.count)
            // Streams that have ended have no state, and remain closed.
            isStarting.state = true
            for index in flows.indices.prefix(cell.state.next) { subscribe(index) }
            isStarting.state = false
        }
    }
}

/// The position of a merge with limited concurrency.
private struct MergeQueue {
    /// The index of the next stream to start.
    var next = 0
    var running = 0
}

extension MergeQueue: SavableState {
    static var fields: [SavedField<Self>] { [SavedField("next", \.next), SavedField("running", \.running)] }
}

extension StateMigration {
    /// Returns the step from version 1 of a merge with a concurrency, which was a `flatMap` over the numbers of its
    /// streams.
    ///
    /// Version 1 saved each stream within the one for its number, and so the stages before an operator within the
    /// first.
    ///
    /// - Parameter isOperator: A Boolean value that indicates whether the first stream is the input of an operator.
    static func mergeQueue(isOperator: Bool) -> StateMigration {
        StateMigration { node in
            guard let state = node.states["state"]?.object, state["waiting"] != nil else { return }
            let running = try Int(saved: state["running"] ?? .null)
            let waiting = try [Int](saved: state["waiting"] ?? .null)
            // When all numbers have been emitted, none is left to start; the stage knows the number of its streams.
            let isCompleted = try Bool(saved: state["isCompleted"] ?? .null)
            let next = waiting.first ?? (isCompleted ? Int(Int32.max) : node.inner.last?.number ?? 0)
            node.states = ["state": ["next": next.saved, "running": running.saved]]
            node.children = [:]
            for inner in node.inner {
                for (key, stream) in inner.node.children {
                    if isOperator, inner.item == 0 { node.stages[key] = stream } else { node.children[key] = stream }
                }
                node.shared.merge(inner.node.shared) { first, _ in first }
            }
            node.inner = []
        }
    }
}

extension SourceKind {
    /// Emits the values of all streams as they come; completes when all have completed, and fails with the first that
    /// fails.
    ///
    /// ```marbles
    /// a: -1---3|
    /// b: ---2|
    /// {"merge": [{"ref": "a"}, {"ref": "b"}]}
    /// -1-2-3|
    /// ```
    ///
    /// `concurrency` is the maximum number of streams that run at the same time; the others wait in order.
    ///
    /// ```marbles
    /// a: -1-|
    /// b: -2-|
    /// {"merge": {"sources": [{"ref": "a"}, {"ref": "b"}], "concurrency": 1}}
    /// -1--2-|
    /// ```
    static let merge = SourceKind(
        "merge",
        summary: "Merges the values of all streams as they arrive",
        [.sources, .count("concurrency", least: 1, isRequired: false)],
        bare: "sources",
        migrations: [.mergeQueue(isOperator: false)]
    ) { stage in
        let sources = stage.sources
        stage.item = TypedFlow.common(sources)
        return .merge(sources.map(\.flow), concurrency: stage.optionalCount("concurrency") ?? .max)
    }
}

extension StreamSource {
    /// Returns a source of the values of all streams as they come.
    ///
    /// - Parameters:
    ///   - sources: The other streams.
    ///   - concurrency: The maximum number of streams that run at the same time; the others wait in order.
    public static func merge(_ sources: StreamSource..., concurrency: Int? = nil) -> StreamSource {
        .named(
            NamedSource(.merge, ["sources": .sources(sources), "concurrency": concurrency.map { .int($0) }])
        )
    }
}

extension TypedFlow {
    /// Returns the common type of the items of all streams; `dyn` if they differ.
    static func common(_ flows: [TypedFlow]) -> CELType {
        guard let first = flows.first?.item else { return .dyn }
        return flows.allSatisfy { $0.item == first } ? first : .dyn
    }
}
