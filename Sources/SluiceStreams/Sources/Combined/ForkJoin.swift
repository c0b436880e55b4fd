import SluiceExpressions

extension Flow {
    /// Returns a stream of the last values of streams, when all have completed.
    ///
    /// Completes without a value as soon as a stream has completed without a value, and immediately without streams;
    /// fails with the first that fails.
    public static func forkJoin(_ flows: [Flow]) -> Flow<[Value]> {
        Flow<[Value]> { scope, sink in
            if flows.isEmpty { return sink.finish(.completed) }
            let row = scope.cell(LatestRow<Value>(flows.count))
            let running = scope.cell(flows.count)
            for (index, flow) in flows.enumerated() {
                guard !sink.isClosed, scope.run.spend() else { return }
                let hasValue = scope.cell(false)
                let lifetime = sink.lifetime.child()
                let input = Sink<Value>(
                    lifetime: lifetime,
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        // A shared stream is left before the row is emitted.
                        lifetime.close()
                        running.state -= 1
                        guard hasValue.state else { return sink.finish(.completed) }
                        guard running.state == 0 else { return }
                        sink.receive(row.state.values)
                        sink.finish(.completed)
                    },
                    receive: { value in
                        hasValue.state = true
                        row.state.set(value, at: index)
                    }
                )
                flow.subscribe(scope, input)
            }
        }
    }
}

extension SourceKind {
    /// Emits the last values of streams, when all have completed: as an array, or the result of an expression of `a`,
    /// `b`, ….
    ///
    /// ```marbles
    /// a: -1-2-|
    /// b: --3-4--|
    /// {"forkJoin": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// -------(6|)
    /// ```
    ///
    /// Completes without a value as soon as a stream has completed without a value.
    static let forkJoin = SourceKind(
        "forkJoin",
        summary: "Emits the last values of streams when all have completed",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.forkJoin($0) }
    }
}

extension StreamSource {
    /// Returns a source of the last values of streams, when all have completed: as an array, or the result of an
    /// expression.
    public static func forkJoin(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamSource {
        .joined(.forkJoin, sources, expression, onError)
    }
}
