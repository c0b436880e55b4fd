import SluiceExpressions

extension Flow {
    /// Emits the index, from 0, of the first value for which `isWanted` returns `true`, and completes; emits −1 without
    /// such a value.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `isWanted` throws; it counts for the index nevertheless.
    ///   - isWanted: A closure that the run calls once for each value until it returns `true`.
    @inlinable
    public func firstIndex(
        onError policy: ErrorPolicy = .fail,
        where isWanted: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow<Int> {
        firstIndex(policy) { _ in isWanted }
    }

    @inlinable
    func firstIndex(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow<Int> {
        lift { scope, sink in
            let isWanted = make(scope)
            let next = scope.cell(0)
            func finish(_ index: Int) {
                sink.receive(index)
                sink.finish(.completed)
            }
            return sink.receiving(whenCompleted: { finish(-1) }) { value in
                let index = next.state
                next.state = index + 1
                do { if try isWanted(value) { finish(index) } } catch { policy.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let firstIndexWhere = OperatorKind(
        "firstIndexWhere",
        synonyms: ["findIndex"],
        summary: "Emits the index of the first value that matches, then completes",
        [.expression(), .onError]
    ) { stage in
        let isWanted = stage.expression(.item, answering: .bool).predicate
        stage.item = .int
        return stage.input.firstIndex(stage.errorPolicy, isWanted).map { .int(Int64($0)) }
    }
}

extension Operator {
    /// Emits the index, from 0, of the first value that matches an expression, and completes; emits `-1` without such a
    /// value. `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -5-6-7-|
    /// {"firstIndexWhere": {"expression": "x % 2 == 0"}}
    /// ---(1|)
    /// ```
    public static func firstIndexWhere(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.firstIndexWhere, ["expression": .string(expression), "onError": onError.argument])
    }
}
