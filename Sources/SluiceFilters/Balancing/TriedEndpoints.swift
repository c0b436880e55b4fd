internal import Sluice
internal import Synchronization

/// The endpoints that received an attempt of one call, without those that have responded well. A ``Balancer`` prefers
/// other endpoints for further attempts.
///
/// A retry or a hedge puts it into the call context; those further inside use the same one.
final class TriedEndpoints: Sendable {
    private struct State {
        var endpoints: [EndpointLoad] = []
        var isUsed = false
    }

    private let state = Locked(State())

    /// The endpoints of the running call, if a filter around the balancer makes further attempts.
    static var current: TriedEndpoints? {
        CallContext.isCurrentEmpty ? nil : CallContext.current.tried as? TriedEndpoints
    }

    /// The endpoints that failed, or whose calls are still running.
    var endpoints: [EndpointLoad] { state.withLock { $0.endpoints } }

    /// A Boolean value that indicates whether a balancer has used it.
    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Adds an endpoint to which an attempt is sent.
    func add(_ endpoint: EndpointLoad) {
        state.withLock { state in
            state.isUsed = true
            state.endpoints.append(endpoint)
        }
    }

    /// Removes an endpoint that responded well, so that other calls within the same attempt may use it again.
    func remove(_ endpoint: EndpointLoad) {
        state.withLock { state in
            guard let index = state.endpoints.lastIndex(where: { $0 === endpoint }) else { return }
            state.endpoints.remove(at: index)
        }
    }
}

/// The knowledge of a retry or a hedge about the stages inside of it: whether its calls reach a balancer.
///
/// The first call finds out. Until a later one finds a balancer, the first attempts of calls skip the bookkeeping.
@usableFromInline
final class BalancerKnowledge: Sendable {
    private static var unknown: Int { 0 }
    private static var absent: Int { 1 }
    private static var present: Int { 2 }

    private let state = Atomic(0)

    init() {}

    /// A Boolean value that indicates whether the endpoint of a first attempt matters.
    @usableFromInline var mayReachBalancer: Bool { state.load(ordering: .relaxed) != Self.absent }

    /// Adds a record of endpoints to the context of an attempt, unless it has one or does not need one.
    ///
    /// - Returns: The record that was added, for ``learn(from:)``.
    func begin(_ context: inout CallContext, isFirst: Bool) -> TriedEndpoints? {
        guard context.tried == nil, !isFirst || mayReachBalancer else { return nil }
        let tried = TriedEndpoints()
        context.tried = tried
        return tried
    }

    /// Notes after a call whether it has reached a balancer.
    func learn(from tried: TriedEndpoints?) {
        guard let tried else { return }
        if tried.isUsed {
            state.store(Self.present, ordering: .relaxed)
        } else {
            _ = state.compareExchange(expected: Self.unknown, desired: Self.absent, ordering: .relaxed)
        }
    }
}
