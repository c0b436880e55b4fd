public import Sluice

/// A filter that limits the number of calls in a period.
///
/// ```swift
/// let smooth = RateFilter<String, Int>(10, per: .seconds(1), wait: .seconds(2))     // one each tenth of a second
/// let bursty = RateFilter<String, Int>(10, per: .seconds(1), burst: 10)             // or ten at once
/// let perUser = RateFilter<String, Int>(10, per: .seconds(1), by: { user in user })  // ten for each
/// ```
///
/// It is a token bucket in whole numbers (the generic cell rate algorithm), so that no rate drifts. Waiting calls are
/// served in order; copies of the filter share the limit.
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

    /// Creates a filter with one limit for all calls.
    ///
    /// - Parameters:
    ///   - limit: The number of calls in a `period`; below 1 counts as 1.
    ///   - period: The time for `limit` calls.
    ///   - burst: The number of calls that may pass at once after a pause. 1, the default, spaces calls evenly; below 1
    ///     counts as 1.
    ///   - wait: The maximum time for which a call may wait for its turn; a call that would have to wait longer is
    ///     rejected immediately. At most `limit` × `wait` ÷ `period` calls wait.
    ///   - clock: The clock that measures all times.
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

    /// Creates a filter with a limit for each key.
    ///
    /// Memory is bounded: when `keys` keys are in use, the least recently used one is removed if it has no pending
    /// tokens; otherwise further keys share one limit until there is room.
    ///
    /// - Parameters:
    ///   - limit: The number of calls of one key in a `period`; below 1 counts as 1.
    ///   - period: The time for `limit` calls.
    ///   - burst: The number of calls of one key that may pass at once after a pause.
    ///   - wait: The maximum time for which a call may wait for its turn; a call that would have to wait longer is
    ///     rejected immediately.
    ///   - keys: The maximum number of keys with a limit of their own.
    ///   - clock: The clock that measures all times.
    ///   - key: A closure that returns the key of a call; it is called for each call, where the filter runs.
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

    /// The statistics of the filter and its copies.
    public var counts: RateCounts { totals.counts.withLock { $0 } }

    /// Calls `next` when it is the call's turn.
    ///
    /// - Throws: ``RateLimitError``, without calling `next`, if the turn would come after `wait` or after the deadline of
    ///   the call; the error of `next`.
    /// - Cancellation: Ends the wait, so that later calls move up, or cancels `next`.
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
            let error = RateLimitError(retryAfter: .nanoseconds(time))
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

    /// A description such as `RateFilter(10 per 1.0 seconds)`.
    public var description: String { "RateFilter(\(limit) per \(period))" }
}

/// The statistics of a ``RateFilter``.
public struct RateCounts: Sendable, Equatable {
    /// The number of calls that passed, including after waiting.
    public var passed = 0
    /// The number of calls that were rejected.
    public var refused = 0
    /// The number of calls that were canceled while they waited.
    public var canceled = 0
}

/// An error that indicates that a call was rejected because of the rate limit.
public struct RateLimitError: ClassifiedError, Equatable, CustomStringConvertible {
    /// The time after which there is room for a call.
    public let retryAfter: Duration

    /// Creates the error.
    public init(retryAfter: Duration) { self.retryAfter = retryAfter }

    /// The class ``ResponseClass/retryable(after:)``, after ``retryAfter``.
    public var responseClass: ResponseClass { .retryable(after: retryAfter) }

    /// The text of the error: `the rate limit is reached: try again in 0.5 seconds`.
    public var description: String { "the rate limit is reached: try again in \(retryAfter)" }
}

extension RateFilter: StackStage {
    /// The role ``StackRole/rate``.
    public var stackRole: StackRole { .rate }
}

/// A rate limit in a document: `{"rate": {"limit": 100}}`.
enum RateKind: FilterKind {
    static let name = "rate"
    static let summary = "Limits the number of calls in a period"
    static let limit = StackKey("limit", .count(1...1_000_000_000), "the number of calls in a period")
    static let seconds = StackKey("seconds", .positiveSeconds, default: .seconds(1), "the period")
    static let burst = StackKey(
        "burst",
        .count(1...1_000_000_000),
        default: 1,
        "the number of calls that may pass at once"
    )
    static let wait = StackKey("wait", .seconds, default: .zero, "the longest wait for a turn")
    static let by = StackKey(optional: "by", .text, "the key of requests that have a limit of their own")
    static let limitedKeys = StackKey("keys", .count(1...1_000_000), default: 10_000, "the greatest number of keys")
        .requiring(
            .init(
                other: "by",
                condition: .present,
                message: "there are keys only where \"by\" names them",
                hint: "remove it, or add \"by\""
            )
        )
    static let keys: [any FilterKey] = [limit, seconds, burst, wait, by, limitedKeys]
    static let examples = [
        FilterExample(
            #"{"rate": {"limit": 100, "seconds": 60, "burst": 10, "wait": 1}}"#,
            "RateFilter(100 per 60.0 seconds)"
        ),
        FilterExample(#"{"rate": {"limit": 5, "by": "user", "keys": 1000}}"#, "RateFilter(5 per 1.0 seconds)"),
    ]

    static func role(_ settings: StackSettings) -> StackRole { .rate }

    static func filter<Request: Sendable, Response: Sendable>(
        _ settings: StackSettings,
        _ builder: StackBuilder<Request, Response>
    ) throws(StackBuildError) -> any SimpleFilter<Request, Response> {
        let (limit, period, clock) = (settings[limit], settings[seconds], builder.bindings.clock)
        let (burst, wait) = (settings[burst], settings[wait])
        guard let name = settings[by] else {
            return RateFilter<Request, Response>(limit, per: period, burst: burst, wait: wait, clock: clock)
        }
        return RateFilter<Request, Response>(
            limit,
            per: period,
            burst: burst,
            wait: wait,
            keys: settings[limitedKeys],
            clock: clock,
            by: try builder.key(name)
        )
    }
}
