#if HTTP
public import Sluice

/// A node as NodeKit defines it: `process` returns an Observer.
///
/// ```swift
/// final class Reader: ClassicNode<String, Int> {
///     func process(_ data: String) -> Observer<Int> {
///         let result = Context<Int>()
///         result.emit(data.count)
///         return result
///     }
/// }
/// func length(of text: String) -> Observer<Int> {
///     return Reader().process(text)
/// }
/// ```
///
/// Omitting `process`, or misspelling it, is a compile error. In async code, `try await` calls the async `process`. At
/// the top level of a script, where the compiler prefers the method declared here, call ``start(_:)``.
public protocol ClassicNode<Input, Output>: ObserverNode {
    /// Starts the work for `data` and returns immediately.
    @discardableResult
    func process(_ data: Input) -> Observer<Output>
}

extension ClassicNode {
    /// Starts the node.
    @discardableResult
    public func start(_ input: Input) -> Observer<Output> { process(input) }

    /// Unavailable, so that a conforming type without `process` does not compile.
    @available(*, unavailable, message: "implement process(_:) -> Observer<Output>")
    public func process(_ data: Input) -> Observer<Output> { .emit(error: CancellationError()) }
}

extension Node {
    /// Starts the node: NodeKit's spelling of `start`, for synchronous code.
    ///
    /// Calling it in async code, or at the top level of a script that awaits, is a compile error: use `start`.
    ///
    /// - Returns: The observer of the call; see ``Sluice/Node/start(_:)``.
    @available(
        *,
        noasync,
        message: "write `start`, which returns the Observer; to wait for it, `try await node.start(input).value`"
    )
    @discardableResult
    public func process(_ input: Input) -> Observer<Output> { start(input) }
}

extension Node where Input == Void {
    /// Starts a node without input: NodeKit's spelling of `start`, for synchronous code.
    ///
    /// - Returns: The observer of the call; see ``Sluice/Node/start()``.
    @available(
        *,
        noasync,
        message: "write `start`, which returns the Observer; to wait for it, `try await node.start(input).value`"
    )
    @discardableResult
    public func process() -> Observer<Output> { start(()) }
}
#endif
