public import Sluice
public import SluiceJSON

/// The filters and the endpoints of a ``StackDocument`` that has a `balancer`; both can be replaced while they run.
///
/// ```swift
/// let text = """
///     {
///       "filters": [{"timeout": {"seconds": 2}}],
///       "balancer": {"policy": "peakEWMA", "endpoints": ["http://a.example", "http://b.example"]}
///     }
///     """
/// let node = try StackNode<String, Person>(StackDocument(parsing: text)) { address in users }
/// let ada = try await node.process("ada")
/// ```
///
/// The filters behave as in a ``StackFilter``. An endpoint whose address remains keeps its statistics as long as the
/// other parameters of the balancer remain.
public struct StackNode<Request: Sendable, Response: Sendable>: Node, CustomStringConvertible {
    private let stack: StackFilter<Request, Response>
    private let endpoints: StackEndpoints<Request, Response>

    /// Creates the filters and endpoints of a document.
    ///
    /// - Parameters:
    ///   - document: The document, which must have a `balancer`.
    ///   - bindings: The parts that the document leaves to the program.
    ///   - connect: A closure that returns the node of an address. It is called once for each new address, while a
    ///     document is applied. It must not apply a document itself.
    /// - Throws: `JSONErrors` if the document needs something that is missing.
    public init<Endpoint: Node<Request, Response>>(
        _ document: StackDocument,
        bindings: StackBindings<Request, Response> = StackBindings(),
        connect: @escaping @Sendable (String) -> Endpoint
    ) throws(JSONErrors) {
        try document.requireBalancer()
        stack = StackFilter(core: try StackCore(document, bindings))
        endpoints = StackEndpoints(bindings) { AnyNode(connect($0)) }
        _ = endpoints.update(document)
    }

    /// The running document.
    public var document: StackDocument { stack.document }

    /// Applies another document: calls that begin from now on pass through its filters to its endpoints.
    ///
    /// - Returns: The effects on the filters, and on the balancer under that name.
    /// - Throws: `JSONErrors`; the old document keeps running.
    @discardableResult
    public func replace(with document: StackDocument) throws(JSONErrors) -> StackChange {
        try document.requireBalancer()
        var change = try stack.core.replace(with: document)
        if endpoints.update(document) { change.kept.append("balancer") } else { change.reset.append("balancer") }
        return change
    }

    /// Passes the call through the filters, with the endpoints as the innermost stage.
    ///
    /// - Throws: The errors of the filters and of the endpoint; ``NoEndpointsError``.
    /// - Cancellation: Cancels the filter that waits, and the endpoint.
    nonisolated(nonsending) public func process(_ input: Request) async throws -> Response {
        try await stack.process(input, next: endpoints.balancer)
    }

    /// A description such as `TimeoutFilter(2.0 seconds) → Balancer(least loaded, 2 endpoints)`.
    public var description: String { "\(stack.andThen(endpoints.balancer))" }
}

/// The balancer of a document, which is kept while only its addresses change.
private final class StackEndpoints<Request: Sendable, Response: Sendable>: Sendable {
    private struct State: Sendable {
        var settings: StackSettings
        var balancer: Balancer<Request, Response>
        var membership: Membership<String, AnyNode<Request, Response>>
    }

    private let bindings: StackBindings<Request, Response>
    private let connect: @Sendable (String) -> AnyNode<Request, Response>
    private let state: Locked<State>

    init(
        _ bindings: StackBindings<Request, Response>,
        connect: @escaping @Sendable (String) -> AnyNode<Request, Response>
    ) {
        self.bindings = bindings
        self.connect = connect
        state = Locked(Self.make(StackSettings(json: .null), bindings, connect))
    }

    var balancer: Balancer<Request, Response> { state.withLock { $0.balancer } }

    /// Applies the balancer of a document; returns `true` if the existing one was kept.
    func update(_ document: StackDocument) -> Bool {
        guard let settings = document.balancer?.settings else { return true }
        let addresses = (settings.json["endpoints"]?.array ?? []).compactMap(\.string)
        let fixed = settings.without(["endpoints"])
        return state.withLock { state in
            let stays = state.settings == fixed
            if !stays { state = Self.make(fixed, bindings, connect) }
            state.membership.update(addresses)
            return stays
        }
    }

    private static func make(
        _ settings: StackSettings,
        _ bindings: StackBindings<Request, Response>,
        _ connect: @escaping @Sendable (String) -> AnyNode<Request, Response>
    ) -> State {
        let balancer = Balancer(
            settings.policy,
            over: [String](),
            accrual: settings.conditions("opensOn") ?? .averageSuccess().or(.consecutiveFailures()),
            backoff: settings.backoff("backoff") ?? .exponential(from: .seconds(10), to: .seconds(300), jitter: .equal),
            classify: bindings.classify,
            clock: bindings.clock,
            random: bindings.random,
            connect: connect
        )
        return State(settings: settings, balancer: balancer, membership: Membership(balancer.core, connect))
    }
}

extension StackDocument {
    fileprivate func requireBalancer() throws(JSONErrors) {
        guard balancer == nil else { return }
        let start = JSONPosition(line: 1, column: 1, offset: 0)
        throw JSONErrors([
            JSONError(.missingKey, "the key \"balancer\" is missing", hint: "make a StackFilter of it", at: start)
        ])
    }

    /// Throws for a document with endpoints that are not allowed there.
    func requireNoBalancer() throws(JSONErrors) {
        guard let balancer else { return }
        let message = "a filter has no endpoints"
        throw JSONErrors([
            JSONError(
                .unknownKey,
                message,
                hint: "make a StackNode of it",
                path: ["balancer"],
                at: balancer.position
            )
        ])
    }
}
