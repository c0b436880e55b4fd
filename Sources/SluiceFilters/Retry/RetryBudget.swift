internal import Sluice
internal import Synchronization

/// A budget for additional load: each call makes a deposit, and each retry or hedge a withdrawal.
///
/// ```swift
/// let budget = RetryBudget(ratio: 0.2)    // one further try for each five calls, and ten each second in any case
/// let node = RetryFilter(maxAttempts: 3, backoff: .none, budget: budget)
///     .andThen(HedgeFilter(extraLoad: 0.01, budget: budget))
///     .andThen(users)
/// ```
///
/// Without it, an outage multiplies the load by the number of attempts at the worst moment. A budget may be shared by
/// any number of filters, and by several stacks that call the same endpoints: a call that passes through more than one
/// filter of a stack deposits once.
///
/// It is a leaky token bucket in integers, after Finagle's `RetryBudget`: a call deposits a million tokens, and a
/// further attempt withdraws a million ÷ ratio, rounded (for a ratio of 10 the error is five millionths); deposits and
/// withdrawals expire after the time to live, in ten slices. At total failure, the total number of attempts is at most
/// `1 + ratio + minimumPerSecond ÷ calls per second` times the number of calls.
public final class RetryBudget: Sendable {
    private static let scale: Int64 = 1_000_000

    private let price: Int64
    private let payment: Int64
    private let reserve: Int64
    private let window: Int64
    private let now: @Sendable () -> Int64
    private let sum: Locked<SlidingSum>
    private let users = Atomic(0)

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - ratio: The number of further attempts that a call allows, from 0 to 10.
    ///   - minimumPerSecond: The number of further attempts that are always allowed each second, for callers with few
    ///     calls.
    ///   - timeToLive: The time for which a deposit counts, from 1 to 60 seconds.
    ///   - clock: The clock that measures the time to live, to some milliseconds.
    public init(
        ratio: Double = 0.2,
        minimumPerSecond: Int = 10,
        timeToLive: Duration = .seconds(10),
        clock: any Clock<Duration> = .continuous
    ) {
        let ratio = ratio > 0 ? min(max(ratio, 1e-6), 10) : 0
        window = min(max(timeToLive, .seconds(1)), .seconds(60)).nanoseconds
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

    /// The number of further attempts that are available now.
    public var balance: Int {
        let now = now()
        let tokens = sum.withLock { sum in
            sum.advance(to: now)
            return sum.total
        }
        return Int(max(tokens + reserve, 0) / price)
    }

    /// Counts one call. Filters do so; your own code that withdraws has to do so as well.
    public func deposit() {
        let now = now()
        sum.withLock { sum in
            sum.advance(to: now)
            sum.add(payment)
        }
    }

    /// Withdraws one further attempt.
    ///
    /// - Returns: `true` if one was available; `false` changes nothing.
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
    /// Takes a withdrawal back whose attempt was not made.
    ///
    /// - Parameter age: The time since the withdrawal, in nanoseconds: one that has expired is not taken back.
    func refund(after age: Int64 = 0) {
        guard age < window else { return }
        let now = now()
        sum.withLock { sum in
            sum.advance(to: now)
            sum.add(price)
        }
    }

    /// The budget to which the running call has made its deposit, if several filters share one.
    @TaskLocal private static var holder: RetryBudget?

    /// Counts a filter that uses the budget, when the filter is created.
    func addUser() { users.add(1, ordering: .relaxed) }

    /// A Boolean value that indicates whether more than one filter uses it: only then can a call have passed one
    /// before.
    @usableFromInline var isShared: Bool { users.load(ordering: .relaxed) > 1 }

    /// Makes a deposit for the running call, unless a filter around this one has, and runs `body`.
    @usableFromInline
    nonisolated(nonsending) func depositing<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async rethrows -> Value {
        if Self.holder === self { return try await body() }
        deposit()
        return try await Self.$holder.withValue(self) { try await body() }
    }
}

/// The keys of a budget in a document.
enum BudgetKeys {
    static let ratio = StackKey("ratio", .number(0...10), default: 0.2)
    static let minimumPerSecond = StackKey("minimumPerSecond", .count(0...100_000), default: 10)
    static let seconds = StackKey("seconds", .seconds(in: 1...60), default: .seconds(10))
    static let parameters = [ratio.parameter, minimumPerSecond.parameter, seconds.parameter]
}

extension RetryBudget {
    /// Creates the budget of a document.
    convenience init(_ settings: StackSettings, clock: any Clock<Duration>) {
        self.init(
            ratio: settings[BudgetKeys.ratio],
            minimumPerSecond: settings[BudgetKeys.minimumPerSecond],
            timeToLive: settings[BudgetKeys.seconds],
            clock: clock
        )
    }
}
