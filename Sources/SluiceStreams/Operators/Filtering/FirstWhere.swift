import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits the first value for which `isWanted` returns `true` and completes; without one, emits `fallback`, or fails
    /// without that.
    ///
    /// - Parameters:
    ///   - fallback: The value to emit when the stream completes without such a value.
    ///   - policy: The treatment of a value for which `isWanted` throws.
    ///   - isWanted: A closure that the run calls once for each value until it returns `true`.
    @inlinable
    public func first(
        default fallback: Value? = nil,
        onError policy: ErrorPolicy = .fail,
        where isWanted: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        first(or: Fallback(fallback, missing: Fallback<Value>.noMatch), policy) { _ in isWanted }
    }

    @inlinable
    func first(
        or fallback: Fallback<Value>,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isWanted = make(scope)
            return sink.receiving(whenCompleted: { fallback.finish(sink) }) { value in
                do { guard try isWanted(value) else { return } } catch { return policy.take(error, scope, sink) }
                sink.receive(value)
                sink.finish(.completed)
            }
        }
    }
}

extension OperatorKind {
    static let firstWhere = OperatorKind(
        "firstWhere",
        synonyms: ["find"],
        summary: "Emits the first value that matches, then completes",
        [.expression(), .value("default", isRequired: false), .onError]
    ) { stage in
        let isWanted = stage.expression(.item, answering: .bool).predicate
        return stage.input.first(
            or: stage.fallback(missing: Fallback<CELValue>.noMatch),
            stage.errorPolicy,
            isWanted
        )
    }
}

extension Operator {
    /// Emits the first value that matches an expression, and completes: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"firstWhere": {"expression": "x > 1"}}
    /// ---(2|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: The expression, in CEL.
    ///   - value: The value to emit when the stream completes without such a value; by default that is an
    ///     error.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func firstWhere(
        _ expression: String,
        default value: JSON? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .firstWhere,
            ["expression": .string(expression), "default": value.map { .json($0) }, "onError": onError.argument]
        )
    }
}
