internal import Sluice

/// A circuit breaker, which counts the ends of calls, and rejects calls for a while after too many failures.
///
/// ```swift
/// let pause = Backoff.constant(.seconds(5))  // from 2.5 to 5 seconds
/// let breaker = Breaker(opensOn: .failureRate(0.5, within: .seconds(10)), backoff: pause)
/// let node = BreakerFilter(breaker).andThen(users)
/// let user = try await node.process("ada")  // throws BreakerOpenError while it is open
/// ```
///
/// ```
/// closed ── the condition holds ──▶ open ── the pause is over ──▶ half open: some calls pass
///   ▲                                ▲                              │  │
///   │                                └── it holds among these ──────┘  │
///   └───────────────────────────────────── it does not ────────────────┘
/// ```
///
/// Calls that began before a change do not count after it. Probes that have not ended when the pause has passed once
/// more are given up, and others pass. Any number of stacks may share a breaker and its statistics.
public final class Breaker: Sendable {
    /// The state of a breaker.
    public enum State: String, Sendable {
        /// Calls pass and are counted.
        case closed
        /// Calls are rejected until the pause is over.
        case open
        /// A few calls pass as probes.
        case halfOpen
    }

    /// The mode that decides whether calls pass.
    public enum Mode: String, Sendable {
        /// The breaker decides.
        case automatic
        /// All calls are rejected.
        case forcedOpen
        /// All calls pass and are counted; the breaker does not open.
        case metricsOnly
        /// All calls pass without being counted.
        case disabled
    }

    /// The statistics of a breaker since its creation.
    public struct Counts: Sendable, Equatable {
        /// The number of calls that passed.
        public var passed = 0
        /// The number of calls that were rejected.
        public var refused = 0
        /// The number of calls that passed and succeeded.
        public var successes = 0
        /// The number of calls that passed and failed.
        public var failures = 0
        /// The number of calls that passed and whose end says nothing, such as canceled ones.
        public var ignored = 0
        /// The number of times that it opened.
        public var openings = 0
    }

    private struct Storage {
        var state: BreakerState
        var counts = Counts()
    }

    private let storage: Locked<Storage>
    private let timer: CallTimer
    let condition: TripCondition
    private let pause: @Sendable (Int) -> Int64
    private let whenChanged: @Sendable (State) -> Void

    /// Creates a breaker.
    ///
    /// - Parameters:
    ///   - condition: The condition that opens it. By default, as in resilience4j: half of the last 100 calls failed,
    ///     or all of them took over a minute.
    ///   - backoff: The duration of the pause, for the first time since it was closed, the second, and so on. By
    ///     default it is from half a minute to a minute. A backoff without a choice of jitter gets
    ///     ``Backoff/Jitter/equal``: with ``Backoff/Jitter/none``, callers whose breakers opened together would also
    ///     return together.
    ///   - probes: The number of calls that pass when it is half open; below 1 counts as 1.
    ///   - clock: The clock that measures calls and pauses.
    ///   - random: The random source for the jitter of `backoff`.
    ///   - whenChanged: A closure that is called after each change of ``state``, on the thread of the call that changed
    ///     it.
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
        let backoff = backoff.forPauses
        pause = { backoff.delay(after: $0, random: random).nanoseconds }
        self.whenChanged = whenChanged
    }

    /// The state. The breaker is half open from the first call after the pause on.
    public var state: State { storage.withLock { $0.state.state } }

    /// The statistics.
    public var counts: Counts { storage.withLock { $0.counts } }

    /// The mode. A change closes the breaker and resets its counts; running calls no longer count.
    public var mode: Mode {
        get { storage.withLock { $0.state.mode } }
        set { change { $0.state.setMode(newValue, at: timer.now) } }
    }

    /// Closes the breaker immediately, as if its probes had succeeded.
    public func reset() { change { $0.state.close(at: timer.now) } }

    /// Returns whether an error is a cancellation of the current call because its deadline has passed.
    @usableFromInline
    func isLate(_ error: any Error) -> Bool { timer.isLate(error) }

    /// Lets a call pass.
    ///
    /// - Throws: ``BreakerOpenError``.
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
            let error = BreakerOpenError(retryAfter: time.map { .nanoseconds($0) })
            CallContext.note("BreakerFilter", "refused: \(error)")
            throw error
        }
    }

    /// Counts the end of a call that passed; `nil` if the end says nothing.
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

    /// Changes the state behind the lock, and reports a new state outside of it.
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

/// The information that the end of a call needs, for a call that passed a ``Breaker``.
@usableFromInline
struct BreakerPass: Sendable {
    let pass: BreakerState.Pass

    init(_ pass: BreakerState.Pass) { self.pass = pass }
}

/// An error that indicates that a call was rejected because the breaker is open.
public struct BreakerOpenError: ClassifiedError, Equatable, CustomStringConvertible {
    /// The time for which the breaker stays open, if known.
    public let retryAfter: Duration?

    /// Creates the error.
    public init(retryAfter: Duration? = nil) { self.retryAfter = retryAfter }

    /// The class ``ResponseClass/failure``, since callers of a breaker should not wait.
    public var responseClass: ResponseClass { .failure }

    /// The text of the error: `the circuit breaker is open: try again in 5.0 seconds`.
    public var description: String {
        guard let retryAfter else { return "the circuit breaker is open" }
        return "the circuit breaker is open: try again in \(retryAfter)"
    }
}
