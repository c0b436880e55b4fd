extension Observer {
    /// Creates a pending observer that `start` ends through the closure that it receives; only the first call counts.
    ///
    /// If the closure is released without a call, the observer ends with cancellation.
    package convenience init(start: (_ complete: @escaping @Sendable (Result<Value, any Error>) -> Void) -> Void) {
        self.init(executor: .anyThread, callContext: .current, isRoot: true)
        let completion = Completion(self)
        start { completion.end(with: $0) }
    }
}

/// The end of an observer, which is canceled if nothing can end it anymore.
private final class Completion<Value: Sendable>: Sendable {
    private let observer: Observer<Value>

    init(_ observer: Observer<Value>) { self.observer = observer }

    deinit { observer.end(.canceled) }

    func end(with result: Result<Value, any Error>) {
        switch result {
        case .success(let value): observer.end(.value(value))
        case .failure(let error): observer.end(error is CancellationError ? .canceled : .error(error))
        }
    }
}
