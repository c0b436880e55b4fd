import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Emits the result of `next` for each value and the previous result.
    ///
    /// - Parameters:
    ///   - initialValue: The initial result, which is not emitted.
    ///   - policy: The treatment of a value for which `next` throws; the state is unchanged.
    ///   - next: A closure that the run calls once for each value, with the state and the value.
    @inlinable
    public func scan<State: Sendable>(
        _ initialValue: State,
        onError policy: ErrorPolicy = .fail,
        _ next: @escaping @Sendable (State, Value) throws -> State
    ) -> Flow<State> {
        scanning(initialValue, policy) { _ in next }
    }

    @inlinable
    func scanning<State: Sendable>(
        _ initialValue: State,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (State, Value) throws -> State
    ) -> Flow<State> {
        lift { scope, sink in
            let next = make(scope)
            let cell = scope.cell(initialValue)
            let last = scope.lastItem(of: Value.self)
            return sink.receiving { value in
                last?.state = value
                do {
                    let state = try next(cell.state, value)
                    cell.state = state
                    sink.receive(state)
                } catch {
                    policy.take(error, scope, sink)
                }
            }
        }
    }
}

extension Flow where Value: Sendable {
    /// Emits the result of a function for each value and the previous result, which is `nil` for the first value.
    func scanning(
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (Value?, Value) throws -> Value
    ) -> Flow {
        lift { scope, sink in
            let next = make(scope)
            let cell = scope.cell(nil as Value?)
            let last = scope.lastItem(of: Value.self)
            return sink.receiving { value in
                last?.state = value
                do {
                    let state = try next(cell.state, value)
                    cell.state = state
                    sink.receive(state)
                } catch {
                    policy.take(error, scope, sink)
                }
            }
        }
    }
}

extension OperatorKind {
    static let scan = OperatorKind(
        "scan",
        summary: "Emits a running result for each value",
        [.value("initialValue", isRequired: false).resetting, .expression(), .onError]
    ) {
        stage in
        let initial = stage.optionalValue("initialValue")
        let expression = stage.accumulation(from: initial)
        stage.tries(expression, .accumulation(isOptional: initial == nil))
        let policy = stage.errorPolicy
        guard let initial else { return stage.input.scanning(policy, expression.accumulateFromFirst) }
        return stage.input.scanning(initial, policy, expression.accumulate)
    }
}

extension Operator {
    /// Emits the result of an expression for each value and the previous result: `acc` is the previous result, `x` the
    /// value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"scan": {"initialValue": 10, "expression": "acc + x"}}
    /// -'11'-'13'-'16'-|
    /// ```
    ///
    /// - Parameters:
    ///   - initialValue: The initial `acc`, which is not emitted. By default the first value is the initial
    ///     `acc`, and is emitted unchanged.
    ///   - expression: The expression, in CEL.
    ///   - onError: The treatment of a value for which the expression fails.
    public static func scan(_ initialValue: JSON? = nil, _ expression: String, onError: ErrorPolicy = .fail) -> Operator
    {
        Operator(
            .scan,
            [
                "initialValue": initialValue.map { .json($0) }, "expression": .string(expression),
                "onError": onError.argument,
            ]
        )
    }
}
