/// A node whose author answers with an ``Observer``, as callback-based code does.
///
/// ```swift
/// struct Read: ObserverNode<String, Int> {
///     func start(_ id: String) -> Observer<Int> {
///         let result = Context<Int>()
///         result.emit(id.count)
///         return result
///     }
/// }
/// let two = try await Read().process("id")  // 2
/// ```
///
/// A conforming type declares its types. Omitting `start`, or misspelling it, is a compile error.
public protocol ObserverNode<Input, Output>: Node {
    /// Starts the work for `input` and returns at once.
    ///
    /// Cancellation reaches the work through ``Observer/onCanceled(isolation:_:)`` of the ``Context`` that the author
    /// creates.
    @discardableResult
    func start(_ input: Input) -> Observer<Output>
}

extension ObserverNode {
    /// Unavailable, so that a conforming type without `start` does not compile.
    @available(*, unavailable, message: "implement start(_:) -> Observer<Output>")
    public func start(_ input: Input) -> Observer<Output> {
        .emit(error: CancellationError())
    }

    /// Starts the node and waits for its observer.
    ///
    /// - Throws: The observer's error; `CancellationError` if it is canceled.
    /// - Cancellation: Canceling the calling task detaches this wait; the work stops if no other branch is left.
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output {
        try await start(input).value
    }
}
