public import Sluice

/// A node under the name that ServiceSwift and Finagle give it, with `apply` for `process`.
///
/// ```swift
/// struct TestService: Service<Int, String> {
///     func apply(request: Int) -> Future<String> {
///         return Future<String>.success("test ok")
///     }
/// }
/// let text = try await TestService().process(1)  // "test ok"
/// ```
///
/// Forgetting `apply`, or misspelling it, is a compile error.
public protocol Service<Input, Output>: ObserverNode {
    /// Starts the work for `request` and answers at once; see ``Sluice/ObserverNode/process(_:)``.
    func apply(request: Input) -> Future<Output>
}

extension Service {
    /// Starts the service.
    public func process(_ request: Input) -> Observer<Output> { apply(request: request) }

    /// Not there: what a conformer forgets must not compile.
    @available(*, unavailable, message: "implement apply(request:) -> Future<Output>")
    public func apply(request: Input) -> Future<Output> { .emit(error: CancellationError()) }
}

extension Node {
    /// Starts the node: `process` in the spelling of ServiceSwift.
    ///
    /// - Returns: the observer of the call; see ``Sluice/Node/process(_:)->Observer<Self.Output>``.
    @discardableResult
    public func apply(request: Input) -> Future<Output> { process(request) }
}

extension Node where Input == Void {
    /// Starts a node that takes nothing.
    ///
    /// - Returns: the observer of the call.
    @discardableResult
    public func apply() -> Future<Output> { process(()) }
}
