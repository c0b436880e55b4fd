extension Observer {
    /// Calls `body` with the value, if the call ends with one.
    ///
    /// ```swift
    /// observer.onCompleted { show($0) }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once, on the actor on which it is declared; see ``Observer`` for other cases.
    /// - Returns: This observer, for the next listener.
    @discardableResult
    public func onCompleted(isolation: isolated (any Actor)? = #isolation, _ body: @escaping (Value) -> Void) -> Self {
        addListener(isolation, as: .listener) { outcome, _ in if case .value(let value) = outcome { body(known(value)) }
        }
    }

    /// Calls `body` with the error, if the call ends with one. Cancellation is not an error: see
    /// ``onCanceled(isolation:_:)``.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once, in the same place as the body of ``onCompleted(isolation:_:)``.
    @discardableResult
    public func onError(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) -> Void
    ) -> Self {
        addListener(isolation, as: .listener) { outcome, _ in if case .error(let error) = outcome { body(error) } }
    }

    /// Calls `body` if the call is canceled, or if the listeners of this observer are detached by ``cancel()``.
    ///
    /// The author of a ``Context`` registers the code that stops the work here. This listener alone does not keep the
    /// work running.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called at most once, in the same place as the body of ``onCompleted(isolation:_:)``.
    @discardableResult
    public func onCanceled(isolation: isolated (any Actor)? = #isolation, _ body: @escaping () -> Void) -> Self {
        addListener(isolation, as: .cancelListener) { outcome, _ in if case .canceled = outcome { body() } }
    }

    /// Calls `body` at the end, with a value, an error, or cancellation.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called once, in the same place as the body of ``onCompleted(isolation:_:)``.
    @discardableResult
    public func `defer`(isolation: isolated (any Actor)? = #isolation, _ body: @escaping () -> Void) -> Self {
        addListener(isolation, as: .listener) { _, _ in body() }
    }

    /// Calls `body` with the result at the end; cancellation is a `CancellationError`.
    ///
    /// ```swift
    /// Doubler().start(4).respond { print("result is \($0)") }  // prints: result is success(8)
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor on which the caller is; the compiler fills it in.
    ///   - body: Called once, in the same place as the body of ``onCompleted(isolation:_:)``.
    @discardableResult
    public func respond(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Result<Value, any Error>) -> Void
    ) -> Self {
        addListener(isolation, as: .listener) { outcome, _ in body(outcome.result()) }
    }

    /// Logs the end of the call, under `name`, to the ``CallContext/log`` of the call; does nothing without a hook.
    ///
    /// - Parameter name: A name that is made only if a hook is set.
    @discardableResult
    public func log(_ name: @autoclosure () -> String) -> Self {
        guard callContext.log != nil else { return self }
        let (name, context) = (name(), callContext)
        listen(as: .cancelListener, on: .anyThread, from: .anyThread) { outcome, _ in
            switch outcome {
            case .value(let value): context.log(.debug, "\(name): completed with \(value)")
            case .error(let error): context.log(.error, "\(name): failed with \(error)")
            case .canceled: context.log(.info, "\(name): canceled")
            }
        }
        return self
    }

    private func addListener(
        _ isolation: (any Actor)?,
        as role: Delivery.Role,
        _ body: @escaping (Outcome, BodyExecutor) -> Void
    ) -> Self {
        let executor = BodyExecutor(isolation: isolation, else: executor)
        let current = BodyExecutor(isolation: isolation, else: .anyThread)
        listen(as: role, on: executor, from: current, body)
        return self
    }
}
