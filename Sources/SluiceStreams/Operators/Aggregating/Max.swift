import SluiceExpressions

extension Flow where Value: Sendable {
    /// Emits the largest value at the completion: the first of several, or nothing without values.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `isBefore` throws.
    ///   - isBefore: A closure that the run calls for each value but the first, and that returns whether the first of
    ///     two is smaller.
    @inlinable
    public func max(
        onError policy: ErrorPolicy = .fail,
        by isBefore: @escaping @Sendable (Value, Value) throws -> Bool
    ) -> Flow {
        extreme(policy, { _ in { $0 } }, { try isBefore($1, $0) })
    }
}

extension Flow where Value: Comparable & Sendable {
    /// Emits the largest value at the completion: the first of several, or nothing without values.
    @inlinable public func max() -> Flow { max(by: { $0 < $1 }) }
}

extension OperatorKind {
    static let max = OperatorKind(
        "max",
        summary: "Emits the largest value at completion",
        [.expression(isRequired: false).resetting, .onError]
    ) { stage in stage.extreme(.after) }
}

extension Operator {
    /// Emits the largest value, in the order of the expression language, at the completion: the first of several, or
    /// nothing without values. Two values without an order, such as a number and a text, are an error.
    ///
    /// ```marbles
    /// -2-3-1-|
    /// {"max": {}}
    /// -------(3|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: An expression whose result is compared in place of the value: `x` is the value, `i` its
    ///     index.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func max(_ expression: String? = nil, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.max, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
