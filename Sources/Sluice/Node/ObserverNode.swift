/// A node whose author answers with an ``Observer``, as callback-based code does.
///
/// ```swift
/// struct Read: ObserverNode<String, Int> {
///     func process(_ id: String) -> Observer<Int> {
///         let result = Context<Int>()
///         result.emit(id.count)
///         return result
///     }
/// }
/// let two = try await Read().process("id")  // 2
/// ```
///
/// A conformer spells its types. Forgetting `process`, or misspelling it, is a compile error.
public protocol ObserverNode<Input, Output>: Node {
    /// Starts the work for `input` and answers at once.
    ///
    /// Cancelling reaches the work through ``Observer/onCanceled(isolation:_:)`` of the ``Context`` that the
    /// author made.
    func process(_ input: Input) -> Observer<Output>
}

extension ObserverNode {
    /// Not there: what a conformer forgets must not compile.
    @available(*, unavailable, message: "implement process(_:) -> Observer<Output>")
    public func process(_ input: Input) -> Observer<Output> {
        .emit(error: CancellationError())
    }

    /// Calls the node and waits for its observer.
    ///
    /// - Throws: the observer's error; `CancellationError` when it was cancelled.
    /// - Cancellation: cancelling the calling task detaches this wait; the work stops if nobody else waits for it.
    nonisolated(nonsending) public func process(_ input: Input) async throws -> Output {
        let observer: Observer<Output> = process(input)
        return try await observer.value
    }
}

extension ObserverNode where Input == Void {
    /// Starts a node that takes nothing, as its author does: on this thread, with the author's own observer.
    @discardableResult
    public func process() -> Observer<Output> {
        process(())
    }
}
