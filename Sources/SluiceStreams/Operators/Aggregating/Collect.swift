import Sluice
import SluiceExpressions

extension Flow {
    /// Emits all values as one array at the completion; the array is empty without values.
    public func collect() -> Flow<[Value]> {
        lift { scope, sink in
            let values = scope.cell([] as [Value])
            let holding = scope.holding(for: sink.lifetime)
            return sink.receiving {
                let all = values.state
                values.state = []
                holding.removeAll()
                sink.receive(all)
                sink.finish(.completed)
            } _: { value in
                values.state.append(value)
                holding.add(1)
            }
        }
    }

    /// Emits arrays of `count` values, and the remaining values, if any, at the completion.
    ///
    /// - Parameters:
    ///   - count: The number of values in an array, from 1.
    ///   - step: The number of values after which the next array begins, from 1; `count` by default. With a smaller
    ///     step, a value is in several arrays; with a larger one, some values are in none.
    public func collect(_ count: Int, every step: Int? = nil) -> Flow<[Value]> {
        let (count, step) = (Swift.max(1, count), Swift.max(1, step ?? count))
        return lift { scope, sink in
            let run = scope.run
            // The values of the oldest open array, which include those of all open arrays.
            let kept = scope.cell(Deque<Value>())
            let skipping = scope.cell(0)
            let holding = scope.holding(for: sink.lifetime)
            func drop(_ dropped: Int) {
                for _ in 0..<dropped { _ = kept.state.popFirst() }
                holding.add(-dropped)
            }
            // Overlapping arrays take more work to create than was received: a hundred copies count as an event.
            func pass(_ values: [Value]) -> Bool {
                guard !sink.isClosed else { return false }
                for _ in 0...(values.count / 100) { guard run.spend() else { return false } }
                sink.receive(values)
                return true
            }
            return sink.receiving {
                while !kept.state.isEmpty, pass(kept.state.all) { drop(Swift.min(step, kept.state.count)) }
                sink.finish(.completed)
            } _: { value in
                guard skipping.state == 0 else { return skipping.state -= 1 }
                kept.state.append(value)
                holding.add(1)
                guard kept.state.count >= count else { return }
                let values = kept.state.all
                drop(Swift.min(step, count))
                skipping.state = Swift.max(0, step - count)
                _ = pass(values)
            }
        }
    }
}

extension OperatorKind {
    static let collect = OperatorKind(
        "collect",
        synonyms: ["toArray", "bufferCount"],
        summary: "Collects all values; emits them as an array at completion",
        [.count(least: 1, isRequired: false).resetting, .count("every", least: 1, isRequired: false).resetting]
    ) { stage in
        stage.item = .list(stage.item)
        if stage.has("count") {
            return stage.input.collect(stage.count(), every: stage.optionalCount("every")).map { .list($0) }
        }
        if stage.has("every") { stage.note("every", "collect begins a list every so often where it has a count") }
        return stage.input.collect().map { .list($0) }
    }
}

extension Operator {
    /// Emits all values as one list at the completion; the list is empty without values.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"collect": {}}
    /// -------('[1, 2, 3]'|)
    /// ```
    public static let collect = Operator(.collect)

    /// Emits lists of `count` values, from 1, and the remaining values, if any, at the completion.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"collect": {"count": 2}}
    /// ---'[1, 2]'---('[3]'|)
    /// ```
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"collect": {"count": 2, "every": 1}}
    /// ---'[1, 2]'-'[2, 3]'-('[3]'|)
    /// ```
    ///
    /// - Parameters:
    ///   - count: The number of values in an array.
    ///   - step: The number of values after which the next list begins, from 1; `count` by default. With a
    ///     smaller step, a value is in several lists; with a larger one, some values are in none.
    public static func collect(_ count: Int, every step: Int? = nil) -> Operator {
        Operator(.collect, ["count": .int(count), "every": step.map { .int($0) }])
    }
}
