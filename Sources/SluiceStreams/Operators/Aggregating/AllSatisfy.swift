import SluiceExpressions

extension Flow {
    /// Emits `false` and completes at the first value for which `holds` returns `false`; emits `true` at the completion
    /// otherwise.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `holds` throws.
    ///   - holds: A closure that the run calls once for each value until it returns `false`.
    @inlinable
    public func allSatisfy(
        onError policy: ErrorPolicy = .fail,
        _ holds: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow<Bool> {
        answering(false, policy) { _ in { try !holds($0) } }
    }
}

extension OperatorKind {
    static let allSatisfy = OperatorKind(
        "allSatisfy",
        synonyms: ["every", "all"],
        summary: "Emits true if all values match, otherwise false",
        [.expression(), .onError]
    ) { stage in
        let holds = stage.expression(.item, answering: .bool).predicate
        let policy = stage.errorPolicy
        stage.item = .bool
        return stage.input.answering(false, policy) { scope in
            let holds = holds(scope)
            return { try !holds($0) }
        }.map { .bool($0) }
    }
}

extension Operator {
    /// Emits `false` and completes at the first value for which an expression is false; emits `true` at the completion
    /// otherwise. `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"allSatisfy": {"expression": "x > 0"}}
    /// -------('true'|)
    /// ```
    public static func allSatisfy(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.allSatisfy, ["expression": .string(expression), "onError": onError.argument])
    }
}
