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
/// A filter calls `next` never, once or often. A conformer spells its types, in Finagle's order.
public protocol Filter<RequestIn, ResponseOut, RequestOut, ResponseIn>: Sendable {
    /// What the caller gives.
    associatedtype RequestIn: Sendable
    /// What the caller gets.
    associatedtype ResponseOut: Sendable
    /// What the filter gives to the next stage.
    associatedtype RequestOut: Sendable
    /// What the next stage answers.
    associatedtype ResponseIn: Sendable

    /// Answers `request` with the help of `next`.
    ///
    /// - Throws: the error of `next`, unless the filter is there to change it, or one of the filter's own.
    /// - Cancellation: cancelling the calling task cancels `next`.
    /// - Executor: runs where the caller runs.
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
