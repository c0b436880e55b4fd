import SluiceExpressions

extension Flow {
    /// Gives each value of this stream with the latest one of another; values that come before the other has given one
    /// are left out.
    ///
    /// The other is subscribed first. Its completion is ignored, its error is an error of this stream.
    @inlinable public func withLatestFrom<Other>(_ other: Flow<Other>) -> Flow<(Value, Other)> {
        Flow<(Value, Other)> { [subscribe] scope, sink in
            let latest = scope.cell(nil as Other?)
            let noting = Sink<Other>(
                lifetime: sink.lifetime.child(),
                end: { end in if case .failed = end { sink.finish(end) } },
                receive: { value in latest.state = value }
            )
            other.subscribe(scope, noting)
            if sink.isClosed { return }
            let input = sink.receiving { (value: Value) in
                if let other = latest.state { sink.receive((value, other)) }
            }
            subscribe(scope, input)
        }
    }

    /// As ``withLatestFrom(_:)-(Flow<Other>)``, with the latest values of two others.
    @inlinable public func withLatestFrom<B, C>(_ b: Flow<B>, _ c: Flow<C>) -> Flow<(Value, B, C)> {
        withLatestFrom(b).withLatestFrom(c).map { ($0.0, $0.1, $1) }
    }

    /// Gives the values of the first stream, each with the latest ones of the others.
    ///
    /// The others are subscribed first. Their completions are ignored, their errors are errors of this stream. Completes
    /// at once for no streams.
    public static func withLatestFrom(_ flows: [Flow]) -> Flow<[Value]> {
        guard let main = flows.first else { return .empty }
        return Flow<[Value]> { scope, sink in
            let row = scope.cell(LatestRow<Value>(flows.count))
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
