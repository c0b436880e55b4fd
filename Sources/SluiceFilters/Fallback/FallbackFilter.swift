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
    private let isHandled: (@Sendable (any Error) -> Bool)?
    private let semantics: RequestSemantics<Request, Response>?
    private let fallback: @Sendable (Request, any Error) async throws -> Response

    /// Makes a filter from a closure.
    ///
    /// - Parameters:
    ///   - isHandled: called with each error but cancellation: returns whether to answer. By default a
    ///     ``ClassifiedRequest`` tells which errors and answers are failures; else all errors are handled.
    ///   - fallback: called with the request and the error, where the caller runs.
    public init(
        when isHandled: (@Sendable (any Error) -> Bool)? = nil,
        _ fallback: @escaping @Sendable (Request, any Error) async throws -> Response
    ) {
        self.isHandled = isHandled
        semantics = isHandled == nil ? RequestSemantics<Request, Response>() : nil
        self.fallback = fallback
    }

    /// Makes a filter that asks another node.
    ///
    /// - Parameters:
    ///   - node: called with the same request.
    ///   - isHandled: called with each error but cancellation: returns whether to ask `node`. By default a
    ///     ``ClassifiedRequest`` tells which errors and answers are failures; else all errors are handled.
    public init(
        to node: some Node<Request, Response>,
        when isHandled: (@Sendable (any Error) -> Bool)? = nil
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
        let failure: any Error
        do {
            let response = try await next.process(request)
            guard let semantics, !Task.isCancelled, let error = semantics.failure(request, response) else {
                return response
            }
            failure = error
        } catch {
            guard !Task.isCancelled, !(error is CancellationError), handles(error, of: request) else { throw error }
            failure = error
        }
        CallContext.note("FallbackFilter", "answers instead, since it failed: \(failure)")
        return try await fallback(request, failure)
    }

    private func handles(_ error: any Error, of request: Request) -> Bool {
        if let isHandled { return isHandled(error) }
        return semantics?.classify(request, .failure(error)).isFailure ?? true
    }

    /// `FallbackFilter`.
    public var description: String { "FallbackFilter" }
}
