import SluiceExpressions
public import SluiceJSON

extension Flow where Value: Sendable {
    /// Emits the last value for which `isWanted` returns `true`, at the completion; without one, emits `fallback`, or
    /// fails without that.
    ///
    /// - Parameters:
    ///   - fallback: The value to emit without such a value.
    ///   - policy: The treatment of a value for which `isWanted` throws.
    ///   - isWanted: A closure that the run calls once for each value.
    @inlinable
    public func last(
        default fallback: Value? = nil,
        onError policy: ErrorPolicy = .fail,
        where isWanted: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        last(or: Fallback(fallback, missing: Fallback<Value>.noMatch), policy) { _ in isWanted }
    }

    @inlinable
    func last(
        or fallback: Fallback<Value>,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isWanted = make(scope)
            let found = scope.cell(nil as Value?)
            return sink.receiving {
                (found.state.map { Fallback.value($0) } ?? fallback).finish(sink)
            } _: { value in
                do { if try isWanted(value) { found.state = value } } catch { policy.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let lastWhere = OperatorKind(
        "lastWhere",
        summary: "Emits the last value that matches, at completion",
        [.expression(), .value("default", isRequired: false), .onError]
    ) { stage in
        let isWanted = stage.expression(.item, answering: .bool).predicate
        return stage.input.last(
            or: stage.fallback(missing: Fallback<CELValue>.noMatch),
            stage.errorPolicy,
            isWanted
        )
    }
}

extension Operator {
    /// Emits the last value that matches an expression, at the completion: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"lastWhere": {"expression": "x < 3"}}
    /// -------(2|)
    /// ```
    ///
    /// - Parameters:
    ///   - expression: The expression, in CEL.
    ///   - value: The value to emit without such a value; by default that is an error.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func lastWhere(
        _ expression: String,
        default value: JSON? = nil,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .lastWhere,
            ["expression": .string(expression), "default": value.map { .json($0) }, "onError": onError.argument]
        )
    }
}
