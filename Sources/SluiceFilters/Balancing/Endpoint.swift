public import Sluice
internal import Synchronization

/// What a ``Balancer`` knows of one endpoint, whatever its types.
@usableFromInline
class EndpointLoad: @unchecked Sendable {
    // `@unchecked Sendable`: all stored properties are constants of sendable types; a class that is not final may not
    // say so itself.

    private struct State {
        var liveness: Liveness
        var average: PeakEWMA?
        var counts = EndpointCounts()
    }

    /// What a call brings back.
    @usableFromInline
    struct Call: Sendable {
        let liveness: Liveness.Call
    }

    // What every call touches comes first, in one line of the processor's cache.
    /// Calls under way; beside the lock, so that to compare two endpoints and to send takes none.
    private let pending = Atomic(0)
    /// The liveness' epoch, for the same reason.
    private let epoch = Atomic(0)
    private let needsStart: Bool
    /// Whether its cost is more than the calls under way.
    private let isAveraged: Bool
    private let state: Locked<State>
    let name: String

    init(_ name: String, _ accrual: TripCondition, _ policy: BalancingPolicy, at now: Int64) {
        self.name = name
        var average: PeakEWMA?
        if case .peakEWMA(let decay) = policy { average = PeakEWMA(decay: decay.nanoseconds, at: now) }
        let liveness = Liveness(accrual, at: now)
        isAveraged = average != nil
        needsStart = liveness.needsStart || isAveraged
        state = Locked(State(liveness: liveness, average: average))
    }

    var counts: EndpointCounts {
        state.withLock { state in
            var counts = state.counts
            counts.name = name
            counts.pending = pending.load(ordering: .relaxed)
            counts.calls = counts.pending + counts.successes + counts.failures + counts.ignored
            counts.isAlive = state.liveness.isAlive
            return counts
        }
    }

    /// What one more call would cost, for comparison; `now` is 0 where no average is kept.
    func cost(at now: Int64) -> Double {
        let pending = pending.load(ordering: .relaxed)
        guard isAveraged else { return Double(pending) }
        return state.withLock { $0.average?.cost(pending: pending, at: now) ?? 0 }
    }

    func begin(isProbe: Bool, now: () -> Int64) -> Call {
        let start = needsStart ? now() : 0
        pending.add(1, ordering: .relaxed)
        return Call(liveness: Liveness.Call(epoch: epoch.load(ordering: .relaxed), isProbe: isProbe, start: start))
    }

    /// A call is to find out whether it is alive again; see ``Liveness/probe(at:pause:)``.
    func probe(at now: Int64, pause: (Int) -> Int64) -> Int64 {
        state.withLock { state in
            let until = state.liveness.probe(at: now, pause: pause)
            epoch.store(state.liveness.epoch, ordering: .relaxed)
            return until
        }
    }

    func end(_ call: Call, isFailure: Bool?, now: () -> Int64, pause: (Int) -> Int64) -> Liveness.Change {
        state.withLock { state in
            // Under the lock, so that ``counts`` sees each call once.
            pending.subtract(1, ordering: .relaxed)
            switch isFailure {
            case true?: state.counts.failures += 1
            case false?: state.counts.successes += 1
            case nil: state.counts.ignored += 1
            }
            let change: Liveness.Change
            if isAveraged {
                let now = now()
                state.average?.observe(Double(max(now - call.liveness.start, 0)), at: now)
                change = state.liveness.record(isFailure: isFailure, call.liveness, now: { now }, pause: pause)
            } else {
                change = state.liveness.record(isFailure: isFailure, call.liveness, now: now, pause: pause)
            }
            if change != .none { epoch.store(state.liveness.epoch, ordering: .relaxed) }
            return change
        }
    }
}

/// An endpoint with its node.
///
/// `@unchecked Sendable`: restates the superclass's; a constant of a sendable type is added.
@usableFromInline
final class Endpoint<Request: Sendable, Response: Sendable>: EndpointLoad, @unchecked Sendable {
    @usableFromInline let node: any Node<Request, Response>

    init(
        _ name: String,
        _ node: any Node<Request, Response>,
        _ accrual: TripCondition,
        _ policy: BalancingPolicy,
        at now: Int64
    ) {
        self.node = node
        super.init(name, accrual, policy, at: now)
    }
}

/// What a ``Balancer`` has seen of one endpoint.
public struct EndpointCounts: Sendable, Equatable {
    /// What the endpoint's address says of itself.
    public var name = ""
    /// Whether calls are sent to it; a dead one gets one call after each pause, or when all are dead.
    public var isAlive = true
    /// Calls under way.
    public var pending = 0
    /// Calls that were sent to it.
    public var calls = 0
    /// Calls that ended well.
    public var successes = 0
    /// Calls that failed.
    public var failures = 0
    /// Calls whose end says nothing: canceled ones.
    public var ignored = 0
}
