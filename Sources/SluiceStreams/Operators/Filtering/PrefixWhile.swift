import SluiceExpressions

extension Flow {
    /// Keeps values as long as `isIncluded` returns `true`; completes at the first value for which it returns `false`.
    ///
    /// - Parameters:
    ///   - isInclusive: A Boolean value that indicates whether that value is emitted too.
    ///   - policy: The treatment of a value for which `isIncluded` throws.
    ///   - isIncluded: A closure that the run calls once for each value until it returns `false`.
    @inlinable
    public func prefix(
        inclusive isInclusive: Bool = false,
        onError policy: ErrorPolicy = .fail,
        while isIncluded: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        prefix(isInclusive, policy) { _ in isIncluded }
    }

    @inlinable
    func prefix(
        _ isInclusive: Bool,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isIncluded = make(scope)
            return sink.receiving { value in
                do {
                    if try isIncluded(value) { return sink.receive(value) }
                } catch {
                    return policy.take(error, scope, sink)
                }
                if isInclusive { sink.receive(value) }
                sink.finish(.completed)
            }
        }
    }
}

extension OperatorKind {
    static let prefixWhile = OperatorKind(
        "prefixWhile",
        synonyms: ["takeWhile"],
        summary: "Keeps values while they match, then completes",
        [.expression(), .bool("inclusive"), .onError]
    ) { stage in
        stage.input.prefix(
            stage.bool("inclusive", default: false),
            stage.errorPolicy,
            stage.expression(.item, answering: .bool).predicate
        )
    }
}

extension Operator {
    /// Keeps values as long as an expression is true, and completes at the first value for which it is false: `x` is
    /// the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-1-|
    /// {"prefixWhile": {"expression": "x < 3"}}
    /// -1-2-|
    /// ```
    ///
    /// ```marbles
    /// -1-2-3-1-|
    /// {"prefixWhile": {"expression": "x < 3", "inclusive": true}}
    /// -1-2-(3|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: The expression, in CEL.
    ///   - isInclusive: A Boolean value that indicates whether that value is emitted too.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func prefixWhile(
        _ expression: String,
        inclusive isInclusive: Bool = false,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .prefixWhile,
            [
                "expression": .string(expression), "inclusive": isInclusive ? .bool(true) : nil,
                "onError": onError.argument,
            ]
        )
    }
}
