internal import Sluice
internal import Synchronization

/// How much extra load may be made: each call is a deposit, each retry and each hedge withdraws.
///
/// ```swift
/// let budget = RetryBudget(ratio: 0.2)    // one further try for each five calls, and ten each second in any case
/// let node = RetryFilter(attempt: 3, backoff: .none, budget: budget)
///     .andThen(HedgeFilter(extraLoad: 0.01, budget: budget))
///     .andThen(users)
/// ```
///
/// Without it, an outage multiplies the load by the number of tries at the worst moment. One budget serves any number
/// of filters, and may serve several stacks that call the same endpoints: a call that passes through more than one
/// filter of a stack deposits once.
///
/// A leaky token bucket in integers, after Finagle's `RetryBudget`: a call deposits a million tokens, a further try
/// withdraws a million ÷ ratio, rounded (for a ratio of 10 the error is five millionths); deposits and withdrawals are
/// forgotten after the time to live, in ten slices. At total failure the tries in all are at most
/// `1 + ratio + minimumPerSecond ÷ calls per second` times the calls.
public final class RetryBudget: Sendable {
    private static let scale: Int64 = 1_000_000

    private let price: Int64
    private let payment: Int64
    private let reserve: Int64
    private let now: @Sendable () -> Int64
    private let sum: Locked<SlidingSum>
    private let users = Atomic(0)

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - ratio: how many further tries a call allows for, from 0 to 10.
    ///   - minimumPerSecond: how many further tries there are each second in any case, for callers with few calls.
    ///   - timeToLive: how long a deposit counts, from 1 to 60 seconds.
    ///   - clock: measures the time to live, to some milliseconds.
    public init(
        ratio: Double = 0.2,
        minimumPerSecond: Int = 10,
        timeToLive: Duration = .seconds(10),
        clock: any Clock<Duration> = .continuous
    ) {
        let ratio = ratio > 0 ? min(max(ratio, 1e-6), 10) : 0
        let window = min(max(timeToLive, .seconds(1)), .seconds(60)).nanoseconds
        payment = ratio == 0 ? 0 : Self.scale
        price = ratio == 0 ? 1 : Int64((Double(Self.scale) / ratio).rounded())
        // At most 6·10¹⁸ with a price of at most 10¹².
        let minimum = Int64(min(max(minimumPerSecond, 0), 100_000))
        reserve = Int64((Double(minimum) * (Double(window) / 1e9)).rounded()) * price
        sum = Locked(SlidingSum(window: window))
        if clock is ContinuousClock || clock is SuspendingClock {
            let origin = CoarseTime.now
            now = { CoarseTime.now - origin }
        } else {
            let timer = CallTimer.of(clock)
            now = { timer.now }
        }
    }

    /// How many further tries there are now.
    public var balance: Int {
        let now = now()
        let tokens = sum.withLock { sum in
            sum.advance(to: now)
            return sum.total
        }
        return Int(max(tokens + reserve, 0) / price)
    }

    /// Counts one call. Filters do it; code of your own that withdraws has to as well.
    public func deposit() {
        let now = now()
        sum.withLock { sum in
            sum.advance(to: now)
            sum.add(payment)
        }
    }

    /// Takes one further try out.
    ///
    /// - Returns: whether there was one; `false` changes nothing.
    public func withdraw() -> Bool {
        let now = now()
        return sum.withLock { sum in
            sum.advance(to: now)
            guard sum.total + reserve >= price else { return false }
            sum.add(-price)
            return true
        }
    }
}

extension RetryBudget {
    /// The budget that the running call is a deposit in, where several filters share one.
    @TaskLocal private static var holder: RetryBudget?

    /// A filter says that it uses the budget, once, when it is made.
    func addUser() { users.add(1, ordering: .relaxed) }

    /// Whether more than one filter uses it: only then can a call have passed one before.
    @usableFromInline var isShared: Bool { users.load(ordering: .relaxed) > 1 }

    /// Deposits for the running call, unless a filter around this one has, and runs `body`.
    @usableFromInline
    nonisolated(nonsending) func depositing<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        if Self.holder === self { return try await body() }
        deposit()
        return try await Self.$holder.withValue(self) { try await body() }
    }
}
