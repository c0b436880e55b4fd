import SluiceExpressions

extension Flow {
    /// Emits the result of `transform` for each value, and drops `nil`.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `transform` throws.
    ///   - transform: A closure that the run calls once for each value.
    @inlinable
    public func compactMap<Output>(
        onError policy: ErrorPolicy = .fail,
        _ transform: @escaping @Sendable (Value) throws -> Output?
    ) -> Flow<Output> {
        compactMapping(policy) { _ in transform }
    }

    /// Implements ``compactMap(onError:_:)``, with a function that is created for each subscription.
    @inlinable
    func compactMapping<Output>(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Output?
    ) -> Flow<Output> {
        lift { scope, sink in
            let transform = make(scope)
            return sink.receiving { value in
                do { if let output = try transform(value) { sink.receive(output) } } catch {
                    policy.take(error, scope, sink)
                }
            }
        }
    }
}

extension OperatorKind {
    static let compactMap = OperatorKind(
        "compactMap",
        summary: "Replaces each value with the result of an expression, and drops null",
        [.expression(), .onError]
    ) { stage in
        let expression = stage.nullableExpression()
        stage.item =
            switch expression.type {
            case .optional(let type): type
            // Nothing is known about the value of an optional.
            case .shape(let shape) where shape.kinds.contains(.optional): .dyn
            case .shape(let shape): CELType.dyn.refined(by: shape.withoutNull)
            case let type: type
            }
        return stage.input.compactMapping(stage.errorPolicy) { scope in
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
    /// Emits the result of an expression for each value, and drops `null`: `x` is the value, `i` its index.
    ///
    /// An optional of the expression language, such as `x.?name`, is dropped if it is empty, and otherwise replaced by
    /// its value.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"compactMap": {"expression": "x == 2 ? null : x * 2"}}
    /// -2---6-|
    /// ```
    public static func compactMap(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.compactMap, ["expression": .string(expression), "onError": onError.argument])
    }
}
