import Sluice
import SluiceExpressions

extension Flow {
    /// Emits a Boolean value that indicates whether this stream and another emit equal values in the same order, at any
    /// times; then completes.
    ///
    /// Emits `false` as soon as that is known, and `true` when both have completed; fails with the first that fails.
    /// Values that wait for those of the other stream count as held back.
    ///
    /// - Parameters:
    ///   - other: The other stream.
    ///   - areEqual: A closure that the run calls once for each pair.
    public func sequenceEqual<Other>(
        _ other: Flow<Other>,
        by areEqual: @escaping @Sendable (Value, Other) throws -> Bool
    ) -> Flow<Bool> {
        Flow<Bool> { [subscribe] scope, sink in
            let (first, second) = (scope.cell(EqualSide<Value>()), scope.cell(EqualSide<Other>()))
            let holding = scope.holding(for: sink.lifetime)
            func answer(_ isEqual: Bool) {
                sink.receive(isEqual)
                sink.finish(.completed)
            }
            func input<A, B>(
                _ own: Cell<EqualSide<A>>,
                _ others: Cell<EqualSide<B>>,
                _ areEqual: @escaping (A, B) throws -> Bool
            ) -> Sink<A> {
                Sink<A>(
                    lifetime: sink.lifetime.child(),
                    end: { end in
                        guard case .completed = end else { return sink.finish(end) }
                        own.state.isCompleted = true
                        if !others.state.waiting.isEmpty { return answer(false) }
                        if others.state.isCompleted { answer(own.state.waiting.isEmpty) }
                    },
                    receive: { value in
                        guard let waiting = others.state.waiting.popFirst() else {
                            if others.state.isCompleted { return answer(false) }
                            own.state.waiting.append(value)
                            return holding.add(1)
                        }
                        holding.add(-1)
                        do { if try !areEqual(value, waiting) { answer(false) } } catch { sink.finish(.failed(error)) }
                    }
                )
            }
            subscribe(scope, input(first, second, areEqual))
            if !sink.isClosed { other.subscribe(scope, input(second, first) { try areEqual($1, $0) }) }
        }
    }
}

/// The values of one side of a comparison that wait for those of the other.
private struct EqualSide<Value> {
    var waiting = Deque<Value>()
    var isCompleted = false
}

extension EqualSide: SavableState where Value: Savable {
    static var fields: [SavedField<Self>] {
        [
            SavedField("waiting", \.waiting),
            SavedField("isCompleted", \.isCompleted),
        ]
    }
}

extension Flow where Value: Equatable & Sendable {
    /// Emits a Boolean value that indicates whether this stream and another emit equal values in the same order, at any
    /// times; then completes.
    public func sequenceEqual(_ other: Flow) -> Flow<Bool> { sequenceEqual(other) { $0 == $1 } }
}

extension SourceKind {
    /// Emits `true` if two streams emit equal values in the same order, at any times, otherwise `false`; then
    /// completes.
    ///
    /// ```marbles
    /// a: -1-2-|
    /// b: 1-----2|
    /// {"sequenceEqual": [{"ref": "a"}, {"ref": "b"}]}
    /// -------('true'|)
    /// ```
    static let sequenceEqual = SourceKind(
        "sequenceEqual",
        summary: "Compares the values of two streams",
        [.sources],
        bare: "sources"
    ) { stage in
        let sources = stage.sources
        stage.item = .bool
        guard sources.count == 2 else {
            stage.note("sources", "expected two streams, found \(sources.count)")
            return .never
        }
        return sources[0].flow.sequenceEqual(sources[1].flow).map { .bool($0) }
    }
}

extension StreamSource {
    /// Returns a source that emits whether two streams emit equal values in the same order, at any times.
    public static func sequenceEqual(_ first: StreamSource, _ second: StreamSource) -> StreamSource {
        .named(NamedSource(.sequenceEqual, ["sources": .sources([first, second])]))
    }
}
