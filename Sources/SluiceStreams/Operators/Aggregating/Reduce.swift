import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Emits the result of combining all values one after another with `next`, at the completion.
    ///
    /// - Parameters:
    ///   - initialValue: The initial state, which is also the result without values.
    ///   - policy: The treatment of a value for which `next` throws; the state is unchanged.
    ///   - next: A closure that the run calls once for each value, with the state and the value.
    @inlinable
    public func reduce<State: Sendable>(
        _ initialValue: State,
        onError policy: ErrorPolicy = .fail,
        _ next: @escaping @Sendable (State, Value) throws -> State
    ) -> Flow<State> {
        reducing(initialValue, policy, { _ in next }, { $0 })
    }

    /// Emits `result` of the last state at the completion, unless that is `nil`.
    @inlinable
    func reducing<State: Sendable, Output>(
        _ initialValue: State,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (State, Value) throws -> State,
        _ result: @escaping @Sendable (State) -> Output?
    ) -> Flow<Output> {
        reducing(
            updating: initialValue,
            policy,
            { scope in
                let next = make(scope)
                return { state, value in state = try next(state, value) }
            },
            result
        )
    }

    /// Emits `result` of the last state at the completion, unless that is `nil`. If `make`'s function throws, it leaves the
    /// state unchanged.
    ///
    /// The function has the only reference to the state, so that a list grows in place.
    @inlinable
    func reducing<State: Sendable, Output>(
        updating initialValue: State,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (inout State, Value) throws -> Void,
        _ result: @escaping @Sendable (State) -> Output?
    ) -> Flow<Output> {
        lift { scope, sink in
            let update = make(scope)
            let cell = scope.cell(initialValue)
            let last = scope.lastItem(of: Value.self)
            return sink.receiving {
                if let output = result(cell.state) { sink.receive(output) }
                sink.finish(.completed)
            } _: { value in
                last?.state = value
                do {
                    try update(&cell.state, value)
                } catch {
                    policy.take(error, scope, sink)
                }
            }
        }
    }
}

extension OperatorKind {
    static let reduce = OperatorKind(
        "reduce",
        summary: "Combines all values; emits the result at completion",
        [.value("initialValue", isRequired: false).resetting, .expression(), .onError]
    ) {
        stage in
        let initial = stage.optionalValue("initialValue")
        let expression = stage.accumulation(from: initial)
        stage.tries(expression, .accumulation(isOptional: true))
        return stage.input.reducing(updating: initial, stage.errorPolicy, expression.accumulateFromFirst, { $0 })
    }
}

extension Operator {
    /// Emits the result of combining all values one after another with an expression, at the completion: `acc` is the
    /// result for the values before, `x` the value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"reduce": {"initialValue": 0, "expression": "acc + x"}}
    /// -------(6|)
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: The initial `acc`, which is also the result without values. By default the first value
    ///     is the initial `acc`, and there is no result without values.
    ///   - expression: The expression, in CEL.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func reduce(
        _ initialValue: JSON? = nil,
        _ expression: String,
        onError: ErrorPolicy = .fail
    ) -> Operator {
        Operator(
            .reduce,
            [
                "initialValue": initialValue.map { .json($0) }, "expression": .string(expression),
                "onError": onError.argument,
            ]
        )
    }
}
