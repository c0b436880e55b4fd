public import Dispatch

/// A node that says where its callers hear of the end: the request chains of SluiceHTTP say the main queue.
///
/// ```swift
/// struct Greeting: DeliveringNode {
///     var callbackQueue: DispatchQueue? { .main }
///     func process(_ name: String) async throws -> String { "Hello, " + name }
/// }
/// func show() {
///     Greeting().process("Ada").onCompleted { print($0) }  // on the main queue
/// }
/// ```
public protocol DeliveringNode<Input, Output>: Node {
    /// Where listeners run that are written on no actor; `nil` is the thread that ends the call.
    var callbackQueue: DispatchQueue? { get }
    /// The priority of calls that are begun without `await`; `userInitiated` unless told otherwise.
    var callPriority: TaskPriority { get }
}

extension DeliveringNode {
    /// `userInitiated`.
    public var callPriority: TaskPriority { .userInitiated }

    /// Starts the node in a task of its own, off the caller's actor, and answers at once with the handle of that call.
    ///
    /// - Returns: an observer that ends with the node's value, its error, or cancel.
    /// - Cancellation: cancelling the observer cancels the task. Letting go of it does not.
    /// - Executor: listeners that are written on no actor run on ``callbackQueue``.
    @discardableResult
    public func process(_ input: Input) -> Observer<Output> {
        let context = Context<Output>()
        let task = Task(priority: callPriority) {
            do {
                context.emit(try await process(input))
            } catch is CancellationError {
                context.cancel()
            } catch {
                context.emit(error: error)
            }
        }
        context.whenEnded { task.cancel() }
        return callbackQueue.map { context.dispatch(on: $0) } ?? context
    }
}

extension DeliveringNode where Input == Void {
    /// Starts a node that takes nothing, for callers that cannot `await`.
    ///
    /// - Returns: the observer of the call, as ``DeliveringNode/process(_:)`` does.
    @discardableResult
    public func process() -> Observer<Output> { process(()) }
}
