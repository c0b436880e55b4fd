import SluiceExpressions
public import SluiceJSON

extension Flow {
    /// Passes on what `next` makes of each value and of what it made of those before.
    ///
    /// - Parameters:
    ///   - initialValue: what it begins with; it is not passed on.
    ///   - onError: what becomes of a value at which `next` throws; the state stays as it was.
    ///   - next: called by the run once for each value, with the state and the value.
    @inlinable
    public func scan<State: Sendable>(
        _ initialValue: State,
        onError route: ErrorRoute = .fail,
        _ next: @escaping @Sendable (State, Value) throws -> State
    ) -> Flow<State> {
        scanning(initialValue, route) { _ in next }
    }

    @inlinable
    func scanning<State: Sendable>(
        _ initialValue: State,
        _ route: ErrorRoute,
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
                    route.take(error, scope, sink)
                }
            }
        }
    }
}

extension Flow where Value: Sendable {
    /// Passes on what a function makes of each value and of its last result, which is `nil` for the first value.
    func scanning(
        _ route: ErrorRoute,
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
                    route.take(error, scope, sink)
                }
            }
        }
    }
}

extension OperatorKind {
    static let scan = OperatorKind("scan", [.value("initialValue", isRequired: false), .expression(), .onError]) {
        stage in
        let initial = stage.optionalValue("initialValue")
        let expression = stage.accumulation(from: initial)
        stage.tries(expression, .accumulation(isOptional: initial == nil))
        let route = stage.errorRoute
        guard let initial else { return stage.input.scanning(route, expression.accumulateFromFirst) }
        return stage.input.scanning(initial, route, expression.accumulate)
    }
}

extension Operator {
    /// Passes on what an expression makes of each value and of what it made of those before: `acc` is that, `x` the
    /// value, `i` its index.
    ///
    /// ```marbles
    /// -1-2-3-|
    /// {"scan": {"initialValue": 10, "expression": "acc + x"}}
    /// -'11'-'13'-'16'-|
    /// ```
    ///
    /// - Parameter initialValue: what `acc` begins with; it is not passed on. Without it, the first value is that, and
    ///   is passed on as it is.
    public static func scan(_ initialValue: JSON? = nil, _ expression: String, onError: ErrorRoute = .fail) -> Operator
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
