import SluiceExpressions

extension Flow {
    /// Emits `true` and completes at the first value for which `isWanted` returns `true`; emits `false` at the
    /// completion otherwise.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `isWanted` throws.
    ///   - isWanted: A closure that the run calls once for each value until it returns `true`.
    @inlinable
    public func contains(
        onError policy: ErrorPolicy = .fail,
        where isWanted: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow<Bool> {
        answering(true, policy) { _ in isWanted }
    }

    /// Emits `answer` and completes at the first value for which a predicate is true; emits the opposite at the
    /// completion otherwise.
    @inlinable
    func answering(
        _ answer: Bool,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow<Bool> {
        lift { scope, sink in
            let decides = make(scope)
            func finish(_ answer: Bool) {
                sink.receive(answer)
                sink.finish(.completed)
            }
            return sink.receiving(whenCompleted: { finish(!answer) }) { value in
                do { if try decides(value) { finish(answer) } } catch { policy.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let containsWhere = OperatorKind(
        "containsWhere",
        synonyms: ["some"],
        summary: "Emits true if any value matches, otherwise false",
        [.expression(), .onError]
    ) { stage in
        let isWanted = stage.expression(.item, answering: .bool).predicate
        stage.item = .bool
        return stage.input.answering(true, stage.errorPolicy, isWanted).map { .bool($0) }
    }
}

extension Operator {
    /// Emits `true` and completes at the first value for which an expression is true; emits `false` at the completion
    /// otherwise. `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"containsWhere": {"expression": "x > 1"}}
    /// ---('true'|)
    /// ```
    public static func containsWhere(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.containsWhere, ["expression": .string(expression), "onError": onError.argument])
    }
}
