public import Sluice
import SluiceExpressions

extension Flow {
    /// Pairs the values of this stream with those of another: the first with the first, the second with the second.
    ///
    /// ```swift
    /// let pairs = Flow.values(1, 2, 3).zip(.values("a", "b"))
    /// let texts = pairs.virtualEvents().compactMap { $0.value.map { "\($0)\($1)" } }   // ["1a", "2b"]
    /// ```
    ///
    /// Completes when one has completed and all its values are paired; fails with the first that fails. Values that
    /// wait for those of the other stream count as held back.
    @inlinable public func zip<Other>(_ other: Flow<Other>) -> Flow<(Value, Other)> {
        Flow<(Value, Other)> { [subscribe] scope, sink in
            // Values wait on at most one side.
            let cell = scope.cell(ZipState<Value, Other>())
            let holding = scope.holding(for: sink.lifetime)
            let first = Sink<Value>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.isFirstCompleted = true
                    if cell.state.first.isEmpty { sink.finish(.completed) }
                },
                receive: { value in
                    guard let second = cell.state.second.popFirst() else {
                        cell.state.first.append(value)
                        return holding.add(1)
                    }
                    holding.add(-1)
                    sink.receive((value, second))
                    if cell.state.isSecondCompleted, cell.state.second.isEmpty { sink.finish(.completed) }
                }
            )
            subscribe(scope, first)
            if sink.isClosed { return }
            let second = Sink<Other>(
                lifetime: sink.lifetime.child(),
                end: { end in
                    guard case .completed = end else { return sink.finish(end) }
                    cell.state.isSecondCompleted = true
                    if cell.state.second.isEmpty { sink.finish(.completed) }
                },
                receive: { value in
                    guard let first = cell.state.first.popFirst() else {
                        cell.state.second.append(value)
                        return holding.add(1)
                    }
                    holding.add(-1)
                    sink.receive((first, value))
                    if cell.state.isFirstCompleted, cell.state.first.isEmpty { sink.finish(.completed) }
                }
            )
            other.subscribe(scope, second)
        }
    }

    /// Combines the values of three streams row by row; see ``zip(_:)-(Flow<Other>)``.
    @inlinable public func zip<B, C>(_ b: Flow<B>, _ c: Flow<C>) -> Flow<(Value, B, C)> {
        zip(b).zip(c).map { ($0.0, $0.1, $1) }
    }

    /// Combines the values of four streams row by row; see ``zip(_:)-(Flow<Other>)``.
    @inlinable public func zip<B, C, D>(_ b: Flow<B>, _ c: Flow<C>, _ d: Flow<D>) -> Flow<(Value, B, C, D)> {
        zip(b).zip(c).zip(d).map { ($0.0.0, $0.0.1, $0.1, $1) }
    }

    /// Returns a stream of the values of streams, row by row: first the first value of each, then the second.
    ///
    /// Completes when one has completed and all its values are in rows, and immediately without streams; fails with the
    /// first that fails.
    public static func zip(_ flows: [Flow]) -> Flow<[Value]> {
        Flow<[Value]> { scope, sink in
            if flows.isEmpty { return sink.finish(.completed) }
            let cell = scope.cell(ZipRows<Value>(flows.count))
            let holding = scope.holding(for: sink.lifetime)
            for (index, flow) in flows.enumerated() {
                guard !sink.isClosed, scope.run.spend() else { return }
                let input = Sink<Value>(
                    lifetime: sink.lifetime.child(),
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        if cell.state.complete(index) { sink.finish(.completed) }
                    },
                    receive: { value in
                        guard cell.state.add(value, at: index) else { return holding.add(1) }
                        holding.add(1 - flows.count)
                        sink.receive(cell.state.row)
                        if cell.state.isExhausted { sink.finish(.completed) }
                    }
                )
                flow.subscribe(scope, input)
            }
        }
    }
}

/// The waiting values of a zip of two streams.
@usableFromInline struct ZipState<First, Second> {
    @usableFromInline var first = Deque<First>()
    @usableFromInline var second = Deque<Second>()
    @usableFromInline var isFirstCompleted = false
    @usableFromInline var isSecondCompleted = false

    @inlinable init() {}
}

/// The waiting values of a zip of any number of streams, and the latest row.
struct ZipRows<Value> {
    /// The latest row.
    private(set) var row: [Value] = []
    /// A Boolean value that indicates whether a completed stream has no waiting values.
    private(set) var isExhausted = false
    private var waiting: [Deque<Value>]
    private var isCompleted: [Bool]
    /// The number of streams without waiting values.
    private var lacking: Int

    init(_ count: Int) {
        waiting = Array(repeating: Deque(), count: count)
        isCompleted = Array(repeating: false, count: count)
        lacking = count
    }

    /// Adds a value of a stream; returns `true` if it has completed a row.
    ///
    /// The previous row is overwritten unless it is retained elsewhere.
    mutating func add(_ value: Value, at index: Int) -> Bool {
        if waiting[index].isEmpty { lacking -= 1 }
        waiting[index].append(value)
        guard lacking == 0 else { return false }
        row.removeAll(keepingCapacity: true)
        for index in waiting.indices {
            if let value = waiting[index].popFirst() { row.append(value) }
            guard waiting[index].isEmpty else { continue }
            lacking += 1
            if isCompleted[index] { isExhausted = true }
        }
        return true
    }

    /// Records that a stream has completed; returns `true` if it has no waiting values.
    mutating func complete(_ index: Int) -> Bool {
        isCompleted[index] = true
        return waiting[index].isEmpty
    }
}

extension ZipState: SavableState where First: Savable, Second: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("first", \.first),
            SavedField("second", \.second),
            SavedField("isFirstCompleted", \.isFirstCompleted),
            SavedField("isSecondCompleted", \.isSecondCompleted),
        ]
    }
}

extension ZipRows: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("waiting", \.waiting),
            SavedField("isCompleted", \.isCompleted),
            SavedField("lacking", \.lacking),
        ]
    }

    func fits(_ initial: ZipRows) -> Bool {
        let count = initial.waiting.count
        return waiting.count == count && isCompleted.count == count && lacking == waiting.count(where: \.isEmpty)
    }
}

extension SourceKind {
    /// Emits the values of streams row by row, as arrays, or the result of an expression of `a`, `b`, ….
    ///
    /// ```marbles
    /// a: -1-2-|
    /// b: --3---4--|
    /// {"zip": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// --4---(6|)
    /// ```
    ///
    /// Completes when one has completed and all its values are in rows. Waiting values count as held back.
    static let zip = SourceKind(
        "zip",
        summary: "Combines the values of streams one by one",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.zip($0) }
    }
}

extension Stage {
    /// Returns the stream of the sources and operators that emit rows of values: an array for each row, or the result
    /// of the expression. Sets the type of the items.
    mutating func joined(_ flows: [TypedFlow], _ join: ([Flow<CELValue>]) -> Flow<[CELValue]>) -> Flow<CELValue> {
        let rows = join(flows.map(\.flow))
        let policy = errorPolicy
        guard let expression = optionalExpression(.joined(flows.map(\.item))) else {
            item = .list(TypedFlow.common(flows))
            return rows.map { .list($0) }
        }
        tries(expression, .row)
        item = expression.type
        return rows.mapping(policy, expression.join)
    }
}

extension StreamSource {
    /// Returns a source of the values of streams row by row, as arrays, or the result of an expression.
    public static func zip(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamSource {
        .joined(.zip, sources, expression, onError)
    }

    static func joined(
        _ kind: SourceKind,
        _ sources: [StreamSource],
        _ expression: String?,
        _ onError: ErrorPolicy
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
