import SluiceExpressions

extension Flow {
    /// Passes on the values for which `isIncluded` holds.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `isIncluded` throws.
    ///   - isIncluded: called by the run once for each value.
    @inlinable
    public func filter(
        onError route: ErrorRoute = .fail,
        _ isIncluded: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        filtering(route) { _ in isIncluded }
    }

    /// Passes on the values for which a predicate holds that is made anew for each subscription.
    @inlinable
    func filtering(
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isIncluded = make(scope)
            return sink.receiving { value in
                do { if try isIncluded(value) { sink.receive(value) } } catch { route.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let filter = OperatorKind("filter", [.expression(), .onError]) { stage in
        stage.input.filtering(stage.errorRoute, stage.expression(.item, answering: .bool).predicate)
    }
}

extension Operator {
    /// Passes on the values for which an expression holds: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-4-|
    /// {"filter": {"expression": "x % 2 == 0"}}
    /// ---2---4-|
    /// ```
    public static func filter(_ expression: String, onError: ErrorRoute = .fail) -> Operator {
        Operator(.filter, ["expression": .string(expression), "onError": onError.argument])
    }
}
