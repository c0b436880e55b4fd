extension Observer {
    /// Creates a pending observer that `start` ends through the closure that it receives; only the first call counts.
    ///
    /// An observer whose closure is released without a call ends with cancellation.
    package convenience init(start: (_ complete: @escaping @Sendable (Result<Value, any Error>) -> Void) -> Void) {
        self.init(executor: .anyThread, callContext: .current, isRoot: true)
        start { result in
            switch result {
            case .success(let value): self.end(.value(value))
            case .failure(let error): self.end(error is CancellationError ? .canceled : .error(error))
            }
        }
    }
}
