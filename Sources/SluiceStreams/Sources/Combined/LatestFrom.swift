import SluiceExpressions

extension Flow {
    /// Gives each value of this stream with the latest ones of others; values that come before all others have given one
    /// are left out.
    ///
    /// The others are subscribed first. Their completions are ignored, their errors are errors of this stream.
    @inlinable public func withLatestFrom<each Other>(
        _ other: repeat Flow<each Other>
    ) -> Flow<(Value, repeat each Other)> {
        let others = (repeat each other)
        return Flow<(Value, repeat each Other)> { [subscribe] scope, sink in
            let rest = (repeat Cell(LatestSide<each Other>()))
            for (flow, side) in repeat (each others, each rest) {
                if sink.isClosed { return }
                flow.subscribe(scope, sink.noting(side))
            }
            if sink.isClosed { return }
            let row = { (value: Value) throws(NothingWaits) in (value, repeat try (each rest).latest()) }
            subscribe(scope, sink.receiving { (value: Value) in if let row = try? row(value) { sink.receive(row) } })
        }
    }

    /// Gives the values of the first stream, each with the latest ones of the others.
    ///
    /// The others are subscribed first. Their completions are ignored, their errors are errors of this stream. Completes
    /// at once for no streams.
    public static func withLatestFrom(_ flows: [Flow]) -> Flow<[Value]> {
        guard let main = flows.first else { return .empty }
        return Flow<[Value]> { scope, sink in
            let row = Cell(LatestRow<Value>(flows.count))
            for (index, flow) in flows.enumerated().dropFirst() {
                guard !sink.isClosed, scope.run.spend() else { return }
                let input = Sink<Value>(
                    lifetime: sink.lifetime.child(),
                    end: { end in if case .failed = end { sink.finish(end) } },
                    receive: { value in row.state.set(value, at: index) }
                )
                flow.subscribe(scope, input)
            }
            if sink.isClosed { return }
            main.subscribe(
                scope,
                sink.receiving { value in
                    guard row.state.lacking <= 1 else { return }
                    row.state.set(value, at: 0)
                    sink.receive(row.state.values)
                }
            )
        }
    }
}

extension Sink {
    /// A sink that notes the latest value and passes errors on.
    @inlinable func noting<Other>(_ side: Cell<LatestSide<Other>>) -> Sink<Other> {
        Sink<Other>(
            lifetime: lifetime.child(),
            end: { end in if case .failed = end { finish(end) } },
            receive: { value in side.state.value = value }
        )
    }
}

extension SourceKind {
    /// The values of the first stream, each with the latest ones of the others: as arrays, or what an expression makes
    /// of them, `a` the first, `b`, … the others.
    ///
    /// ```marbles
    /// a: -1-2--4-|
    /// b: --3-5|
    /// {"withLatestFrom": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// ---5--9-|
    /// ```
    ///
    /// Values of the first that come before all others have given one are left out.
    static let withLatestFrom = SourceKind(
        "withLatestFrom",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.withLatestFrom($0) }
    }
}

extension StreamSource {
    /// The values of the first stream, each with the latest ones of the others: as arrays, or what an expression makes
    /// of them.
    public static func withLatestFrom(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamSource {
        .joined(.withLatestFrom, sources, expression, onError)
    }
}
