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
        lift { scope, sink in
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

extension Flow {
    /// Emits the state after each value. If `make`'s function throws, it leaves the state unchanged.
    ///
    /// The function has the only reference to the state, so that a list grows in place.
    func scanning<State: Sendable, Output>(
        updating initialValue: State,
        _ policy: ErrorPolicy,
        _ make: @escaping @Sendable (Scope) -> (inout State, Value) throws -> Void,
        _ result: @escaping @Sendable (State) -> Output?
    ) -> Flow<Output> {
        lift { scope, sink in
            let update = make(scope)
            let cell = scope.cell(initialValue)
            let last = scope.lastItem(of: Value.self)
            return sink.receiving { value in
                last?.state = value
                do {
                    try update(&cell.state, value)
                    if let output = result(cell.state) { sink.receive(output) }
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
        [.value("initialValue", isRequired: false).resetting, .expression(), .onError],
        migrations: .ofScan
    ) {
        stage in
        let initial = stage.optionalValue("initialValue")
        let expression = stage.accumulation(from: initial)
        stage.tries(expression, .accumulation(isOptional: initial == nil))
        let policy = stage.errorPolicy
        guard let initial else {
            return stage.input.scanning(updating: nil, policy, expression.accumulateFromFirst, { $0 })
        }
        return stage.input.scanning(updating: initial, policy, expression.accumulate, { $0 })
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
