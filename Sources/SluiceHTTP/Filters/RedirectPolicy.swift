#if HTTP
/// The rule for following redirects.
///
/// ```swift
/// let policy = RedirectPolicy.ask { response, next in
///     next.url.host == "example.com" ? next : nil
/// }
/// let node = RedirectFilter(policy).andThen(HTTPTransport())
/// ```
public struct RedirectPolicy: Sendable {
    /// A closure that returns the request to send next, given an answer and the proposed request; `nil` returns the
    /// answer as it is.
    public typealias Decision = @Sendable (TransportResponse, TransportRequest) async throws -> TransportRequest?

    let maximum: Int
    let decide: Decision?

    /// A policy that follows no redirects: they are answers like any others.
    public static let never = RedirectPolicy(maximum: 0, decide: { _, _ in nil })

    /// Returns a policy that follows redirects, at most `maximum` times.
    public static func follow(atMost maximum: Int = 20) -> RedirectPolicy {
        RedirectPolicy(maximum: max(maximum, 0), decide: nil)
    }

    /// Returns a policy with a closure that decides about each redirect, at most `maximum` times.
    ///
    /// - Parameters:
    ///   - maximum: The maximum number of redirects.
    ///   - decide: a closure that returns the request to send; called on the caller's executor, with the answer
    ///     and the next request by the rules of ``RedirectFilter``. Its error is the error of the call.
    public static func ask(atMost maximum: Int = 20, _ decide: @escaping Decision) -> RedirectPolicy {
        RedirectPolicy(maximum: max(maximum, 0), decide: decide)
    }
}
#endif
