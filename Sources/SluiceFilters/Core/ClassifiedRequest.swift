import Sluice

/// A request that knows the semantics of its protocol: whether it may be sent twice, and the meaning of a response.
///
/// Filters use it if they are given no closure of their own: retry, hedge, breaker, balancer, concurrency limit,
/// shedding, and fallback. `TransportRequest` of SluiceHTTP conforms to it.
///
/// ```swift
/// struct Query: ClassifiedRequest {
///     func responseClass<Response>(of result: Result<Response, any Error>) -> ResponseClass { .of(result) }
///     func mayBeRepeated<Response>(after result: Result<Response, any Error>) -> Bool { true }
/// }
/// ```
public protocol ClassifiedRequest: Sendable {
    /// Returns the meaning of a result for the responder.
    func responseClass<Response>(of result: Result<Response, any Error>) -> ResponseClass

    /// Returns whether the request may be sent again after a result.
    func mayBeRepeated<Response>(after result: Result<Response, any Error>) -> Bool

    /// A Boolean value that indicates whether the request may be sent a second time while the first runs.
    var mayBeHedged: Bool { get }

    /// Returns whether the responder rejected the call because it is overloaded.
    func isRefusal<Response>(_ result: Result<Response, any Error>) -> Bool

    /// Returns the error that a response represents; `nil` for a response that isn't a failure.
    func failure<Response>(in response: Response) -> (any Error)?

    /// Returns the request with a key by which the responder recognizes repetitions.
    func identified(by idempotencyKey: String) -> Self

    /// Returns whether a result says that the credentials of the request are no good, and the request may be sent again with
    /// others.
    func asksForCredentials<Response>(_ result: Result<Response, any Error>) -> Bool

    /// Returns the request as it is sent again after a refresh of the credentials.
    func refreshed() -> Self
}

extension ClassifiedRequest {
    /// The value `true`.
    public var mayBeHedged: Bool { true }
    /// Returns `true` for ``OverloadedError`` and ``RateLimitError``.
    public func isRefusal<Response>(_ result: Result<Response, any Error>) -> Bool {
        if case .failure(let error) = result { error is OverloadedError || error is RateLimitError } else { false }
    }
    /// Returns `nil`.
    public func failure<Response>(in response: Response) -> (any Error)? { nil }
    /// Returns the request unchanged.
    public func identified(by idempotencyKey: String) -> Self { self }
    /// Returns true for ``UnauthorizedError``.
    public func asksForCredentials<Response>(_ result: Result<Response, any Error>) -> Bool {
        if case .failure(let error) = result { error is UnauthorizedError } else { false }
    }
    /// Returns the request as it is.
    public func refreshed() -> Self { self }
}

/// The semantics of a request type that is a ``ClassifiedRequest``, for filters that are generic over it.
struct RequestSemantics<Request: Sendable, Response: Sendable>: Sendable {
    let classify: Classifier<Request, Response>
    let mayBeRepeated: @Sendable (Request, Result<Response, any Error>) -> Bool
    let mayBeHedged: @Sendable (Request) -> Bool
    let isRefusal: @Sendable (Request, Result<Response, any Error>) -> Bool
    let failure: @Sendable (Request, Response) -> (any Error)?
    let identified: @Sendable (Request, String) -> Request
    let asksForCredentials: @Sendable (Request, Result<Response, any Error>) -> Bool
    let refreshed: @Sendable (Request) -> Request

    /// Returns `nil` for a type without such semantics.
    init?() {
        guard let type = Request.self as? any ClassifiedRequest.Type else { return nil }
        self.init(type)
    }

    private init<Known: ClassifiedRequest>(_ type: Known.Type) {
        // Known is the same type as Request.
        classify = { ($0 as? Known)?.responseClass(of: $1) ?? .of($1) }
        mayBeRepeated = { ($0 as? Known)?.mayBeRepeated(after: $1) ?? false }
        mayBeHedged = { ($0 as? Known)?.mayBeHedged ?? false }
        isRefusal = { ($0 as? Known)?.isRefusal($1) ?? false }
        failure = { ($0 as? Known)?.failure(in: $1) }
        identified = { request, key in (request as? Known)?.identified(by: key) as? Request ?? request }
        asksForCredentials = { ($0 as? Known)?.asksForCredentials($1) ?? false }
        refreshed = { request in (request as? Known)?.refreshed() as? Request ?? request }
    }

    /// Returns the classifier of the type; `nil` for a type without such semantics.
    static func classifier() -> Classifier<Request, Response>? { RequestSemantics<Request, Response>()?.classify }
}
