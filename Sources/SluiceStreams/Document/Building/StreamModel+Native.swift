// Native closures. Each operator is described at the factory of its name on ``Operator``.

extension StreamModel {
    /// Returns the stream with its values transformed by a closure; it can run but not be saved. See
    /// ``Flow/map(onError:_:)``.
    public func map<Output>(_ transform: @escaping @Sendable (Value) throws -> Output) -> Flow<Output> {
        flow.map(transform)
    }

    /// Returns the stream with its values filtered by a closure; it can run but not be saved. See
    /// ``Flow/filter(onError:_:)``.
    public func filter(_ isIncluded: @escaping @Sendable (Value) throws -> Bool) -> Flow<Value> {
        flow.filter(isIncluded)
    }

    /// Returns the stream with its values accumulated by a closure; it can run but not be saved. See
    /// ``Flow/scan(_:onError:_:)``.
    public func scan<State: Sendable>(
        _ initialValue: State,
        _ next: @escaping @Sendable (State, Value) throws -> State
    ) -> Flow<State> { flow.scan(initialValue, next) }
}
