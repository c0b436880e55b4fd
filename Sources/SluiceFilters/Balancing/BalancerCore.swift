internal import Sluice

/// The state that the copies of a ``Balancer`` share, independent of its types: the endpoints and the policy.
@usableFromInline
final class BalancerCore: Sendable {
    /// A call that was sent to an endpoint.
    @usableFromInline
    struct Sent: Sendable {
        @usableFromInline let endpoint: EndpointLoad
        let call: EndpointLoad.Call
        /// The endpoints of the attempts of the same call.
        var tried: TriedEndpoints?
    }

    fileprivate struct State {
        var pool = EndpointPool<EndpointLoad>()
        /// The position of round robin.
        var cursor = 0
        /// A Boolean value that indicates whether no set of endpoints has come yet.
        var isAwaited: Bool
        /// A Boolean value that indicates whether there has been a set with endpoints.
        var hasBegun = false
        /// The time until which an endpoint may be in its slow start; 0 for no endpoint.
        var coldUntil: Int64 = 0
        var waiting: [Int: PendingCall<Void>] = [:]
        var lastID = 0
    }

    let policy: BalancingPolicy
    let accrual: TripCondition
    let timer: CallTimer
    private let pause: @Sendable (Int) -> Int64
    private let random: RandomSource
    private let slowStart: SlowStart
    /// A Boolean value that indicates whether costs change with time.
    private let isTimed: Bool
    private let isInTurns: Bool
    private let state: Locked<State>

    init(
        _ policy: BalancingPolicy,
        accrual: TripCondition,
        pause: @escaping @Sendable (Int) -> Int64,
        timer: CallTimer,
        random: RandomSource,
        limits: EjectionLimits,
        slowStart: SlowStart,
        isAwaited: Bool
    ) {
        self.policy = policy
        self.accrual = accrual
        self.pause = pause
        self.timer = timer
        self.random = random
        self.slowStart = slowStart
        if case .peakEWMA = policy { isTimed = true } else { isTimed = false }
        isInTurns = policy == .roundRobin
        // Not all clients begin with the same endpoint.
        state = Locked(
            State(
                pool: EndpointPool(limits: limits),
                cursor: policy == .roundRobin ? Int(random.below(1 << 31)) : 0,
                isAwaited: isAwaited
            )
        )
    }

    var endpoints: [EndpointLoad] { state.withLock { $0.pool.all } }

    /// Changes the set of endpoints. The new ones begin slowly, except for those of the first set.
    func replace(_ endpoints: [EndpointLoad]) {
        let waiting = state.withLock { state in
            if state.hasBegun {
                let known = Set(state.pool.all.map(ObjectIdentifier.init))
                for endpoint in endpoints where !known.contains(ObjectIdentifier(endpoint)) {
                    beginSlowly(endpoint, &state)
                }
            }
            if !endpoints.isEmpty { state.hasBegun = true }
            state.pool.replace(endpoints)
            return state.takeWaiting()
        }
        waiting.forEach { $0.end(.success(())) }
    }

    /// Declares that no further sets will come.
    func finish() {
        let waiting = state.withLock { $0.takeWaiting() }
        waiting.forEach { $0.end(.success(())) }
    }

    /// Waits until the first set has come, or the sets have ended; then does what ``send()`` does.
    ///
    /// - Throws: ``NoEndpointsError``; `CancellationError` when the task is canceled.
    @usableFromInline
    nonisolated(nonsending) func waitAndSend() async throws -> Sent {
        try await firstSet()
        guard let sent = send() else { throw NoEndpointsError() }
        return sent
    }

    /// Returns whether an error is a cancellation of the current call because its deadline has passed.
    @usableFromInline
    func isLate(_ error: any Error) -> Bool { timer.isLate(error) }

    /// Counts the end of a call; `nil` says that it tells nothing about the endpoint.
    @usableFromInline
    func end(_ sent: Sent, isFailure: Bool?) {
        if isFailure == false { sent.tried?.remove(sent.endpoint) }
        let change = sent.endpoint.end(sent.call, isFailure: isFailure, now: { timer.now }, pause: { pause($0) })
        if change.change != .none { apply(change, to: sent.endpoint) }
    }

    /// Takes an endpoint out of the pool, or puts it back.
    ///
    /// The liveness has a lock of its own, so changes may come here in another order than they were decided in. One that
    /// is not the last is left out: the last one says where the endpoint belongs.
    func apply(_ change: EndpointLoad.Change, to endpoint: EndpointLoad) {
        switch change.change {
        case .none: return
        case .died(let until):
            let isDone = state.withLock { state in
                guard endpoint.isLast(change) else { return false }
                state.pool.setDead(endpoint, until: until)
                return true
            }
            guard isDone else { return }
            CallContext.note(
                "Balancer",
                "\(endpoint.name) is taken out for \(Duration.nanoseconds(until - timer.now)): \(accrual)"
            )
        case .revived:
            let isDone = state.withLock { state in
                guard endpoint.isLast(change) else { return false }
                state.pool.setAlive(endpoint)
                beginSlowly(endpoint, &state)
                return true
            }
            if isDone { CallContext.note("Balancer", "\(endpoint.name) is alive again") }
        }
    }

    /// Chooses an endpoint, and counts the call; returns `nil` without endpoints.
    @usableFromInline
    func send() -> Sent? {
        let tried = TriedEndpoints.current
        let avoided = tried?.endpoints ?? []
        var sent = state.withLock { state -> Sent? in
            if state.pool.hasDead {
                let now = timer.now
                if let endpoint = state.pool.popDue(at: now, except: avoided) {
                    state.pool.setDead(endpoint, until: endpoint.probe(at: now) { pause($0) })
                    return Sent(endpoint: endpoint, call: endpoint.begin(isProbe: true) { now })
                }
            }
            return choose(&state, avoided)
        }
        if let tried, let endpoint = sent?.endpoint {
            tried.add(endpoint)
            sent?.tried = tried
        }
        if let sent, CallContext.isExplained { CallContext.note("Balancer", "sent to \(sent.endpoint.name)") }
        return sent
    }

    private func choose(_ state: inout State, _ avoided: [EndpointLoad]) -> Sent? {
        let count = state.pool.candidateCount
        guard count > 0 else { return nil }
        var now: Int64?
        let index: Int
        if count == 1 {
            index = 0
        } else if let others = state.pool.candidates(except: avoided) {
            index = others[self.index(below: others.count, &state, &now) { others[$0] }]
        } else {
            index = self.index(below: count, &state, &now) { $0 }
        }
        let chosen = state.pool.candidate(index)
        return Sent(endpoint: chosen, call: chosen.begin(isProbe: false) { now ?? timer.now })
    }

    /// Returns one of `count` numbers by the policy; `candidate` returns the index of the candidate for a number.
    ///
    /// If the policy chooses an endpoint in its slow start, chance decides whether the call goes to the next best.
    @inline(__always)
    private func index(
        below count: Int,
        _ state: inout State,
        _ now: inout Int64?,
        candidate: (Int) -> Int
    ) -> Int {
        guard count > 1 else { return 0 }
        var chosen: Int
        let next: Int
        if isInTurns {
            state.cursor = (state.cursor + 1) % count
            chosen = state.cursor
            next = (chosen + 1) % count
        } else {
            let (first, second) = random.pair(below: count)
            let time = isTimed ? timer.now : 0
            if isTimed { now = time }
            let isSecond = state.pool.compare(candidate(first), candidate(second)) {
                $1.cost(at: time) < $0.cost(at: time)
            }
            (chosen, next) = isSecond ? (second, first) : (first, second)
        }
        if state.coldUntil > 0, isTooCold(state.pool.candidate(candidate(chosen)), &state) {
            chosen = next
        }
        return chosen
    }

    // MARK: Slow start

    private func beginSlowly(_ endpoint: EndpointLoad, _ state: inout State) {
        let span = slowStart.duration.nanoseconds
        guard span > 0 else { return }
        let now = timer.now
        endpoint.beginSlowly(at: now)
        state.coldUntil = max(state.coldUntil, now.advanced(byClamping: span), 1)
    }

    /// Decides by chance whether an endpoint that is in its slow start has had its share.
    private func isTooCold(_ endpoint: EndpointLoad, _ state: inout State) -> Bool {
        let now = timer.now
        guard now < state.coldUntil else {
            state.coldUntil = 0
            return false
        }
        guard let start = endpoint.coldSince else { return false }
        let share = slowStart.share(at: now - start)
        return share < 1 && random.double() >= share
    }

    /// Waits until the first set has come, or the sets have ended.
    nonisolated(nonsending) private func firstSet() async throws {
        let call = PendingCall<Void>()
        let id = state.withLock { state -> Int? in
            guard state.isAwaited else { return nil }
            state.lastID += 1
            state.waiting[state.lastID] = call
            return state.lastID
        }
        guard let id else { return }
        CallContext.note("Balancer", "waits for the first set of endpoints")
        do { try await call.value() } catch {
            state.withLock { $0.waiting[id] = nil }
            throw error
        }
    }
}

extension BalancerCore.State {
    mutating func takeWaiting() -> [PendingCall<Void>] {
        isAwaited = false
        defer { waiting = [:] }
        return Array(waiting.sorted { $0.key < $1.key }.map(\.value))
    }
}

extension RandomSource {
    /// Returns two different numbers from 0 up to `count`, which is at least 2. Both come from one random number, each
    /// from a half, with a bias below `count` ÷ 2³².
    func pair(below count: Int) -> (Int, Int) {
        let number = next()
        let first = Int((number >> 32).multipliedFullWidth(by: UInt64(count) << 32).high)
        let second = Int((number & 0xFFFF_FFFF).multipliedFullWidth(by: UInt64(count - 1) << 32).high)
        return (first, second >= first ? second + 1 : second)
    }
}
