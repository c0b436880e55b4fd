import SluiceExpressions

extension Flow {
    /// Drops values as long as `isDropped` returns `true`; keeps all values from the first for which it returns
    /// `false`.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `isDropped` throws; dropping it does not end the dropping.
    ///   - isDropped: A closure that the run calls once for each value until it returns `false`.
    @inlinable
    public func drop(
        onError policy: ErrorPolicy = .fail,
        while isDropped: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        dropping(policy) { _ in isDropped }
    }

    @inlinable
    func dropping(
        _ policy: ErrorPolicy,
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
                        return policy.take(error, scope, sink)
                    }
                    hasBegun.state = true
                }
                sink.receive(value)
            }
        }
    }
}

extension OperatorKind {
    static let dropWhile = OperatorKind(
        "dropWhile",
        synonyms: ["skipWhile"],
        summary: "Drops values while they match, then keeps all",
        [.expression(), .onError]
    ) { stage in
        stage.input.dropping(stage.errorPolicy, stage.expression(.item, answering: .bool).predicate)
    }
}

extension Operator {
    /// Drops values as long as an expression is true, and keeps all values from the first for which it is false: `x` is
    /// the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-1-|
    /// {"dropWhile": {"expression": "x < 3"}}
    /// -----3-1-|
    /// ```
    public static func dropWhile(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.dropWhile, ["expression": .string(expression), "onError": onError.argument])
    }
}
