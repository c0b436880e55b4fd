internal import Sluice

/// A circuit breaker: it counts how calls end, and refuses them for a while when too much goes wrong.
///
/// ```swift
/// let breaker = Breaker(opensOn: .failureRate(0.5, within: .seconds(10)), backoff: .constant(.seconds(5)))
/// let node = BreakerFilter(breaker).andThen(users)
/// let user = try await node.process("ada")  // throws BreakerOpen while it is open
/// ```
///
/// ```
/// closed ── the condition holds ──▶ open ── the pause is over ──▶ half open: some calls pass
///   ▲                                ▲                              │  │
///   │                                └── it holds among these ──────┘  │
///   └───────────────────────────────────── it does not ────────────────┘
/// ```
///
/// Calls that began before a change do not count after it. Probes that have not answered when the pause has passed once
/// more are given up, and others pass. One breaker may stand in any number of stacks; they share what it knows.
public final class Breaker: Sendable {
    /// Where a breaker stands.
    public enum State: String, Sendable {
        /// Calls pass and are counted.
        case closed
        /// Calls are refused until the pause is over.
        case open
        /// A few calls pass, to find out.
        case halfOpen
    }

    /// Who decides whether calls pass.
    public enum Mode: String, Sendable {
        /// The breaker does.
        case automatic
        /// All calls are refused.
        case forcedOpen
        /// All calls pass, and are counted; the breaker does not open.
        case metricsOnly
        /// All calls pass, uncounted.
        case disabled
    }

    /// What a breaker has seen since it was made.
    public struct Counts: Sendable, Equatable {
        /// Calls that passed.
        public var passed = 0
        /// Calls that were refused.
        public var refused = 0
        /// Calls that passed and ended well.
        public var successes = 0
        /// Calls that passed and failed.
        public var failures = 0
        /// Calls that passed and whose end says nothing: canceled ones.
        public var ignored = 0
        /// How often it opened.
        public var openings = 0
    }

    private struct Storage {
        var state: BreakerState
        var counts = Counts()
    }

    private let storage: Locked<Storage>
    private let timer: CallTimer
    private let condition: TripCondition
    private let pause: @Sendable (Int) -> Int64
    private let whenChanged: @Sendable (State) -> Void

    /// Makes a breaker.
    ///
    /// - Parameters:
    ///   - condition: what opens it. By default, as resilience4j: half of the last 100 calls failed, or all of them
    ///     took over a minute.
    ///   - backoff: how long it stays open, for the first time since it was closed, the second, and so on.
    ///   - probes: how many calls pass when it is half open; below 1 counts as 1.
    ///   - clock: measures calls and pauses.
    ///   - random: where the jitter of `backoff` comes from.
    ///   - whenChanged: called after each change of ``state``, on the thread of the call that changed it.
    public init(
        opensOn condition: TripCondition = .failureRate(0.5, ofLast: 100)
            .or(.slowRate(1, over: .seconds(60), ofLast: 100)),
        backoff: Backoff = .constant(.seconds(60)),
        probes: Int = 10,
        clock: any Clock<Duration> = .continuous,
        random: RandomSource = .system,
        whenChanged: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        timer = .of(clock)
        storage = Locked(Storage(state: BreakerState(condition, probes: probes, at: timer.now)))
        self.condition = condition
        pause = { backoff.delay(after: $0, random: random).nanoseconds }
        self.whenChanged = whenChanged
    }

    /// Where it stands. It is half open from the first call after the pause on.
    public var state: State { storage.withLock { $0.state.state } }

    /// What it has seen.
    public var counts: Counts { storage.withLock { $0.counts } }

    /// Who decides. A change closes the breaker, which forgets what it counted; calls that run do not count any more.
    public var mode: Mode {
        get { storage.withLock { $0.state.mode } }
        set { change { $0.state.setMode(newValue, at: timer.now) } }
    }

    /// Closes it at once, as if its probes had ended well.
    public func reset() { change { $0.state.close(at: timer.now) } }

    /// Returns whether an error is a cancellation of the current call because its deadline has passed.
    @usableFromInline
    func isLate(_ error: any Error) -> Bool { timer.isLate(error) }

    /// Lets a call pass.
    ///
    /// - Throws: ``BreakerOpen``.
    @usableFromInline
    func enter() throws -> BreakerPass {
        let admission = change { storage -> BreakerState.Admission in
            let admission = storage.state.admit(now: { timer.now }, pause: { pause($0) })
            switch admission {
            case .passed: storage.counts.passed += 1
            case .refused: storage.counts.refused += 1
            }
            return admission
        }
        switch admission {
        case .passed(let pass): return BreakerPass(pass)
        case .refused(let time):
            let error = BreakerOpen(retryAfter: time.map { .nanoseconds($0) })
            CallContext.note("BreakerFilter", "refused: \(error)")
            throw error
        }
    }

    /// Counts the end of a call that passed; `nil` says that it tells nothing.
    @usableFromInline
    func leave(_ pass: BreakerPass, isFailure: Bool?) {
        change { storage in
            switch isFailure {
            case true?: storage.counts.failures += 1
            case false?: storage.counts.successes += 1
            case nil: storage.counts.ignored += 1
            }
            storage.state.record(pass.pass, isFailure: isFailure, now: { timer.now }, pause: { pause($0) })
        }
    }

    /// Changes what is behind the lock, and tells of a new state outside of it.
    @discardableResult
    @inline(__always)
    private func change<Result: Sendable>(_ body: (inout Storage) -> Result) -> Result {
        let (result, state) = storage.withLock { storage -> (Result, State?) in
            let before = storage.state.state
            let result = body(&storage)
            let after = storage.state.state
            if before == after { return (result, nil) }
            if after == .open { storage.counts.openings += 1 }
            return (result, after)
        }
        if let state { tell(of: state) }
        return result
    }

    private func tell(of state: State) {
        CallContext.note("BreakerFilter", state == .open ? "opened: \(condition)" : "is \(state.rawValue)")
        whenChanged(state)
    }
}

/// What a call that passed a ``Breaker`` brings back to it.
@usableFromInline
struct BreakerPass: Sendable {
    let pass: BreakerState.Pass

    init(_ pass: BreakerState.Pass) { self.pass = pass }
}

/// A call was refused since the breaker is open.
public struct BreakerOpen: ClassifiedError, Equatable, CustomStringConvertible {
    /// How long the breaker stays open, where that is known.
    public let retryAfter: Duration?

    /// Makes the error.
    public init(retryAfter: Duration? = nil) { self.retryAfter = retryAfter }

    /// ``ResponseClass/failure``: a breaker is there so that nobody waits.
    public var responseClass: ResponseClass { .failure }

    /// `the circuit breaker is open: try again in 5.0 seconds`.
    public var description: String {
        guard let retryAfter else { return "the circuit breaker is open" }
        return "the circuit breaker is open: try again in \(retryAfter)"
    }
}
