import SluiceExpressions

extension Flow {
    /// Passes values on as long as `isIncluded` holds; completes at the first for which it does not.
    ///
    /// - Parameters:
    ///   - isInclusive: whether that value is passed on too.
    ///   - onError: what becomes of a value at which `isIncluded` throws.
    ///   - isIncluded: called by the run once for each value until it does not hold.
    @inlinable
    public func prefix(
        inclusive isInclusive: Bool = false,
        onError route: ErrorRoute = .fail,
        while isIncluded: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        prefix(isInclusive, route) { _ in isIncluded }
    }

    @inlinable
    func prefix(
        _ isInclusive: Bool,
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isIncluded = make(scope)
            return sink.receiving { value in
                do {
                    if try isIncluded(value) { return sink.receive(value) }
                } catch {
                    return route.take(error, scope, sink)
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
        [.expression(), .bool("inclusive"), .onError]
    ) { stage in
        stage.input.prefix(
            stage.bool("inclusive", default: false),
            stage.errorRoute,
            stage.expression(.item, answering: .bool).predicate
        )
    }
}

extension Operator {
    /// Passes values on as long as an expression holds, and completes at the first for which it does not: `x` is the
    /// value, `i` its index.
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
    /// - Parameter isInclusive: whether that value is passed on too.
    public static func prefixWhile(
        _ expression: String,
        inclusive isInclusive: Bool = false,
        onError: ErrorRoute = .fail
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
