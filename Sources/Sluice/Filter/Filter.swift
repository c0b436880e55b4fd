/// A function around a node.
///
/// ```
///          ┌──────────────────────── Filter ───────────────────────┐
/// RequestIn ──▶ … ──▶ RequestOut ──▶ next ──▶ ResponseIn ──▶ … ──▶ ResponseOut
/// ```
///
/// `Filter<A, B, C, D>` makes a `Node<A, B>` out of a `Node<C, D>`:
///
/// ```swift
/// struct Polite: SimpleFilter<String, String> {
///     func process(_ name: String, next: some Node<String, String>) async throws -> String {
///         try await next.process("dear " + name) + "!"
///     }
/// }
/// let greet = Polite().andThen(AnyNode { "Hello, " + $0 })
/// let text = try await greet.process("Ada")  // "Hello, dear Ada!"
/// ```
///
/// A filter may call `next` any number of times, also never. A conforming type declares its types in Finagle's order.
public protocol Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>: Sendable {
    /// The type of request that the caller sends.
    associatedtype RequestIn: Sendable
    /// The type of response that the caller receives.
    associatedtype ResponseOut: Sendable
    /// The type of request that the filter sends to the next stage.
    associatedtype RequestOut: Sendable
    /// The type of response that the next stage returns.
    associatedtype ResponseIn: Sendable

    /// Returns the response to `request`, calling `next` as needed.
    ///
    /// - Throws: The error of `next`, unless the filter changes it, or an error of the filter itself.
    /// - Cancellation: Canceling the calling task cancels `next`.
    /// - Executor: Runs where the caller runs.
    nonisolated(nonsending) func process(
        _ request: RequestIn,
        next: some Node<RequestOut, ResponseIn>
    ) async throws -> ResponseOut
}

/// A filter that changes no type: `Request` and `Response` are the same on both sides.
///
/// ```swift
/// struct Twice<A: Sendable, B: Sendable>: SimpleFilter<A, B> {
///     func process(_ request: A, next: some Node<A, B>) async throws -> B {
///         _ = try await next.process(request)
///         return try await next.process(request)
///     }
/// }
/// ```
public typealias SimpleFilter<Request, Response> = Filter<Request, Response, Request, Response>
