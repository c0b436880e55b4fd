public import Dispatch

/// A node that decides where listeners of its calls run: the request chains of SluiceHTTP choose the main queue.
///
/// ```swift
/// struct Greeting: DeliveringNode {
///     var callbackQueue: DispatchQueue? { .main }
///     func process(_ name: String) async throws -> String { "Hello, " + name }
/// }
/// func show() {
///     Greeting().start("Ada").onCompleted { print($0) }  // on the main queue
/// }
/// ```
public protocol DeliveringNode<Input, Output>: Node {
    /// The queue of listeners that are declared on no actor; `nil` is the thread that ends the call.
    var callbackQueue: DispatchQueue? { get }
    /// The priority of calls that begin with `start(_:)`; `userInitiated` by default.
    var callPriority: TaskPriority { get }
}

extension DeliveringNode {
    /// The default priority: `userInitiated`.
    public var callPriority: TaskPriority { .userInitiated }

    /// Starts the node in a task of its own, off the caller's actor, and returns the handle of the call at once.
    ///
    /// - Returns: A root observer that ends with the node's value, its error, or cancellation.
    /// - Cancellation: Canceling the observer cancels the task. Releasing the observer does not.
    /// - Executor: Listeners that are declared on no actor run on ``callbackQueue``.
    @discardableResult
    public func start(_ input: Input) -> Observer<Output> {
        begin(input, Context(executor: callbackQueue.map(BodyExecutor.queue) ?? .anyThread), priority: callPriority)
    }
}
