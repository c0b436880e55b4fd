import SluiceExpressions

extension Flow {
    /// Passes on what `transform` makes of each value, and leaves out `nil`.
    ///
    /// - Parameters:
    ///   - onError: what becomes of a value at which `transform` throws.
    ///   - transform: called by the run once for each value.
    @inlinable
    public func compactMap<Output>(
        onError route: ErrorRoute = .fail,
        _ transform: @escaping @Sendable (Value) throws -> Output?
    ) -> Flow<Output> {
        compactMapping(route) { _ in transform }
    }

    /// As ``compactMap(onError:_:)``, with a function that is made anew for each subscription.
    @inlinable
    func compactMapping<Output>(
        _ route: ErrorRoute,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Output?
    ) -> Flow<Output> {
        lift { scope, sink in
            let transform = make(scope)
            return sink.receiving { value in
                do { if let output = try transform(value) { sink.receive(output) } } catch {
                    route.take(error, scope, sink)
                }
            }
        }
    }
}

extension OperatorKind {
    static let compactMap = OperatorKind("compactMap", [.expression(), .onError]) { stage in
        let expression = stage.nullableExpression()
        stage.item = if case .optional(let type) = expression.type { type } else { expression.type }
        return stage.input.compactMapping(stage.errorRoute) { scope in
            let transform = expression.transform(scope)
            return { value in
                switch try transform(value) {
                case .null: nil
                case .optional(let content): content
                case let output: output
                }
            }
        }
    }
}

extension Operator {
    /// Passes on what an expression makes of each value, and leaves out `null`: `x` is the value, `i` its index.
    ///
    /// An optional of the expression language, such as `x.?name`, is left out when it is empty, and is its value
    /// otherwise.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"compactMap": {"expression": "x == 2 ? null : x * 2"}}
    /// -2---6-|
    /// ```
    public static func compactMap(_ expression: String, onError: ErrorRoute = .fail) -> Operator {
        Operator(.compactMap, ["expression": .string(expression), "onError": onError.argument])
    }
}
