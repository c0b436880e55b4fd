internal import Sluice
internal import SluiceJSON

/// The balancer of a ``StackNode``, which is kept while only its addresses and the filters of its endpoints change.
final class StackEndpoints<Request: Sendable, Response: Sendable>: Sendable {
    typealias Core = StackCore<Request, Response>

    private struct State: Sendable {
        var settings: StackSettings
        var balancer: Balancer<Request, Response>
        var membership: Membership<String, EndpointNode>
        /// The number of the document among those of the stack.
        var generation = 0
    }

    /// An endpoint with its filters.
    struct EndpointNode: Node, CustomStringConvertible {
        /// The filters; `nil` if a closure of the program failed that had not failed before.
        let core: Core?
        let node: AnyNode<Request, Response>

        nonisolated(nonsending) func process(_ input: Request) async throws -> Response {
            guard let stages = core?.stages, !stages.isEmpty else { return try await node.process(input) }
            return try await StageNode(stages: stages, index: 0, last: node).process(input)
        }

        var description: String { "\(node)" }
    }

    /// The filters by address.
    private final class Cores: Sendable {
        private let storage = Locked<[String: Core]>([:])

        var all: [String: Core] {
            get { storage.withLock { $0 } }
            set { storage.withLock { $0 = newValue } }
        }
    }

    private let bindings: StackBindings<Request, Response>
    private let connect: @Sendable (String) -> EndpointNode
    private let cores: Cores
    private let state: Locked<State>

    init(
        _ bindings: StackBindings<Request, Response>,
        connect: @escaping @Sendable (String) -> AnyNode<Request, Response>
    ) {
        let cores = Cores()
        let connect: @Sendable (String) -> EndpointNode = { address in
            EndpointNode(core: cores.all[address], node: connect(address))
        }
        self.bindings = bindings
        self.connect = connect
        self.cores = cores
        state = Locked(Self.make(.defaults, bindings, connect))
    }

    var balancer: Balancer<Request, Response> { state.withLock { $0.balancer } }

    /// Checks that the filters of the endpoints can be created.
    ///
    /// - Throws: `JSONErrors` if they need something that the bindings lack.
    func check(_ document: StackDocument) throws(JSONErrors) { _ = try Core(document.endpointStack, bindings) }

    /// Returns the effects of a document on the filters of an endpoint that remains.
    func plan(_ document: StackDocument) -> StackChange {
        guard let core = cores.all.first?.value else { return StackChange() }
        let change = core.plan(document.endpointStack)
        func named(_ names: [String]) -> [String] {
            names.filter { !$0.hasPrefix("budget ") }.map { "endpoint \($0)" }
        }
        return StackChange(
            kept: named(change.kept),
            reset: named(change.reset),
            added: named(change.added),
            dropped: named(change.dropped)
        )
    }

    /// Applies the balancer of a document, unless that of a later document has been applied already.
    ///
    /// - Returns: `true` if the existing balancer was kept.
    func update(_ document: StackDocument, _ applied: Core.Applied) -> Bool {
        guard let settings = document.balancer?.settings else { return true }
        let addresses = settings[BalancerKeys.endpoints]
        let fixed = settings.without([BalancerKeys.endpoints.parameter.name])
        let stack = document.endpointStack
        return state.withLock { state in
            let stays = state.settings == fixed
            guard applied.generation > state.generation else { return stays }
            updateFilters(stack, of: addresses, applied.budgets)
            if !stays { state = Self.make(fixed, bindings, connect) }
            state.generation = applied.generation
            state.membership.update(addresses)
            return stays
        }
    }

    /// Applies a document to the filters of each endpoint, and removes those of endpoints that are gone.
    private func updateFilters(_ stack: StackDocument, of addresses: [String], _ budgets: [String: RetryBudget]) {
        let old = cores.all
        var new: [String: Core] = [:]
        for address in addresses where new[address] == nil {
            if let core = old[address] {
                // It has been checked. If a closure of the program fails only now, the old filters continue.
                _ = try? core.replace(with: stack, sharing: budgets)
                new[address] = core
            } else {
                new[address] = try? Core(stack, bindings, sharing: budgets)
            }
        }
        cores.all = new
    }

    private static func make(
        _ settings: StackSettings,
        _ bindings: StackBindings<Request, Response>,
        _ connect: @escaping @Sendable (String) -> EndpointNode
    ) -> State {
        let balancer = Balancer(
            settings.balancingPolicy,
            over: [String](),
            accrual: TripCondition(rules: settings[BalancerKeys.opensOn].flatMap(\.rules)),
            backoff: settings[BalancerKeys.backoff],
            limits: settings.ejectionLimits,
            slowStart: SlowStart(over: settings[BalancerKeys.slowStart]),
            classify: bindings.classify,
            clock: bindings.clock,
            random: bindings.random,
            connect: connect
        )
        return State(settings: settings, balancer: balancer, membership: Membership(balancer.core, connect))
    }
}

/// The keys of a balancer in a document.
enum BalancerKeys {
    static let policy = StackKey(
        "policy",
        .choice(["roundRobin", "leastLoaded", "peakEWMA"]),
        default: "leastLoaded"
    )
    static let decay = StackKey("decay", .positiveSeconds, default: .seconds(10))
        .requiring(
            .init(
                other: "policy",
                condition: .equal("peakEWMA"),
                message: "only the policy \"peakEWMA\" has a decay",
                hint: "remove it"
            )
        )
    static let endpoints = StackKey("endpoints", .list(.text, atMost: 10_000))
    static let opensOn = StackKey(
        "opensOn",
        .list(.condition, atMost: 10),
        default: [.averageSuccess(), .consecutiveFailures()]
    )
    static let backoff = StackKey(
        "backoff",
        .pause,
        default: .exponential(from: .seconds(10), to: .seconds(300), jitter: .equal)
    )
    static let maximumShare = StackKey("maximumShare", .share, default: 1)
    static let panicThreshold = StackKey("panicThreshold", .share, default: 0)
    static let slowStart = StackKey("slowStart", .seconds, default: .zero)

    static let keys: [any FilterKey] = [
        policy, decay, endpoints, opensOn, backoff, maximumShare, panicThreshold, slowStart,
    ]
    static let parameters = keys.map(\.parameter) + [StackParameter(name: "filters", form: .filters)]
}

extension StackSettings {
    /// The policy by which a balancer chooses an endpoint.
    var balancingPolicy: BalancingPolicy {
        switch self[BalancerKeys.policy] {
        case "roundRobin": .roundRobin
        case "peakEWMA": .peakEWMA(decay: self[BalancerKeys.decay])
        default: .leastLoaded
        }
    }

    /// The bounds within which a balancer takes endpoints out.
    var ejectionLimits: EjectionLimits {
        EjectionLimits(maximumShare: self[BalancerKeys.maximumShare], panicThreshold: self[BalancerKeys.panicThreshold])
    }
}
