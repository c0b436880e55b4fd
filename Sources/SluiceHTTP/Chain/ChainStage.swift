import Sluice

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

    /// The time of the whole call.
    public static let timeout = StageName("timeout")
    /// What is told of a call.
    public static let log = StageName("log")
    /// What is measured of a call.
    public static let metrics = StageName("metrics")
    /// Header fields of providers.
    public static let headers = StageName("headers")
    /// Which answers are errors.
    public static let status = StageName("status")
    /// The cache.
    public static let cache = StageName("cache")
    /// Equal calls at the same time become one.
    public static let deduplication = StageName("deduplication")
    /// Further tries.
    public static let retry = StageName("retry")
    /// The time of one try.
    public static let attempt = StageName("attempt")
    /// Tokens and their refresh.
    public static let token = StageName("token")
    /// A span a try.
    public static let tracing = StageName("tracing")
    /// The body is gathered.
    public static let body = StageName("body")
    /// Redirects are followed.
    public static let redirects = StageName("redirects")
    /// What carries the request.
    public static let transport = StageName("transport")

    /// The stages that have a place of their own, outermost first.
    static let order: [StageName] = [
        .timeout, .log, .metrics, .headers, .status, .cache, .deduplication, .retry, .attempt, .token, .tracing, .body,
        .redirects, .transport,
    ]
}

/// The stages of a chain between its codec and its transport, outermost first.
struct ChainStages: Sendable {
    /// Puts a stage around what stands inside of it.
    private typealias Wrap =
        @Sendable (AnyNode<TransportRequest, TransportResponse>) -> AnyNode<
            TransportRequest, TransportResponse
        >

    private var stages: [(name: StageName, wrap: Wrap)] = []
    private var unknown: StageName?

    /// The names, outermost first, the transport at the end.
    var names: [StageName] { stages.map(\.name) + [.transport] }

    /// What was asked of a stage that is not there.
    var fault: String? {
        unknown.map { "the chain has no stage '\($0)': it has \(names.map(\.description).joined(separator: ", "))" }
    }

    /// Puts a filter at the place that its name has in the order of all; one that is there is replaced.
    mutating func set(_ name: StageName, _ filter: some SimpleFilter<TransportRequest, TransportResponse>) {
        if let index = index(of: name) {
            stages[index].wrap = Self.wrap(filter)
            return
        }
        let rank = StageName.order.firstIndex(of: name) ?? 0
        let index = stages.firstIndex { (StageName.order.firstIndex(of: $0.name) ?? -1) > rank } ?? stages.endIndex
        stages.insert((name, Self.wrap(filter)), at: index)
    }

    mutating func remove(_ name: StageName) {
        guard let index = found(name) else { return }
        stages.remove(at: index)
    }

    mutating func replace(
        _ name: StageName,
        with filter: some SimpleFilter<TransportRequest, TransportResponse>
    ) {
        guard let index = found(name) else { return }
        stages[index].wrap = Self.wrap(filter)
    }

    /// Puts a filter right outside of a stage, or right inside.
    mutating func insert(
        _ new: StageName,
        _ filter: some SimpleFilter<TransportRequest, TransportResponse>,
        outside: Bool,
        of name: StageName
    ) {
        if name == .transport && outside {
            stages.append((new, Self.wrap(filter)))
        } else if let index = found(name) {
            stages.insert((new, Self.wrap(filter)), at: outside ? index : index + 1)
        }
    }

    /// The stages around a transport.
    func around(
        _ transport: AnyNode<TransportRequest, TransportResponse>
    ) -> AnyNode<TransportRequest, TransportResponse> {
        stages.reversed().reduce(transport) { node, stage in stage.wrap(node) }
    }

    private static func wrap(_ filter: some SimpleFilter<TransportRequest, TransportResponse>) -> Wrap {
        { AnyNode(filter.andThen($0)) }
    }

    private func index(of name: StageName) -> Int? { stages.firstIndex { $0.name == name } }

    /// The place of a stage; the first name that no stage has is remembered, and told when the chain is called.
    private mutating func found(_ name: StageName) -> Int? {
        let index = index(of: name)
        if index == nil { unknown = unknown ?? name }
        return index
    }
}
