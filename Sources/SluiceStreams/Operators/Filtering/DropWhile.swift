import SluiceExpressions

extension Flow {
    /// Leaves values out as long as `isDropped` holds; passes on all from the first for which it does not.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `isDropped` throws; left out, it does not begin the rest.
    ///   - isDropped: called by the run once for each value until it does not hold.
    @inlinable
    public func drop(
        onError route: ErrorRoute = .fail,
        while isDropped: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        dropping(route) { _ in isDropped }
    }

    @inlinable
    func dropping(
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isDropped = make(scope)
            let hasBegun = scope.cell(false)
            return sink.receiving { value in
                if !hasBegun.state {
                    do {
                        if try isDropped(value) { return }
                    } catch {
                        return route.take(error, scope, sink)
                    }
                    hasBegun.state = true
                }
                sink.receive(value)
            }
        }
    }
}

extension OperatorKind {
    static let dropWhile = OperatorKind("dropWhile", synonyms: ["skipWhile"], [.expression(), .onError]) { stage in
        stage.input.dropping(stage.errorRoute, stage.expression(.item, answering: .bool).predicate)
    }
}

extension Operator {
    /// Leaves values out as long as an expression holds, and passes on all from the first for which it does not: `x` is
    /// the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-1-|
    /// {"dropWhile": {"expression": "x < 3"}}
    /// -----3-1-|
    /// ```
    public static func dropWhile(_ expression: String, onError: ErrorRoute = .fail) -> Operator {
        Operator(.dropWhile, ["expression": .string(expression), "onError": onError.argument])
    }
}
