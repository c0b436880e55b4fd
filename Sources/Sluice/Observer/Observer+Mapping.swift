public import Dispatch

extension Observer {
    /// Returns an observer of this call's value, transformed by `body`.
    ///
    /// ```swift
    /// let text: Observer<String> = Doubler().start(4).map { "\($0)" }  // "8"
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once; see ``Observer`` for where. An error that it throws is the error of the
    ///     result.
    /// - Returns: A derived observer; errors and cancellation pass through it.
    public func map<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Value) throws -> T
    ) -> Observer<T> {
        derive(isolation) { outcome, derived, executor in
            switch outcome {
            case .value(let value): derived.end(Outcome { try body(known(value)) }, from: executor)
            case .error(let error): derived.end(.error(error), from: executor)
            case .canceled: derived.end(.canceled, from: executor)
            }
        }
    }

    /// Returns an observer of the call that `body` starts with this call's value.
    ///
    /// ```swift
    /// let length = user.map { files.start($0.photo) }.map { $0.count }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once; see ``Observer`` for where. An error that it throws is the error of the
    ///     result.
    /// - Returns: A derived observer, which is a branch of the call that `body` starts, so that cancellation reaches
    ///   that call too.
    public func map<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Value) throws -> Observer<T>
    ) -> Observer<T> {
        derive(isolation) { outcome, derived, executor in
            switch outcome {
            case .value(let value): derived.follow(from: executor) { try body(known(value)) }
            case .error(let error): derived.end(.error(error), from: executor)
            case .canceled: derived.end(.canceled, from: executor)
            }
        }
    }

    /// Returns an observer whose error is transformed by `body`: ``mapError(isolation:_:)`` in the spelling of the
    /// seed.
    ///
    /// If `body` could also take a value, the compiler chooses the `map` of values.
    @_disfavoredOverload
    public func map(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) -> any Error
    ) -> Observer<Value> {
        mapError(body)
    }

    /// Returns an observer whose error is transformed by `body`.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once, with an error, not for cancellation. See ``Observer`` for where.
    public func mapError(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) -> any Error
    ) -> Observer<Value> {
        derive(isolation) { outcome, derived, executor in
            guard case .error(let error) = outcome else { return derived.end(outcome, from: executor) }
            derived.end(.error(body(error)), from: executor)
        }
    }

    /// Returns an observer that continues with the call that `body` starts if this call ends with an error.
    ///
    /// ```swift
    /// let user = users.start("ada").recover { _ in backup.start("ada") }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once, with an error, not for cancellation. See ``Observer`` for where. An error
    ///     that it throws is the error of the result.
    public func recover(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) throws -> Observer<Value>
    ) -> Observer<Value> {
        derive(isolation) { outcome, derived, executor in
            guard case .error(let error) = outcome else { return derived.end(outcome, from: executor) }
            derived.follow(from: executor) { try body(error) }
        }
    }

    /// Returns an observer of the elements of this call's array for which `body` returns `true`.
    ///
    /// ```swift
    /// let adults = everybody.filter { $0.age >= 18 }  // Observer<[Person]>
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called once for each element; see ``Observer`` for where. An error that it throws is the error
    ///     of the result.
    /// - Complexity: O(*n*) calls.
    public func filter<Element>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Element) throws -> Bool
    ) -> Observer<[Element]> where Value == [Element] {
        map { try $0.filter(body) }
    }

    /// Returns an observer of the same end that runs its bodies, and those of all observers derived from it, on `queue`
    /// unless they are declared on an actor.
    ///
    /// ```swift
    /// observer.dispatch(on: .global()).map { render($0) }.dispatch(on: .main).onCompleted { show($0) }
    /// ```
    ///
    /// The ``CallContext`` is kept.
    public func dispatch(on queue: DispatchQueue) -> Observer<Value> {
        derive(on: .queue(queue), bodyExecutor: .queue(queue)) { $1.end($0, from: $2) }
    }
}

extension Observer {
    /// Returns an observer that waits for this one's end and passes it through `body`.
    func derive<T: Sendable>(
        _ isolation: (any Actor)?,
        _ body: @escaping (Outcome, Observer<T>, BodyExecutor) -> Void
    ) -> Observer<T> {
        derive(on: executor, bodyExecutor: BodyExecutor(isolation: isolation, else: executor), isolation, body)
    }

    /// Returns an observer that waits for this one's end and passes it through `body`.
    ///
    /// - Parameters:
    ///   - executor: The place where its own bodies run unless they are declared on an actor.
    ///   - bodyExecutor: The place where `body` runs.
    func derive<T: Sendable>(
        on executor: BodyExecutor,
        bodyExecutor: BodyExecutor,
        _ isolation: (any Actor)? = nil,
        _ body: @escaping (Outcome, Observer<T>, BodyExecutor) -> Void
    ) -> Observer<T> {
        let context = derivedContext
        let derived = Observer<T>(executor: executor, callContext: context, isRoot: false)
        let current = BodyExecutor(isolation: isolation, else: .anyThread)
        let id = listen(as: .branch, on: bodyExecutor, from: current, resolving: derived) { outcome, executor in
            // The derived observer may have been canceled during the hop: then its body is not called.
            if !executor.isAnyThread, !derived.isPending { return }
            withCallContext(context) { body(outcome, derived, executor) }
        }
        if let id { derived.whenEnded { [weak self] in self?.leave(id) } }
        return derived
    }

    /// The context of an observer that is derived here: the current context, or outside of any, that of this observer.
    var derivedContext: CallContext {
        let current = CallContext.current
        return current.isEmpty ? callContext : current
    }

    /// Ends as the call that `start` returns, and becomes a branch of that call.
    func follow(from executor: BodyExecutor, _ start: () throws -> Observer<Value>) {
        do {
            let call = try start()
            let id = call.listen(as: .branch, on: .anyThread, from: executor, resolving: self) {
                self.end($0, from: $1)
            }
            if let id { whenEnded { [weak call] in call?.leave(id) } }
        } catch {
            end(.error(error), from: executor)
        }
    }
}
