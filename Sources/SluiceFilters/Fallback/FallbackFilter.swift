public import Sluice

/// A filter that responds in another way when a call fails.
///
/// ```swift
/// let node = FallbackFilter { name, error in Person(name: name) }.andThen(users)
/// let user = try await node.process("ada")                         // never fails
/// let safe = FallbackFilter(to: backup).andThen(users)             // asks another node
/// ```
///
/// It never handles cancellation. It rethrows the closure's error, so that the closure may also replace an error.
public struct FallbackFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let isHandled: (@Sendable (any Error) -> Bool)?
    private let semantics: RequestSemantics<Request, Response>?
    private let fallback: @Sendable (Request, any Error) async throws -> Response

    /// Creates a filter from a closure.
    ///
    /// - Parameters:
    ///   - isHandled: A closure that is called with each error but cancellation, and that returns whether to handle it.
    ///     By default a ``ClassifiedRequest`` decides which errors and responses are failures; otherwise all errors are
    ///     handled.
    ///   - fallback: A closure that returns the response; it is called with the request and the error, where the caller
    ///     runs.
    public init(
        when isHandled: (@Sendable (any Error) -> Bool)? = nil,
        _ fallback: @escaping @Sendable (Request, any Error) async throws -> Response
    ) {
        self.isHandled = isHandled
        semantics = isHandled == nil ? RequestSemantics<Request, Response>() : nil
        self.fallback = fallback
    }

    /// Creates a filter that calls another node.
    ///
    /// - Parameters:
    ///   - node: The node that is called with the same request.
    ///   - isHandled: A closure that is called with each error but cancellation, and that returns whether to call
    ///     `node`. By default a ``ClassifiedRequest`` decides which errors and responses are failures; otherwise all
    ///     errors are handled.
    public init(
        to node: some Node<Request, Response>,
        when isHandled: (@Sendable (any Error) -> Bool)? = nil
    ) {
        self.init(when: isHandled) { request, _ in try await node.process(request) }
    }

    /// Calls `next`, and the fallback if that fails.
    ///
    /// - Throws: An error that is not handled; the error of the fallback; `CancellationError`.
    /// - Cancellation: Cancels the running one; after cancellation the fallback is not called.
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

    /// The text `FallbackFilter`.
    public var description: String { "FallbackFilter" }
}

extension FallbackFilter: StackStage {
    /// The role ``StackRole/fallback``.
    public var stackRole: StackRole { .fallback }
}

/// A fallback in a document: `{"fallback": {"value": []}}`.
enum FallbackKind: FilterKind {
    static let name = "fallback"
    static let summary = "Responds with a value when the call fails"
    static let value = StackKey("value", .value, "the response")
    static let keys: [any FilterKey] = [value]
    static let examples = [
        FilterExample(#"{"fallback": {"value": "nobody"}}"#, "FallbackFilter")
    ]

    static func role(_ settings: StackSettings) -> StackRole { .fallback }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> any SimpleFilter<Request, Response> {
        let answer = try builder.answer(settings[value])
        return FallbackFilter<Request, Response> { _, _ in answer }
    }
}
