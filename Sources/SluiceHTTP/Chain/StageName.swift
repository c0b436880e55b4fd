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
    /// The scope of a stage with a position of its own.
    let scope: StageScope?
    /// The stage immediately inside of which it has its position; `nil` for the one that the list has.
    private let outer: String?

    /// Makes a custom name.
    public init(_ name: String) { (description, scope, outer) = (name, nil, nil) }
    /// Makes a custom name.
    public init(stringLiteral name: String) { self.init(name) }

    /// Declares a stage with a position of its own: within its scope as in the list, or immediately inside of another.
    init(_ name: String, _ scope: StageScope, inside outer: String? = nil) {
        (description, self.scope, self.outer) = (name, scope, outer)
    }

    /// Returns a Boolean value that indicates whether two names are spelled alike.
    public static func == (one: StageName, other: StageName) -> Bool { one.description == other.description }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// The stages that have a position of their own, outermost first.
    static let ordered = ordering(declared)

    /// Returns names by scope; one that declares its outer neighbor follows it, and others keep their order.
    static func ordering(_ declared: [StageName]) -> [StageName] {
        var names = StageScope.allCases.flatMap { scope in
            declared.filter { $0.scope == scope && $0.outer == nil }
        }
        var rest = declared.filter { $0.outer != nil }
        while let index = rest.firstIndex(where: { name in names.contains { $0.description == name.outer } }) {
            let name = rest.remove(at: index)
            if let outer = names.firstIndex(where: { $0.description == name.outer }) {
                names.insert(name, at: outer + 1)
            }
        }
        return names + rest
    }

    /// The scope and the rank of the name; `nil` for a custom name.
    var place: (scope: StageScope, rank: Int)? { Self.places[self] }

    private static let places: [StageName: (scope: StageScope, rank: Int)] = {
        var places: [StageName: (scope: StageScope, rank: Int)] = [:]
        for name in ordered { places[name] = name.scope.map { ($0, places.count) } }
        return places
    }()
}

// The stages of filters that know nothing of HTTP. The others are declared in the files of their filters.

extension StageName {
    /// An answer that replaces an error of the call.
    public static let fallback = StageName("fallback", .call)
    /// The time limit of the whole call.
    public static let timeout = StageName("timeout", .call)
    /// The log of calls.
    public static let log = StageName("log", .call)
    /// A span for each call.
    public static let callTracing = StageName("callTracing", .call)
    /// Measurements of whole calls.
    public static let callMetrics = StageName("callMetrics", .call)
    /// A refresh of the credentials when a hop is refused, followed by a repetition of the hop.
    public static let refresh = StageName("refresh", .hop)
    /// Header fields of providers on which answers may depend.
    public static let headers = StageName("headers", .hop)
    /// Access tokens and their refresh.
    public static let token = StageName("token", .hop)
    /// The retry.
    public static let retry = StageName("retry", .hop)
    /// A second attempt when the first takes too long.
    public static let hedge = StageName("hedge", .attempt)
    /// Header fields of providers that differ for each attempt.
    public static let attemptHeaders = StageName("attemptHeaders", .attempt)
    /// The time limit of one attempt.
    public static let attempt = StageName("attempt", .attempt)
    /// Limits on rate and concurrency, and load shedding.
    public static let limits = StageName("limits", .attempt)
    /// The circuit breaker.
    public static let breaker = StageName("breaker", .attempt)
    /// The choice of an endpoint.
    public static let balancing = StageName("balancing", .attempt)
    /// The transport.
    public static let transport = StageName("transport", .attempt)
}
#endif
