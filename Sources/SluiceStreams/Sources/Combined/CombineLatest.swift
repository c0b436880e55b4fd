import SluiceExpressions

extension Flow {
    /// Emits the latest values of this stream and of another whenever one of them emits, once both have emitted.
    ///
    /// ```swift
    /// let pairs = Flow.values(1, 2).combineLatest(.values("a", "b"))
    /// let texts = pairs.virtualEvents().compactMap { $0.value.map { "\($0)\($1)" } }   // ["2a", "2b"]
    /// ```
    ///
    /// Completes when both have completed; fails with the first that fails.
    @inlinable public func combineLatest<Other>(_ other: Flow<Other>) -> Flow<(Value, Other)> {
        Flow<(Value, Other)> { [subscribe] scope, sink in
            let cell = scope.cell(LatestState<Value, Other>())
            let end: (StreamEnd) -> Void = { end in
                guard case .completed = end else { return sink.finish(end) }
                cell.state.running -= 1
                if cell.state.running == 0 { sink.finish(.completed) }
            }
            let first = Sink<Value>(lifetime: sink.lifetime.child(), end: end) { value in
                cell.state.first = value
                if let second = cell.state.second { sink.receive((value, second)) }
            }
            subscribe(scope, first)
            if sink.isClosed { return }
            let second = Sink<Other>(lifetime: sink.lifetime.child(), end: end) { value in
                cell.state.second = value
                if let first = cell.state.first { sink.receive((first, value)) }
            }
            other.subscribe(scope, second)
        }
    }

    /// Emits the latest values of three streams; see ``combineLatest(_:)-(Flow<Other>)``.
    @inlinable public func combineLatest<B, C>(_ b: Flow<B>, _ c: Flow<C>) -> Flow<(Value, B, C)> {
        combineLatest(b).combineLatest(c).map { ($0.0, $0.1, $1) }
    }

    /// Emits the latest values of four streams; see ``combineLatest(_:)-(Flow<Other>)``.
    @inlinable public func combineLatest<B, C, D>(_ b: Flow<B>, _ c: Flow<C>, _ d: Flow<D>) -> Flow<(Value, B, C, D)> {
        combineLatest(b).combineLatest(c).combineLatest(d).map { ($0.0.0, $0.0.1, $0.1, $1) }
    }

    /// Returns a stream of the latest values of streams whenever one of them emits, once all have emitted.
    ///
    /// Completes when all have completed, and immediately without streams; fails with the first that fails.
    public static func combineLatest(_ flows: [Flow]) -> Flow<[Value]> {
        Flow<[Value]> { scope, sink in
            if flows.isEmpty { return sink.finish(.completed) }
            let row = scope.cell(LatestRow<Value>(flows.count))
            let running = scope.cell(flows.count)
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
    /// The values, in order, when none is missing.
    private(set) var values: [Value] = []
    /// The number of streams that have not emitted a value.
    private(set) var lacking: Int
    private var first: [Value?]

    init(_ count: Int) {
        lacking = count
        first = Array(repeating: nil, count: count)
    }

    /// Sets the latest value of a stream; takes no memory unless ``values`` is retained elsewhere.
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

/// The latest values of two streams, and the number of running streams.
@usableFromInline struct LatestState<First, Second> {
    @usableFromInline var first: First?
    @usableFromInline var second: Second?
    @usableFromInline var running = 2

    @inlinable init() {}
}

extension LatestState: SavableState where First: Savable, Second: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("first", \.first),
            SavedField("second", \.second),
            SavedField("running", \.running),
        ]
    }
}

extension LatestRow: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [SavedField("values", \.values), SavedField("lacking", \.lacking), SavedField("first", \.first)]
    }

    func fits(_ initial: LatestRow) -> Bool {
        let count = initial.first.count
        if lacking == 0 { return values.count == count && first.isEmpty }
        return values.isEmpty && first.count == count && first.count { $0 == nil } == lacking
    }
}

extension SourceKind {
    /// Emits the latest values of streams whenever one of them emits, once all have emitted: as arrays, or the result
    /// of an expression of `a`, `b`, ….
    ///
    /// ```marbles
    /// a: -1---2-|
    /// b: --3-4----|
    /// {"combineLatest": {"sources": [{"ref": "a"}, {"ref": "b"}], "expression": "a + b"}}
    /// --4-56---|
    /// ```
    ///
    /// Completes when all have completed.
    static let combineLatest = SourceKind(
        "combineLatest",
        summary: "Combines the latest values of streams whenever one of them emits, once all have",
        [.sources, .expression(isRequired: false), .onError],
        bare: "sources"
    ) { stage in
        stage.joined(stage.sources) { Flow.combineLatest($0) }
    }
}

extension StreamSource {
    /// Returns a source of the latest values of streams whenever one of them emits, once all have emitted: as arrays,
    /// or the result of an expression.
    public static func combineLatest(
        _ sources: StreamSource...,
        expression: String? = nil,
        onError: ErrorPolicy = .fail
    ) -> StreamSource {
        .joined(.combineLatest, sources, expression, onError)
    }
}
