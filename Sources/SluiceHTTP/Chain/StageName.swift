#if HTTP
/// The name of a stage of a chain, by which it is found, wrapped, replaced, or removed.
///
/// ```swift
/// let builder = try URLChainBuilder<UserRoute>()
///     .remove(.redirects)
///     .wrap(.transport, in: HeaderFilter([.userAgent: "app/1"]), named: "agent")
/// ```
public struct StageName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Makes a custom name.
    public init(_ name: String) { description = name }
    /// Makes a custom name.
    public init(stringLiteral name: String) { description = name }

    // Per call.

    /// An answer that replaces an error of the call.
    public static let fallback = StageName("fallback")
    /// The time limit of the whole call.
    public static let timeout = StageName("timeout")
    /// The log of calls.
    public static let log = StageName("log")
    /// A span for each call.
    public static let callTracing = StageName("callTracing")
    /// Measurements of whole calls.
    public static let callMetrics = StageName("callMetrics")
    /// The error for failure statuses.
    public static let status = StageName("status")
    /// The redirects.
    public static let redirects = StageName("redirects")

    // Per hop.

    /// A refresh of the credentials when a hop is refused, followed by a repetition of the hop.
    public static let refresh = StageName("refresh")
    /// Header fields of providers on which answers may depend.
    public static let headers = StageName("headers")
    /// Cookies.
    public static let cookies = StageName("cookies")
    /// Access tokens and their refresh.
    public static let token = StageName("token")
    /// The user identity for a signature, added by the stage that declares it.
    public static let identity = StageName("identity")
    /// The cache.
    public static let cache = StageName("cache")
    /// The single flight of equal concurrent calls.
    public static let deduplication = StageName("deduplication")
    /// The retry.
    public static let retry = StageName("retry")

    // Per attempt.

    /// A second attempt when the first takes too long.
    public static let hedge = StageName("hedge")
    /// Header fields of providers that differ for each attempt.
    public static let attemptHeaders = StageName("attemptHeaders")
    /// The signature of the request.
    public static let signature = StageName("signature")
    /// The header field with the deadline of the caller.
    public static let deadline = StageName("deadline")
    /// A span for each attempt.
    public static let tracing = StageName("tracing")
    /// Measurements of the requests on the wire.
    public static let metrics = StageName("metrics")
    /// The time limit of one attempt.
    public static let attempt = StageName("attempt")
    /// Limits on rate and concurrency, and load shedding.
    public static let limits = StageName("limits")
    /// The circuit breaker.
    public static let breaker = StageName("breaker")
    /// The choice of an endpoint.
    public static let balancing = StageName("balancing")
    /// The collection of the body.
    public static let body = StageName("body")
    /// The transport.
    public static let transport = StageName("transport")

    /// The stages that have a position of their own, outermost first.
    static let order: [(scope: StageScope, names: [StageName])] = [
        (.call, [.fallback, .timeout, .log, .callTracing, .callMetrics, .status, .redirects]),
        (.hop, [.refresh, .headers, .cookies, .token, .identity, .cache, .deduplication, .retry]),
        (
            .attempt,
            [
                .hedge, .attemptHeaders, .signature, .deadline, .tracing, .metrics, .attempt, .limits, .breaker,
                .balancing, .body, .transport,
            ]
        ),
    ]

    /// The scope and the rank of the name; `nil` for a custom name.
    var place: (scope: StageScope, rank: Int)? { Self.places[self] }

    private static let places: [StageName: (scope: StageScope, rank: Int)] = {
        var places: [StageName: (scope: StageScope, rank: Int)] = [:]
        for (scope, names) in order {
            for name in names { places[name] = (scope, places.count) }
        }
        return places
    }()
}
#endif
