/// What to do with redirects.
///
/// ```swift
/// let policy = RedirectPolicy.ask { response, next in
///     next.url.host == "example.com" ? next : nil
/// }
/// let node = RedirectFilter(policy).andThen(HTTPTransport())
/// ```
public struct RedirectPolicy: Sendable {
    /// Says of an answer and of the request that it leads to what to send; `nil` to take the answer as it is.
    public typealias Decision = @Sendable (TransportResponse, TransportRequest) async throws -> TransportRequest?

    let maximum: Int
    let decide: Decision?

    /// Redirects are answers like any others.
    public static let never = RedirectPolicy(maximum: 0, decide: { _, _ in nil })

    /// Redirects are followed, `maximum` times at most.
    public static func follow(atMost maximum: Int = 20) -> RedirectPolicy {
        RedirectPolicy(maximum: max(maximum, 0), decide: nil)
    }

    /// A closure decides about each redirect, `maximum` times at most.
    ///
    /// - Parameter decide: called with the answer and the request that would follow it, made by the rules of
    ///   ``RedirectFilter``; where the caller runs. What it throws is the error of the call.
    public static func ask(atMost maximum: Int = 20, _ decide: @escaping Decision) -> RedirectPolicy {
        RedirectPolicy(maximum: max(maximum, 0), decide: decide)
    }
}
