import SluiceExpressions

extension Flow where Value: Sendable {
    /// Emits the smallest value at the completion: the first of several, or nothing without values.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `isBefore` throws.
    ///   - isBefore: A closure that the run calls for each value but the first, and that returns whether the first of
    ///     two is smaller.
    @inlinable
    public func min(
        onError policy: ErrorPolicy = .fail,
        by isBefore: @escaping @Sendable (Value, Value) throws -> Bool
    ) -> Flow {
        extreme(policy, { _ in { $0 } }, isBefore)
    }
}

extension Flow where Value: Comparable & Sendable {
    /// Emits the smallest value at the completion: the first of several, or nothing without values.
    @inlinable public func min() -> Flow { min(by: { $0 < $1 }) }
}

extension OperatorKind {
    static let min = OperatorKind(
        "min",
        summary: "Emits the smallest value at completion",
        [.expression(isRequired: false).resetting, .onError]
    ) { stage in stage.extreme(.before) }
}

extension Operator {
    /// Emits the smallest value, in the order of the expression language, at the completion: the first of several, or
    /// nothing without values. Two values without an order, such as a number and a text, are an error.
    ///
    /// ```marbles
    /// -2-1-3-|
    /// {"min": {}}
    /// -------(1|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: An expression whose result is compared in place of the value: `x` is the value, `i` its
    ///     index.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func min(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.min, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
