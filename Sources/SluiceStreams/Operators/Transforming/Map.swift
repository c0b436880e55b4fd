import SluiceExpressions

extension Flow {
    /// Passes on what `transform` makes of each value.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `transform` throws.
    ///   - transform: called by the run once for each value.
    @inlinable
    public func map<Output>(
        onError route: ErrorRoute = .fail,
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Flow<Output> {
        mapping(route) { _ in transform }
    }

    /// Passes on what a function makes of each value that is made anew for each subscription.
    @inlinable
    func mapping<Output>(
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Output
    ) -> Flow<Output> {
        lift { scope, sink in
            let transform = make(scope)
            return sink.receiving { value in
                do { sink.receive(try transform(value)) } catch { route.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let map = OperatorKind("map", [.expression(), .onError]) { stage in
        let expression = stage.expression(.item)
        stage.item = expression.type
        return stage.input.mapping(stage.errorRoute, expression.transform)
    }
}

extension Operator {
    /// Passes on what an expression makes of each value: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"map": {"expression": "x * 2"}}
    /// -2-4-6-|
    /// ```
    ///
    /// A path, which other libraries have an operator for, is an expression: `x.address.city`, `x.tags[0]`.
    ///
    /// ```marbles
    /// -'{"a": {"b": 5}}'-|
    /// {"map": {"expression": "x.a.b"}}
    /// -5-|
    /// ```
    public static func map(_ expression: String, onError: ErrorRoute = .fail) -> Operator {
        Operator(.map, ["expression": .string(expression), "onError": onError.argument])
    }
}
