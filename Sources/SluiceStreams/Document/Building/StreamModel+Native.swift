// Native closures. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// The stream with a closure: it runs, and cannot be saved; see ``Flow/map(onError:_:)``.
    public func map<Output>(_ transform: @escaping @Sendable (Value) throws -> Output) -> Flow<Output> {
        flow.map(transform)
    }

    /// The stream with a closure: it runs, and cannot be saved; see ``Flow/filter(onError:_:)``.
    public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Flow<Value> {
        flow.filter(isIncluded)
    }

    /// The stream with a closure: it runs, and cannot be saved; see ``Flow/scan(_:onError:_:)``.
    public func scan<State: Sendable>(
        _ initialValue: State,
        _ next: @escaping @Sendable (State, Value) throws -> State
    ) -> Flow<State> { flow.scan(initialValue, next) }
}
