public import Sluice

/// Lets so many calls pass in a time.
///
/// ```swift
/// let smooth = RateFilter<String, Int>(10, per: .seconds(1), wait: .seconds(2))     // one each tenth of a second
/// let bursty = RateFilter<String, Int>(10, per: .seconds(1), burst: 10)             // or ten at once
/// let perUser = RateFilter<String, Int>(10, per: .seconds(1), by: { user in user })  // ten for each
/// ```
///
/// It is a token bucket in whole numbers (the generic cell rate algorithm): no rate drifts. Calls that wait are served
/// in the order in which they came; copies of the filter share the limit.
public struct RateFilter<Request: Sendable, Response: Sendable>: SimpleFilter<Request, Response>,
    CustomStringConvertible
{
    private let limit: Int
    private let period: Duration
    private let patience: Int64
    private let timer: CallTimer
    private let totals = Totals()
    private let enter: @Sendable (Request, _ now: Int64, _ latest: Int64) -> (RateGate, RateGate.Admission)

    private final class Totals: Sendable {
        let counts = Locked(RateCounts())
    }

    /// Makes a filter with one limit for all calls.
    ///
    /// - Parameters:
    ///   - limit: how many calls pass in a `period`; below 1 counts as 1.
    ///   - period: the time for `limit` calls.
    ///   - burst: how many calls may pass at once when none came for a while. 1, the default, spaces calls evenly;
    ///     below 1 counts as 1.
    ///   - wait: how long a call may wait for its turn; one that would have to wait longer is refused at once. Not
    ///     more than `limit` × `wait` ÷ `period` calls wait.
    ///   - clock: measures all times.
    public init(
        _ limit: Int,
        per period: Duration,
        burst: Int = 1,
        wait: Duration = .zero,
        clock: any Clock<Duration> = .continuous
    ) {
        let timer = CallTimer.of(clock)
        let gate = RateGate(TokenBucket.Rate(limit: limit, period: period.nanoseconds, burst: burst), timer)
        self.init(limit, period, wait, timer) { _, now, latest in (gate, gate.enter(at: now, latest: latest)) }
    }

    /// Makes a filter with a limit for each key.
    ///
    /// Memory is bounded: when `keys` keys are in use, the one that was not used for longest is forgotten, if its calls
    /// have all been paid off; if not, further keys share one limit until there is room.
    ///
    /// - Parameters:
    ///   - limit: how many calls of one key pass in a `period`; below 1 counts as 1.
    ///   - period: the time for `limit` calls.
    ///   - burst: how many calls of one key may pass at once when none came for a while.
    ///   - wait: how long a call may wait for its turn; one that would have to wait longer is refused at once.
    ///   - keys: how many keys have a limit of their own at most.
    ///   - clock: measures all times.
    ///   - key: asked for each call for its key, where the filter runs.
    public init<Key: Hashable & Sendable>(
        _ limit: Int,
        per period: Duration,
        burst: Int = 1,
        wait: Duration = .zero,
        keys: Int = 10_000,
        clock: any Clock<Duration> = .continuous,
        by key: @escaping @Sendable (Request) -> Key
    ) {
        let timer = CallTimer.of(clock)
        let rate = TokenBucket.Rate(limit: limit, period: period.nanoseconds, burst: burst)
        let gates = KeyedGates<Key>(capacity: keys) { RateGate(rate, timer) }
        self.init(limit, period, wait, timer) { request, now, latest in
            gates.enter(key(request), at: now, latest: latest)
        }
    }

    private init(
        _ limit: Int,
        _ period: Duration,
        _ wait: Duration,
        _ timer: CallTimer,
        enter: @escaping @Sendable (Request, Int64, Int64) -> (RateGate, RateGate.Admission)
    ) {
        self.limit = max(limit, 1)
        self.period = period
        self.timer = timer
        patience = max(wait.nanoseconds, 0)
        self.enter = enter
    }

    /// What the filter and its copies have seen.
    public var counts: RateCounts { totals.counts.withLock { $0 } }

    /// Calls `next` when it is the call's turn.
    ///
    /// - Throws: ``RateLimited``, without calling `next`, if the turn would come after `wait` or after the deadline of
    ///   the call; the error of `next`.
    /// - Cancellation: ends the wait; those behind move up. Cancels `next`.
    nonisolated(nonsending) public func process(
        _ request: Request,
        next: some Node<Request, Response>
    ) async throws -> Response {
        try await pass(request)
        return try await next.process(request)
    }

    nonisolated(nonsending) private func pass(_ request: Request) async throws {
        let now = timer.now
        var latest = now.advanced(byClamping: patience)
        if patience > 0, let deadline = CallContext.current.deadline { latest = min(latest, timer.time(of: deadline)) }
        let (gate, admission) = enter(request, now, latest)
        switch admission {
        case .passed: break
        case .refused(let time):
            totals.counts.withLock { $0.refused += 1 }
            let error = RateLimited(retryAfter: .nanoseconds(time))
            CallContext.note("RateFilter", "refused: \(error)")
            throw error
        case .waiting(let turn):
            CallContext.note("RateFilter", "waits for \(Duration.nanoseconds(turn.time - now))")
            do {
                try await gate.wait(turn)
            } catch {
                totals.counts.withLock { $0.canceled += 1 }
                throw error
            }
        }
        totals.counts.withLock { $0.passed += 1 }
    }

    /// `RateFilter(10 per 1.0 seconds)`.
    public var description: String { "RateFilter(\(limit) per \(period))" }
}

/// What a ``RateFilter`` has seen.
public struct RateCounts: Sendable, Equatable {
    /// Calls that passed, also after waiting.
    public var passed = 0
    /// Calls that were refused.
    public var refused = 0
    /// Calls that were canceled while they waited.
    public var canceled = 0
}

/// A call was refused since too many came before it.
public struct RateLimited: ClassifiedError, Equatable, CustomStringConvertible {
    /// After how long there is room for a call.
    public let retryAfter: Duration

    /// Makes the error.
    public init(retryAfter: Duration) { self.retryAfter = retryAfter }

    /// ``ResponseClass/retryable(after:)``, after ``retryAfter``.
    public var responseClass: ResponseClass { .retryable(after: retryAfter) }

    /// `the rate limit is reached: try again in 0.5 seconds`.
    public var description: String { "the rate limit is reached: try again in \(retryAfter)" }
}
