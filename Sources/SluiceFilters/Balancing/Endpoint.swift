public import Sluice
internal import Synchronization

/// The statistics of a ``Balancer`` about one endpoint, independent of its types.
@usableFromInline
class EndpointLoad: @unchecked Sendable {
    // `@unchecked Sendable`: all stored properties are constants of sendable types; the compiler can't check this for a
    // class that is not final.

    private struct State {
        var liveness: Liveness
        var average: PeakEWMA?
        var counts = EndpointCounts()
    }

    /// The information that the end of a call needs.
    @usableFromInline
    struct Call: Sendable {
        let liveness: Liveness.Call
    }

    // The properties that every call uses come first, in one cache line.
    /// The number of calls in flight, outside of the lock, so that comparing two endpoints and sending need no lock.
    private let pending = Atomic(0)
    /// The epoch of the liveness, outside of the lock for the same reason.
    private let epoch = Atomic(0)
    /// The time at which its slow start began; `Int64.min` without one.
    private let cold = Atomic(Int64.min)
    private let needsStart: Bool
    /// A Boolean value that indicates whether its cost includes an average.
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

    /// Returns the cost of one more call, for comparison; `now` is 0 if no average is kept.
    func cost(at now: Int64) -> Double {
        let pending = pending.load(ordering: .relaxed)
        guard isAveraged else { return Double(pending) }
        return state.withLock { $0.average?.cost(pending: pending, at: now) ?? 0 }
    }

    /// The time at which its slow start began, if it had one.
    var coldSince: Int64? {
        let time = cold.load(ordering: .relaxed)
        return time == .min ? nil : time
    }

    /// Records that a slow start begins.
    func beginSlowly(at now: Int64) { cold.store(now, ordering: .relaxed) }

    func begin(isProbe: Bool, now: () -> Int64) -> Call {
        let start = needsStart ? now() : 0
        pending.add(1, ordering: .relaxed)
        return Call(liveness: Liveness.Call(epoch: epoch.load(ordering: .relaxed), isProbe: isProbe, start: start))
    }

    /// Records that a call probes whether the endpoint is alive again; see ``Liveness/probe(at:pause:)``.
    func probe(at now: Int64, pause: (Int) -> Int64) -> Int64 {
        state.withLock { state in
            let until = state.liveness.probe(at: now, pause: pause)
            epoch.store(state.liveness.epoch, ordering: .relaxed)
            return until
        }
    }

    /// A change of the liveness that the balancer has to make, with the number of the change.
    struct Change: Sendable {
        let change: Liveness.Change
        let epoch: Int
    }

    /// Returns a Boolean value that indicates whether a change is the last one of the liveness.
    func isLast(_ change: Change) -> Bool { epoch.load(ordering: .relaxed) == change.epoch }

    /// Counts the end of a call.
    func end(_ call: Call, isFailure: Bool?, now: () -> Int64, pause: (Int) -> Int64) -> Change {
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
            return Change(change: change, epoch: state.liveness.epoch)
        }
    }
}

/// An endpoint with its node.
///
/// `@unchecked Sendable`: restates the superclass's conformance; a constant of a sendable type is added.
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

/// The statistics of a ``Balancer`` about one endpoint.
public struct EndpointCounts: Sendable, Equatable {
    /// The description of the endpoint's address.
    public var name = ""
    /// A Boolean value that indicates whether calls are sent to it; a dead one receives one call after each pause, or
    /// when all are dead.
    public var isAlive = true
    /// The number of calls in flight.
    public var pending = 0
    /// The number of calls that were sent to it.
    public var calls = 0
    /// The number of successful calls.
    public var successes = 0
    /// The number of failed calls.
    public var failures = 0
    /// The number of calls whose end says nothing, such as canceled ones.
    public var ignored = 0
}
