internal import Sluice

/// The state that the copies of a ``Balancer`` share, independent of its types: the endpoints and the policy.
@usableFromInline
final class BalancerCore: Sendable {
    /// A call that was sent to an endpoint.
    @usableFromInline
    struct Sent: Sendable {
        @usableFromInline let endpoint: EndpointLoad
        let call: EndpointLoad.Call
    }

    fileprivate struct State {
        var roster = Roster<EndpointLoad>()
        /// The position of round robin.
        var cursor = 0
        /// A Boolean value that indicates whether no set of endpoints has come yet.
        var isAwaited: Bool
        var waiting: [Int: PendingCall<Void>] = [:]
        var lastID = 0
    }

    let policy: BalancingPolicy
    let accrual: TripCondition
    let timer: CallTimer
    private let pause: @Sendable (Int) -> Int64
    private let random: RandomSource
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
        isAwaited: Bool
    ) {
        self.policy = policy
        self.accrual = accrual
        self.pause = pause
        self.timer = timer
        self.random = random
        if case .peakEWMA = policy { isTimed = true } else { isTimed = false }
        isInTurns = policy == .roundRobin
        // Not all clients begin with the same endpoint.
        state = Locked(
            State(
                roster: Roster(limits: limits),
                cursor: policy == .roundRobin ? Int(random.below(1 << 31)) : 0,
                isAwaited: isAwaited
            )
        )
    }

    var endpoints: [EndpointLoad] { state.withLock { $0.roster.all } }

    /// Changes the set of endpoints.
    func replace(_ endpoints: [EndpointLoad]) {
        let waiting = state.withLock { state in
            state.roster.replace(endpoints)
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
        switch sent.endpoint.end(sent.call, isFailure: isFailure, now: { timer.now }, pause: { pause($0) }) {
        case .none: return
        case .died(let until):
            state.withLock { $0.roster.setDead(sent.endpoint, until: until) }
            CallContext.note(
                "Balancer",
                "\(sent.endpoint.name) is taken out for \(Duration.nanoseconds(until - timer.now)): \(accrual)"
            )
        case .revived:
            state.withLock { $0.roster.setAlive(sent.endpoint) }
            CallContext.note("Balancer", "\(sent.endpoint.name) is alive again")
        }
    }

    /// Chooses an endpoint, and counts the call; returns `nil` without endpoints.
    @usableFromInline
    func send() -> Sent? {
        let sent = state.withLock { state -> Sent? in
            if state.roster.hasDead {
                let now = timer.now
                if let endpoint = state.roster.popDue(at: now) {
                    state.roster.setDead(endpoint, until: endpoint.probe(at: now) { pause($0) })
                    return Sent(endpoint: endpoint, call: endpoint.begin(isProbe: true) { now })
                }
            }
            return choose(&state)
        }
        if let sent, CallContext.isExplained { CallContext.note("Balancer", "sent to \(sent.endpoint.name)") }
        return sent
    }

    private func choose(_ state: inout State) -> Sent? {
        let count = state.roster.candidateCount
        guard count > 0 else { return nil }
        var now: Int64?
        let index: Int
        if count == 1 {
            index = 0
        } else if isInTurns {
            state.cursor = (state.cursor + 1) % count
            index = state.cursor
        } else {
            let (first, second) = random.pair(below: count)
            let time = isTimed ? timer.now : 0
            if isTimed { now = time }
            let isSecond = state.roster.compare(first, second) { $1.cost(at: time) < $0.cost(at: time) }
            index = isSecond ? second : first
        }
        let chosen = state.roster.candidate(index)
        return Sent(endpoint: chosen, call: chosen.begin(isProbe: false) { now ?? timer.now })
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
