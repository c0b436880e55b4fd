/// The name of a stage of a chain, by which it is found, wrapped, replaced or left out.
///
/// ```swift
/// let builder = URLChainBuilder<UserRoute>()
///     .remove(.redirects)
///     .wrap(.transport, in: HeaderFilter([.userAgent: "app/1"]), named: "agent")
/// ```
public struct StageName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name.
    public let description: String

    /// A name of your own.
    public init(_ name: String) { description = name }
    /// A name of your own.
    public init(stringLiteral name: String) { description = name }

    // Per call.

    /// An answer in place of an error of the call.
    public static let fallback = StageName("fallback")
    /// The time of the whole call.
    public static let timeout = StageName("timeout")
    /// The log of calls.
    public static let log = StageName("log")
    /// A span for each call.
    public static let callTracing = StageName("callTracing")
    /// Measurements of whole calls.
    public static let callMetrics = StageName("callMetrics")
    /// The statuses that are errors.
    public static let status = StageName("status")
    /// Redirects are followed.
    public static let redirects = StageName("redirects")

    // Per hop.

    /// A refresh of the credentials when a hop is refused, and the hop once more.
    public static let refresh = StageName("refresh")
    /// Header fields of providers that answers may depend on.
    public static let headers = StageName("headers")
    /// Cookies.
    public static let cookies = StageName("cookies")
    /// Tokens and their refresh.
    public static let token = StageName("token")
    /// The identity of the user of a signature: it comes with the stage that gives it.
    public static let identity = StageName("identity")
    /// The cache.
    public static let cache = StageName("cache")
    /// Equal calls at the same time become one.
    public static let deduplication = StageName("deduplication")
    /// Further attempts.
    public static let retry = StageName("retry")

    // Per attempt.

    /// A second attempt when the first takes long.
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
    /// The time of one attempt.
    public static let attempt = StageName("attempt")
    /// Limits of rate and concurrency, and shedding.
    public static let limits = StageName("limits")
    /// The circuit breaker.
    public static let breaker = StageName("breaker")
    /// The choice of an endpoint.
    public static let balancing = StageName("balancing")
    /// The body is gathered.
    public static let body = StageName("body")
    /// The transport.
    public static let transport = StageName("transport")

    /// The stages that have a place of their own, outermost first.
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

    /// The scope and the rank of the name; `nil` for a name of your own.
    var place: (scope: StageScope, rank: Int)? { Self.places[self] }

    private static let places: [StageName: (scope: StageScope, rank: Int)] = {
        var places: [StageName: (scope: StageScope, rank: Int)] = [:]
        for (scope, names) in order {
            for name in names { places[name] = (scope, places.count) }
        }
        return places
    }()
}
