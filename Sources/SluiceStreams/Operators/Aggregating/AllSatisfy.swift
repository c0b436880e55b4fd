import SluiceExpressions

extension Flow {
    /// Passes on `false` and completes at the first value for which `holds` does not hold; `true` at the completion
    /// without one.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `holds` throws.
    ///   - holds: called by the run once for each value until it does not hold.
    @inlinable
    public func allSatisfy(
        onError route: ErrorRoute = .fail,
        _ holds: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow<Bool> {
        answering(false, route) { _ in { try !holds($0) } }
    }
}

extension OperatorKind {
    static let allSatisfy = OperatorKind("allSatisfy", synonyms: ["every", "all"], [.expression(), .onError]) { stage in
        let holds = stage.expression(.item, answering: .bool).predicate
        let route = stage.errorRoute
        stage.item = .bool
        return stage.input.answering(false, route) { scope in
            let holds = holds(scope)
            return { try !holds($0) }
        }.map { .bool($0) }
    }
}

extension Operator {
    /// Passes on `false` and completes at the first value for which an expression does not hold, `true` at the
    /// completion without one: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"allSatisfy": {"expression": "x > 0"}}
    /// -------('true'|)
    /// ```
    public static func allSatisfy(_ expression: String, onError: ErrorRoute = .fail) -> Operator {
        Operator(.allSatisfy, ["expression": .string(expression), "onError": onError.argument])
    }
}
