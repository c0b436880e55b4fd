public import Sluice

/// Answers in another way when a call fails.
///
/// ```swift
/// let node = FallbackFilter { name, error in Person(name: name) }.andThen(users)
/// let user = try await node.process("ada")                         // never fails
/// let safe = FallbackFilter(to: backup).andThen(users)             // asks another node
/// ```
///
/// Cancel is never answered. What the closure throws is thrown: it may also tell the error in other words.
public struct FallbackFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let isHandled: @Sendable (any Error) -> Bool
    private let fallback: @Sendable (Request, any Error) async throws -> Response

    /// Makes a filter from a closure.
    ///
    /// - Parameters:
    ///   - isHandled: asked with each error but cancel whether to answer; all by default.
    ///   - fallback: called with the request and the error, where the caller runs.
    public init(
        when isHandled: @escaping @Sendable (any Error) -> Bool = { _ in true },
        _ fallback: @escaping @Sendable (Request, any Error) async throws -> Response
    ) {
        self.isHandled = isHandled
        self.fallback = fallback
    }

    /// Makes a filter that asks another node.
    ///
    /// - Parameters:
    ///   - node: called with the same request.
    ///   - isHandled: asked with each error but cancel whether to ask `node`; all by default.
    public init(
        to node: some Node<Request, Response>,
        when isHandled: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) {
        self.init(when: isHandled) { request, _ in try await node.process(request) }
    }

    /// Calls `next`, and the fallback if that fails.
    ///
    /// - Throws: an error that is not handled; what the fallback throws; `CancellationError`.
    /// - Cancellation: cancels the one that runs; after it the fallback is not called.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        do { return try await next.process(request) } catch {
            guard !Task.isCancelled, !(error is CancellationError), isHandled(error) else { throw error }
            CallContext.note("FallbackFilter", "answers instead, since it failed: \(error)")
            return try await fallback(request, error)
        }
    }

    /// `FallbackFilter`.
    public var description: String { "FallbackFilter" }
}
