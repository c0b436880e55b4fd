/// An async function with a type: `Input -> Output`.
///
/// Conform a value type to the protocol with one method:
///
/// ```swift
/// struct Doubler: Node {
///     func process(_ input: Int) async throws -> Int { input * 2 }
/// }
/// let eight = try await Doubler().process(4)  // 8
/// ```
///
/// Callers that cannot `await` use ``start(_:)``, which returns an ``Observer``. Conform to ``ObserverNode`` if your
/// work is based on callbacks.
public protocol Node<Input, Output>: Sendable {
    /// The type of value that the node takes.
    associatedtype Input: Sendable
    /// The type of value that the node returns.
    associatedtype Output: Sendable

    /// Returns the node's output for `input`.
    ///
    /// - Throws: The error of the node's work, unchanged; `CancellationError` if the node is canceled.
    /// - Cancellation: Canceling the calling task cancels the call. A node passes cancellation on to its work.
    /// - Executor: Runs where the caller runs.
    nonisolated(nonsending) func process(_ input: Input) async throws -> Output

    /// Starts the node and returns the handle of the call at once, for callers that cannot `await`.
    ///
    /// The default implementation runs ``process(_:)`` in a task of its own. ``ObserverNode`` requires an
    /// implementation; ``DeliveringNode`` chooses where listeners run.
    @discardableResult
    func start(_ input: Input) -> Observer<Output>
}

extension Node {
    /// Starts the node in a task of its own and returns the handle of the call at once.
    ///
    /// ```swift
    /// func show() {
    ///     Doubler().start(4).onCompleted { print($0) }  // prints 8
    /// }
    /// ```
    ///
    /// - Returns: A root observer that ends with the node's value, its error, or cancellation (also when the node
    ///   itself throws `CancellationError`).
    /// - Cancellation: Canceling the observer cancels the task. Releasing the observer does not.
    /// - Executor: The node starts on the global executor; for listeners see ``Observer``.
    @discardableResult
    public func start(_ input: Input) -> Observer<Output> {
        begin(input, Context())
    }

    /// Runs the node in a task and ends `context` with the result.
    func begin(_ input: Input, _ context: Context<Output>, priority: TaskPriority? = nil) -> Observer<Output> {
        let task = Task(priority: priority) {
            do {
                context.emit(try await process(input))
            } catch is CancellationError {
                context.cancel()
            } catch {
                context.emit(error: error)
            }
        }
        context.whenEnded { task.cancel() }
        return context
    }
}

extension Node where Input == Void {
    /// Returns the output of a node without input: `try await node.process()`.
    ///
    /// - Throws: The error of the node.
    /// - Cancellation: Canceling the calling task cancels the call.
    nonisolated(nonsending) public func process() async throws -> Output {
        try await process(())
    }

    /// Starts a node without input, for callers that cannot `await`.
    ///
    /// - Returns: The observer of the call; see ``start(_:)``.
    @discardableResult
    public func start() -> Observer<Output> {
        start(())
    }
}
