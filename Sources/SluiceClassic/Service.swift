#if HTTP
public import Sluice

/// The name that ServiceSwift and Finagle give to a node, with `apply` for `process`.
///
/// ```swift
/// struct TestService: Service<Int, String> {
///     func apply(request: Int) -> Future<String> {
///         return Future<String>.success("test ok")
///     }
/// }
/// let text = try await TestService().apply(request: 1).value  // "test ok"
/// ```
///
/// Omitting `apply`, or misspelling it, is a compile error.
public protocol Service<Input, Output>: ObserverNode {
    /// Starts the work for `request` and returns immediately; see ``Sluice/ObserverNode/start(_:)``.
    func apply(request: Input) -> Future<Output>
}

extension Service {
    /// Starts the service.
    @discardableResult
    public func start(_ request: Input) -> Observer<Output> { apply(request: request) }

    /// Unavailable, so that a conforming type without `apply` does not compile.
    @available(*, unavailable, message: "implement apply(request:) -> Future<Output>")
    public func apply(request: Input) -> Future<Output> { .emit(error: CancellationError()) }
}

extension Node {
    /// Starts the node: ServiceSwift's spelling of `start`.
    ///
    /// - Returns: The observer of the call; see ``Sluice/Node/start(_:)``.
    @discardableResult
    public func apply(request: Input) -> Future<Output> { start(request) }
}

extension Node where Input == Void {
    /// Starts a node without input.
    ///
    /// - Returns: The observer of the call.
    @discardableResult
    public func apply() -> Future<Output> { start(()) }
}
#endif
