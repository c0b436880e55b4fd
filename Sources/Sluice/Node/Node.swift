/// An async function with a type: `Input -> Output`.
///
/// Conform a value type to it and write one method:
///
/// ```swift
/// struct Doubler: Node {
///     func process(_ input: Int) async throws -> Int { input * 2 }
/// }
/// let eight = try await Doubler().process(4)  // 8
/// ```
///
/// The same verb serves callers that cannot `await`: see ``process(_:)->Observer<Self.Output>``. Authors who
/// answer with an ``Observer`` conform to ``ObserverNode`` instead.
public protocol Node<Input, Output>: Sendable {
    /// What the node takes.
    associatedtype Input: Sendable
    /// What the node answers.
    associatedtype Output: Sendable

    /// Answers `input`.
    ///
    /// - Returns: the node's answer.
    /// - Throws: whatever the node's work throws, unchanged; `CancellationError` when it was cancelled.
    /// - Cancellation: cancelling the calling task is how a call is cancelled; a node passes it on to its work.
    /// - Executor: runs where the caller runs; a node never hops on its own account.
    nonisolated(nonsending) func process(_ input: Input) async throws -> Output
}

extension Node {
    /// Starts the node in a task of its own and answers at once with the handle of that call.
    ///
    /// ```swift
    /// func show() {
    ///     Doubler().process(4).onCompleted { print($0) }  // prints 8
    /// }
    /// ```
    ///
    /// Inside async code `await` wins: write the type to get the observer, `let call: Observer<Int> = …`.
    ///
    /// - Returns: an observer that ends with the node's value, its error, or cancel (also when the node itself
    ///   throws `CancellationError`).
    /// - Cancellation: cancelling the observer cancels the task. Letting go of it does not.
    /// - Executor: the node starts on the global executor; for listeners see ``Observer``.
    @discardableResult
    public func process(_ input: Input) -> Observer<Output> {
        let context = Context<Output>()
        let task = Task {
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
    /// Answers a node that takes nothing: `try await node.process()`.
    ///
    /// - Throws: what the node throws.
    /// - Cancellation: as ``Node/process(_:)``.
    nonisolated(nonsending) public func process() async throws -> Output {
        try await process(())
    }

    /// Starts a node that takes nothing, for callers that cannot `await`.
    ///
    /// - Returns: the observer of the call, as ``Node/process(_:)->Observer<Self.Output>`` does.
    @discardableResult
    public func process() -> Observer<Output> {
        process(())
    }
}
