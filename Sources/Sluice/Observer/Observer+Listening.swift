extension Observer {
    /// Calls `body` with the value, if the call ends with one.
    ///
    /// ```swift
    /// observer.onCompleted { show($0) }
    /// ```
    ///
    /// - Parameter body: called at most once, on the actor on which it is written; see ``Observer`` for the rest.
    /// - Returns: this observer, for the next listener.
    @discardableResult
    public func onCompleted(isolation: isolated (any Actor)? = #isolation, _ body: @escaping (Value) -> Void) -> Self {
        hear(isolation, as: .listener) { ending, _ in if case .value(let value) = ending { body(known(value)) } }
    }

    /// Calls `body` with the error, if the call ends with one. Cancel is no error: see ``onCanceled(isolation:_:)``.
    ///
    /// - Parameter body: called at most once, where ``onCompleted(isolation:_:)`` is.
    @discardableResult
    public func onError(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) -> Void
    ) -> Self {
        hear(isolation, as: .listener) { ending, _ in if case .error(let error) = ending { body(error) } }
    }

    /// Calls `body` if the call ends with cancel, or if the listeners of this observer leave by ``cancel()``.
    ///
    /// The author of a ``Context`` registers here what stops the work. This listener alone does not hold the work.
    ///
    /// - Parameter body: called at most once, where ``onCompleted(isolation:_:)`` is.
    @discardableResult
    public func onCanceled(isolation: isolated (any Actor)? = #isolation, _ body: @escaping () -> Void) -> Self {
        hear(isolation, as: .cancelListener) { ending, _ in if case .canceled = ending { body() } }
    }

    /// Calls `body` at the end, whichever end it is.
    ///
    /// - Parameter body: called once, where ``onCompleted(isolation:_:)`` is.
    @discardableResult
    public func `defer`(isolation: isolated (any Actor)? = #isolation, _ body: @escaping () -> Void) -> Self {
        hear(isolation, as: .listener) { _, _ in body() }
    }

    /// Calls `body` with the result at the end, whichever end it is; cancel is a `CancellationError`.
    ///
    /// ```swift
    /// Doubler().start(4).respond { print("result is \($0)") }  // prints: result is success(8)
    /// ```
    ///
    /// - Parameter body: called once, where ``onCompleted(isolation:_:)`` is.
    @discardableResult
    public func respond(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Result<Value, any Error>) -> Void
    ) -> Self {
        hear(isolation, as: .listener) { ending, _ in body(ending.result()) }
    }

    /// Logs how the call ends, under `name`, to the ``CallContext/log`` of the call; without a hook it does nothing.
    ///
    /// - Parameter name: made only if a hook is set.
    @discardableResult
    public func log(_ name: @autoclosure () -> String) -> Self {
        guard callContext.log != nil else { return self }
        let (name, context) = (name(), callContext)
        listen(as: .cancelListener, on: .anyThread, from: .anyThread) { ending, _ in
            switch ending {
            case .value(let value): context.log(.debug, "\(name): completed with \(value)")
            case .error(let error): context.log(.error, "\(name): failed with \(error)")
            case .canceled: context.log(.info, "\(name): canceled")
            }
        }
        return self
    }

    private func hear(
        _ isolation: (any Actor)?,
        as role: Delivery.Role,
        _ body: @escaping (Ending, Lane) -> Void
    ) -> Self {
        let lane = Lane(isolation: isolation, else: lane)
        let current = Lane(isolation: isolation, else: .anyThread)
        listen(as: role, on: lane, from: current, body)
        return self
    }
}
