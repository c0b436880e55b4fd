import SluiceExpressions

extension Flow {
    /// Emits each value of this stream with the latest one of another; drops values that come before the other stream
    /// has emitted.
    ///
    /// The other stream is subscribed first. Its completion is ignored; its error fails this stream.
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

    /// Emits each value of this stream with the latest values of two others; see ``withLatestFrom(_:)-(Flow<Other>)``.
    @inlinable public func withLatestFrom<B, C>(_ b: Flow<B>, _ c: Flow<C>) -> Flow<(Value, B, C)> {
        withLatestFrom(b).withLatestFrom(c).map { ($0.0, $0.1, $1) }
    }

    /// Returns a stream of the values of the first stream, each with the latest ones of the others.
    ///
    /// The others are subscribed first. Their completions are ignored; their errors fail the stream. Completes
    /// immediately without streams.
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
    /// Emits the values of the first stream, each with the latest ones of the others: as arrays, or the result of an
    /// expression, in which `a` is the first, `b`, … the others.
    ///
    /// ```marbles
    /// a: -1-2--4-|
    /// b: --3-5|
    /// {"withLatestFrom": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// ---5--9-|
    /// ```
    ///
    /// Drops values of the first stream that come before all others have emitted.
    static let withLatestFrom = SourceKind(
        "withLatestFrom",
        summary: "Combines each value of the first stream with the latest ones of the others",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.withLatestFrom($0) }
    }
}

extension StreamSource {
    /// Returns a source of the values of the first stream, each with the latest ones of the others: as arrays, or the
    /// result of an expression.
    public static func withLatestFrom(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamSource {
        .joined(.withLatestFrom, sources, expression, onError)
    }
}
