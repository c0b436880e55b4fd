import SluiceExpressions

extension Flow where Value: Sendable {
    /// Passes on, at the completion, the least value; the first of several, none of none.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `isBefore` throws.
    ///   - isBefore: called by the run for each value but the first: whether the first of two is the less.
    @inlinable
    public func min(
        onError route: ErrorRoute = .fail,
        by isBefore: @escaping @Sendable (Value, Value) throws -> Bool
    ) -> Flow {
        extreme(route, { _ in { $0 } }, isBefore)
    }
}

extension Flow where Value: Comparable & Sendable {
    /// Passes on, at the completion, the least value; the first of several, none of none.
    @inlinable public func min() -> Flow { min(by: { $0 < $1 }) }
}

extension OperatorKind {
    static let min = OperatorKind("min", [.expression(isRequired: false), .onError]) { stage in stage.extreme(.before) }
}

extension Operator {
    /// Passes on, at the completion, the least value, by the order of the expression language; the first of several,
    /// none of none. Two values without an order, such as a number and a text, are an error.
    ///
    /// ```marbles
    /// -2-1-3-|
    /// {"min": {}}
    /// -------(1|)
    /// ```
    ///
    /// - Parameter expression: what is compared in place of the value: `x` is the value, `i` its index.
    public static func min(_ expression: String? = nil, onError: ErrorRoute = .fail) -> Operator {
        Operator(.min, ["expression": expression.map { .string($0) }, "onError": onError.argument])
    }
}
