import Sluice

extension Flow {
    /// Drops the last `count` values: each value waits for `count` later ones.
    public func dropLast(_ count: Int = 1) -> Flow {
        guard count > 0 else { return self }
        return lift { scope, sink in
            let waiting = scope.cell(Deque<Value>())
            let holding = scope.holding(for: sink.lifetime)
            return sink.receiving { value in
                waiting.state.append(value)
                guard waiting.state.count > count else { return holding.add(1) }
                if let oldest = waiting.state.popFirst() { sink.receive(oldest) }
            }
        }
    }
}

extension OperatorKind {
    static let dropLast = OperatorKind(
        "dropLast",
        synonyms: ["skipLast"],
        summary: "Drops the last count values",
        [.count(isRequired: false).resetting]
    ) { stage in
        stage.input.dropLast(stage.count())
    }
}

extension Operator {
    /// Drops the last `count` values: each value waits for `count` later ones.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"dropLast": {"count": 2}}
    /// -----1-|
    /// ```
    public static func dropLast(_ count: Int = 1) -> Operator { Operator(.dropLast, ["count": .int(count)]) }
}
