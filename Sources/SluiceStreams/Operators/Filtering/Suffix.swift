import Sluice

extension Flow {
    /// Emits the last `count` values, at the completion.
    public func suffix(_ count: Int) -> Flow {
        guard count > 0 else { return .empty }
        return lift { scope, sink in
            let run = scope.run
            let kept = scope.cell(Deque<Value>())
            let holding = scope.holding(for: sink.lifetime)
            return sink.receiving {
                while !sink.isClosed, run.spend(), let value = kept.state.popFirst() {
                    holding.add(-1)
                    sink.receive(value)
                }
                sink.finish(.completed)
            } _: { value in
                kept.state.append(value)
                if kept.state.count > count { _ = kept.state.popFirst() } else { holding.add(1) }
            }
        }
    }
}

extension OperatorKind {
    static let suffix = OperatorKind(
        "suffix",
        synonyms: ["takeLast"],
        summary: "Keeps the last count values; emits them at completion",
        [.count().resetting]
    ) { stage in
        stage.input.suffix(stage.count())
    }
}

extension Operator {
    /// Emits the last `count` values, at the completion; completes immediately if `count` is 0.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"suffix": {"count": 2}}
    /// -------(23|)
    /// ```
    public static func suffix(_ count: Int) -> Operator { Operator(.suffix, ["count": .int(count)]) }
}
