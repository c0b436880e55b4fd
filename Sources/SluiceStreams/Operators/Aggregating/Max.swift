import SluiceExpressions

extension Flow where Value: Sendable {
    /// Passes on, at the completion, the largest value; the first of several, none of none.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `isBefore` throws.
    ///   - isBefore: called by the run for each value but the first: whether the first of two is the less.
    @inlinable
    public func max(
        onError route: ErrorRoute = .fail,
        by isBefore: @escaping @Sendable (Value, Value) throws -> Bool
    ) -> Flow {
        extreme(route, { _ in { $0 } }, { try isBefore($1, $0) })
    }
}

extension Flow where Value: Comparable & Sendable {
    /// Passes on, at the completion, the largest value; the first of several, none of none.
    @inlinable public func max() -> Flow { max(by: { $0 < $1 }) }
}

extension OperatorKind {
    static let max = OperatorKind("max", [.expression(isRequired: false), .onError]) { stage in stage.extreme(.after) }
}

extension Operator {
    /// Passes on, at the completion, the largest value, by the order of the expression language; the first of several,
    /// none of none. Two values without an order, such as a number and a text, are an error.
    ///
    /// ```marbles
    /// -2-3-1-|
    /// {"max": {}}
    /// -------(3|)
    /// ```
    ///
    /// - Parameter expression: what is compared in place of the value: `x` is the value, `i` its index.
    public static func max(_ expression: String? = nil, onError: ErrorRoute = .fail) -> Operator {
        Operator(.max, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
