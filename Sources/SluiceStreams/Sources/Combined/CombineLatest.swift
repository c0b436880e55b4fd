import SluiceExpressions

extension Flow {
    /// Gives the latest values of this stream and of others, whenever one of them gives a value and all have.
    ///
    /// ```swift
    /// let pairs = Flow.values(1, 2).combineLatest(.values("a", "b"))
    /// let texts = pairs.virtualEvents().compactMap { $0.value.map { "\($0)\($1)" } }   // ["2a", "2b"]
    /// ```
    ///
    /// Completes when all have; fails with the first that fails.
    @inlinable public func combineLatest<each Other>(
        _ other: repeat Flow<each Other>
    ) -> Flow<(Value, repeat each Other)> {
        let others = (repeat each other)
        return Flow<(Value, repeat each Other)> { [subscribe] scope, sink in
            let first = Cell(LatestSide<Value>())
            let rest = (repeat Cell(LatestSide<each Other>()))
            var count = 1
            for _ in repeat each rest { count += 1 }
            let latest = Latest<(Value, repeat each Other)>(count, sink) { () throws(NothingWaits) in
                (try first.latest(), repeat try (each rest).latest())
            }
            subscribe(scope, latest.input(first))
            for (flow, side) in repeat (each others, each rest) {
                if sink.isClosed { return }
                flow.subscribe(scope, latest.input(side))
            }
        }
    }

    /// The latest values of streams, whenever one of them gives a value and all have.
    ///
    /// Completes when all have, and at once for no streams; fails with the first that fails.
    public static func combineLatest(_ flows: [Flow]) -> Flow<[Value]> {
        Flow<[Value]> { scope, sink in
            if flows.isEmpty { return sink.finish(.completed) }
            let row = Cell(LatestRow<Value>(flows.count))
            let running = Cell(flows.count)
            for (index, flow) in flows.enumerated() {
                guard !sink.isClosed, scope.run.spend() else { return }
                let input = Sink<Value>(
                    lifetime: sink.lifetime.child(),
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        running.state -= 1
                        if running.state == 0 { sink.finish(.completed) }
                    },
                    receive: { value in
                        row.state.set(value, at: index)
                        if row.state.lacking == 0 { sink.receive(row.state.values) }
                    }
                )
                flow.subscribe(scope, input)
            }
        }
    }
}

/// The latest value of each of several streams.
struct LatestRow<Value> {
    /// The values, in order, when none lacks.
    private(set) var values: [Value] = []
    /// How many streams have given none.
    private(set) var lacking: Int
    private var first: [Value?]

    init(_ count: Int) {
        lacking = count
        first = Array(repeating: nil, count: count)
    }

    /// Sets the latest value of a stream; no memory is taken where nobody keeps ``values``.
    mutating func set(_ value: Value, at index: Int) {
        if lacking == 0 {
            values[index] = value
            return
        }
        if first[index] == nil { lacking -= 1 }
        first[index] = value
        if lacking == 0 {
            values = first.compactMap(\.self)
            first = []
        }
    }
}

/// The latest value of one stream.
@usableFromInline struct LatestSide<Value> {
    @usableFromInline var value: Value?

    @inlinable init() {}
}

/// One subscription of a stream of latest values.
@usableFromInline struct Latest<Row> {
    @usableFromInline let sink: Sink<Row>
    /// How many streams have given no value, and how many run.
    @usableFromInline let state: Cell<(lacking: Int, running: Int)>
    @usableFromInline let row: () throws(NothingWaits) -> Row

    @inlinable init(_ count: Int, _ sink: Sink<Row>, _ row: @escaping () throws(NothingWaits) -> Row) {
        self.sink = sink
        self.row = row
        state = Cell((count, count))
    }

    /// Where the values of a stream go.
    @inlinable func input<Value>(_ side: Cell<LatestSide<Value>>) -> Sink<Value> {
        Sink<Value>(
            lifetime: sink.lifetime.child(),
            end: { end in
                guard case .completed = end else { return sink.finish(end) }
                state.state.running -= 1
                if state.state.running == 0 { sink.finish(.completed) }
            },
            receive: { value in
                if side.state.value == nil { state.state.lacking -= 1 }
                side.state.value = value
                if state.state.lacking == 0, let row = try? row() { sink.receive(row) }
            }
        )
    }
}

extension Cell {
    /// The latest value of a stream that has given one.
    @inlinable func latest<Value>() throws(NothingWaits) -> Value where State == LatestSide<Value> {
        guard let value = state.value else { throw NothingWaits() }
        return value
    }
}

extension SourceKind {
    /// The latest values of streams, whenever one of them gives a value and all have: as arrays, or what an expression
    /// makes of them, `a`, `b`, ….
    ///
    /// ```marbles
    /// a: -1---2-|
    /// b: --3-4----|
    /// {"combineLatest": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// --4-56---|
    /// ```
    ///
    /// Completes when all have.
    static let combineLatest = SourceKind(
        "combineLatest",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.combineLatest($0) }
    }
}

extension StreamSource {
    /// The latest values of streams, whenever one of them gives a value and all have: as arrays, or what an expression
    /// makes of them.
    public static func combineLatest(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamSource {
        .joined(.combineLatest, sources, expression, onError)
    }
}
