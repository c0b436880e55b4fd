import SluiceExpressions

extension Flow {
    /// Emits the result of `transform` for each value.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `transform` throws.
    ///   - transform: A closure that the run calls once for each value.
    @inlinable
    public func map<Output>(
        onError policy: ErrorPolicy = .fail,
        _ transform: @escaping @Sendable (Value) throws -> Output
    ) -> Flow<Output> {
        mapping(policy) { _ in transform }
    }

    /// Emits the result of a function for each value; the function is created for each subscription.
    @inlinable
    func mapping<Output>(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Output
    ) -> Flow<Output> {
        lift { scope, sink in
            let transform = make(scope)
            return sink.receiving { value in
                do { sink.receive(try transform(value)) } catch { policy.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let map = OperatorKind(
        "map",
        summary: "Replaces each value with the result of an expression",
        [.expression(), .onError]
    ) { stage in
        let expression = stage.expression(.item)
        stage.item = expression.type
        return stage.input.mapping(stage.errorPolicy, expression.transform)
    }
}

extension Operator {
    /// Emits the result of an expression for each value: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"map": {"expression": "x * 2"}}
    /// -2-4-6-|
    /// ```
    ///
    /// A path, for which other libraries have an operator, is an expression: `x.address.city`, `x.tags[0]`.
    ///
    /// ```marbles
    /// -'{"a": {"b": 5}}'-|
    /// {"map": {"expression": "x.a.b"}}
    /// -5-|
    /// ```
    public static func map(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.map, ["expression": .string(expression), "onError": onError.argument])
    }
}
