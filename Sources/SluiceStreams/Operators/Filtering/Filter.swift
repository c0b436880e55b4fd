import SluiceExpressions

extension Flow {
    /// Keeps the values for which `isIncluded` returns `true`.
    ///
    /// - Parameters:
    ///   - policy: The treatment of a value for which `isIncluded` throws.
    ///   - isIncluded: A closure that the run calls once for each value.
    @inlinable
    public func filter(
        onError policy: ErrorPolicy = .fail,
        _ isIncluded: @escaping @Sendable (Value) throws -> Bool
    ) -> Flow {
        filtering(policy) { _ in isIncluded }
    }

    /// Keeps the values that match a predicate, which is created for each subscription.
    @inlinable
    func filtering(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value) throws -> Bool
    ) -> Flow {
        lift { scope, sink in
            let isIncluded = make(scope)
            return sink.receiving { value in
                do { if try isIncluded(value) { sink.receive(value) } } catch { policy.take(error, scope, sink) }
            }
        }
    }
}

extension OperatorKind {
    static let filter = OperatorKind("filter", summary: "Keeps the values that match", [.expression(), .onError]) {
        stage in
        stage.input.filtering(stage.errorPolicy, stage.expression(.item, answering: .bool).predicate)
    }
}

extension Operator {
    /// Keeps the values that match an expression: `x` is the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-4-|
    /// {"filter": {"expression": "x % 2 == 0"}}
    /// ---2---4-|
    /// ```
    public static func filter(_ expression: String, onError: ErrorPolicy = .fail) -> Operator {
        Operator(.filter, ["expression": .string(expression), "onError": onError.argument])
    }
}
