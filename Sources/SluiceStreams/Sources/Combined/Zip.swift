import SluiceExpressions

extension Flow {
    /// Pairs the values of this stream with those of others: the first with the first, the second with the second.
    ///
    /// ```swift
    /// let pairs = Flow.values(1, 2, 3).zip(.values("a", "b"))
    /// let texts = pairs.virtualEvents().compactMap { $0.value.map { "\($0)\($1)" } }   // ["1a", "2b"]
    /// ```
    ///
    /// Completes when one has completed whose values are all paired; fails with the first that fails. Values that wait
    /// for the others count as held back.
    @inlinable public func zip<each Other>(_ other: repeat Flow<each Other>) -> Flow<(Value, repeat each Other)> {
        let others = (repeat each other)
        return Flow<(Value, repeat each Other)> { [subscribe] scope, sink in
            let first = Cell(ZipSide<Value>())
            let rest = (repeat Cell(ZipSide<each Other>()))
            var count = 1
            for _ in repeat each rest { count += 1 }
            let zip = Zip<(Value, repeat each Other)>(count, scope, sink) { state throws(NothingWaits) in
                (try first.take(state), repeat try (each rest).take(state))
            }
            subscribe(scope, zip.input(first))
            for (flow, side) in repeat (each others, each rest) {
                if sink.isClosed { return }
                flow.subscribe(scope, zip.input(side))
            }
        }
    }

    /// The values of streams, row by row: of each the first, of each the second.
    ///
    /// Completes when one has completed whose values are all in rows, and at once for no streams; fails with the first
    /// that fails.
    public static func zip(_ flows: [Flow]) -> Flow<[Value]> {
        Flow<[Value]> { scope, sink in
            if flows.isEmpty { return sink.finish(.completed) }
            let sides = flows.map { _ in Cell(ZipSide<Value>()) }
            let row = Cell<[Value]>([])
            let zip = Zip<[Value]>(flows.count, scope, sink) { state throws(NothingWaits) in
                // The row before is written over unless somebody keeps it.
                row.state.removeAll(keepingCapacity: true)
                for side in sides { row.state.append(try side.take(state)) }
                return row.state
            }
            for (flow, side) in Swift.zip(flows, sides) {
                guard !sink.isClosed, scope.run.spend() else { return }
                flow.subscribe(scope, zip.input(side))
            }
        }
    }
}

/// What waits on one side of a zip.
@usableFromInline struct ZipSide<Value> {
    @usableFromInline var waiting = FIFO<Value>()
    @usableFromInline var isCompleted = false

    @inlinable init() {}
}

/// What all sides of a zip have in common.
@usableFromInline struct ZipState {
    /// On how many sides nothing waits.
    @usableFromInline var lacking: Int
    /// Whether nothing waits on a side that has completed.
    @usableFromInline var isExhausted = false

    @inlinable init(lacking: Int) { self.lacking = lacking }
}

/// Thrown where a value was to be taken and none waits: rows are made only when one waits on each side.
@usableFromInline struct NothingWaits: Error {
    @inlinable init() {}
}

extension Cell {
    /// Takes the oldest value that waits on a side.
    @inlinable func take<Value>(_ zip: Cell<ZipState>) throws(NothingWaits) -> Value where State == ZipSide<Value> {
        guard let value = state.waiting.popFirst() else { throw NothingWaits() }
        if state.waiting.isEmpty {
            zip.state.lacking += 1
            if state.isCompleted { zip.state.isExhausted = true }
        }
        return value
    }
}

/// One subscription of a zip.
@usableFromInline struct Zip<Row> {
    @usableFromInline let sink: Sink<Row>
    @usableFromInline let count: Int
    @usableFromInline let holding: Holding
    @usableFromInline let state: Cell<ZipState>
    @usableFromInline let take: (Cell<ZipState>) throws(NothingWaits) -> Row

    /// Makes one of `count` sides; `take` takes a value of each.
    @inlinable init(
        _ count: Int,
        _ scope: Scope,
        _ sink: Sink<Row>,
        _ take: @escaping (Cell<ZipState>) throws(NothingWaits) -> Row
    ) {
        self.sink = sink
        self.count = count
        self.take = take
        holding = scope.run.holding(for: sink.lifetime)
        state = Cell(ZipState(lacking: count))
    }

    /// Where the values of a side go.
    @inlinable func input<Value>(_ side: Cell<ZipSide<Value>>) -> Sink<Value> {
        Sink<Value>(
            lifetime: sink.lifetime.child(),
            end: { end in
                guard case .completed = end else { return sink.finish(end) }
                side.state.isCompleted = true
                if side.state.waiting.isEmpty { sink.finish(.completed) }
            },
            receive: { value in
                side.state.waiting.append(value)
                if side.state.waiting.count == 1 { state.state.lacking -= 1 }
                guard state.state.lacking == 0, let row = try? take(state) else { return holding.add(1) }
                holding.add(1 - count)
                sink.receive(row)
                if state.state.isExhausted { sink.finish(.completed) }
            }
        )
    }
}

extension SourceKind {
    /// The values of streams row by row, as arrays, or what an expression makes of them: `a`, `b`, … are the values.
    ///
    /// ```marbles
    /// a: -1-2-3-|
    /// b: --3---4--|
    /// {"zip": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// --4---6|
    /// ```
    ///
    /// Completes when one has completed whose values are all in rows. Values that wait count as held back.
    static let zip = SourceKind(
        "zip",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.zip($0) }
    }
}

extension Stage {
    /// What the sources and operators that make rows of values have in common: an array for each row, or what the
    /// expression makes of it. Sets the type of the items.
    mutating func joined(_ flows: [TypedFlow], _ join: ([Flow<CELValue>]) -> Flow<[CELValue]>) -> Flow<CELValue> {
        let rows = join(flows.map(\.flow))
        let route = errorRoute
        guard let expression = optionalExpression(.joined(flows.map(\.item))) else {
            item = .list(TypedFlow.common(flows))
            return rows.map { .list($0) }
        }
        item = expression.type
        return rows.mapping(route, expression.join)
    }
}

extension StreamSource {
    /// The values of streams row by row, as arrays, or what an expression makes of them.
    public static func zip(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorRoute = .fail
    ) -> StreamSource {
        .joined(.zip, sources, expression, onError)
    }

    static func joined(
        _ kind: SourceKind,
        _ sources: [StreamSource],
        _ expression: String?,
        _ onError: ErrorRoute
    ) -> StreamSource {
        .named(
            NamedSource(
                kind,
                [
                    "sources": .sources(sources), "expression": expression.map { .string($0) },
                    "onError": onError.argument,
                ]
            )
        )
    }
}
