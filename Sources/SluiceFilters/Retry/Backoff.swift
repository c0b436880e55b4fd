/// The waiting times before further attempts.
///
/// ```swift
/// let backoff = Backoff.exponential(from: .milliseconds(100), to: .seconds(10), jitter: .full)
/// let third = backoff.delay(after: 3, random: RandomSource { .max / 2 })  // half of 0.4 seconds
/// ```
///
/// A backoff is a value without state, so that any number of calls can use it.
public struct Backoff: Sendable, Hashable {
    /// The randomization of a wait, so that calls that failed together do not return together. It applies after the
    /// cap. (Brooker: Exponential Backoff And Jitter, AWS Architecture Blog 2015.)
    public enum Jitter: Sendable, Hashable, CaseIterable {
        /// No randomization.
        case none
        /// From half of the wait to the whole.
        case equal
        /// From zero to the whole wait.
        case full
    }

    private enum Growth: Hashable {
        case constant
        case linear(step: Duration)
        case exponential(factor: Double)
        case decorrelated
    }

    private let growth: Growth
    private let start: Duration
    private let cap: Duration
    /// The randomization; `nil` if none was chosen.
    private let jitter: Jitter?
    /// The shortest wait.
    private var floor = Duration.zero

    /// A backoff without waiting.
    public static let none = Backoff.constant(.zero)

    /// Returns a backoff with the same wait each time; as the pause of a ``Breaker`` or a ``Balancer``, the wait is
    /// from half of `duration` to the whole.
    public static func constant(_ duration: Duration) -> Backoff {
        Backoff(growth: .constant, start: duration, cap: duration, jitter: nil)
    }

    /// Returns a backoff with the same wait each time, before the randomization.
    public static func constant(_ duration: Duration, jitter: Jitter) -> Backoff {
        Backoff(growth: .constant, start: duration, cap: duration, jitter: jitter)
    }

    /// Returns a backoff whose wait grows by `step` each time, from `start` up to `cap`; as the pause of a ``Breaker``
    /// or a ``Balancer``, the wait is from half of that to the whole.
    public static func linear(from start: Duration, by step: Duration, to cap: Duration) -> Backoff {
        Backoff(growth: .linear(step: step), start: start, cap: cap, jitter: nil)
    }

    /// Returns a backoff whose wait grows by `step` each time, from `start` up to `cap`, before the randomization.
    public static func linear(
        from start: Duration,
        by step: Duration,
        to cap: Duration,
        jitter: Jitter
    ) -> Backoff {
        Backoff(growth: .linear(step: step), start: start, cap: cap, jitter: jitter)
    }

    /// Returns a backoff whose wait is multiplied by `factor` each time, from `start` up to `cap`.
    public static func exponential(
        from start: Duration,
        by factor: Double = 2,
        to cap: Duration,
        jitter: Jitter = .full
    ) -> Backoff {
        Backoff(growth: .exponential(factor: factor), start: start, cap: cap, jitter: jitter)
    }

    /// Returns a backoff whose wait is random, from `start` to three times the previous wait, at most `cap`; the wait
    /// before the first is `start`.
    public static func decorrelated(from start: Duration, to cap: Duration) -> Backoff {
        Backoff(growth: .decorrelated, start: start, cap: cap, jitter: Jitter.none)
    }

    private init(growth: Growth, start: Duration, cap: Duration, jitter: Jitter?) {
        self.growth = growth
        self.cap = max(cap, .zero)
        self.start = min(max(start, .zero), self.cap)
        self.jitter = jitter
    }

    /// The same waits as pauses of a breaker or of an endpoint: with ``Jitter/equal``, unless another jitter was chosen,
    /// so that callers whose breakers opened together don't return together.
    var forPauses: Backoff {
        jitter == nil ? Backoff(growth: growth, start: start, cap: cap, jitter: Jitter.equal) : self
    }

    /// Returns the same waits, none of which is shorter than `floor`.
    package func atLeast(_ floor: Duration) -> Backoff {
        var backoff = self
        backoff.floor = floor
        return backoff
    }

    /// Returns the wait after a failed attempt.
    ///
    /// - Parameters:
    ///   - attempt: The number of the failed attempt, from 1.
    ///   - previous: The wait before that attempt, from which decorrelated jitter starts; `nil` before the first.
    ///   - random: The random source, which is used once if there is jitter.
    /// - Returns: A wait from zero to the cap, in whole nanoseconds.
    public func delay(
        after attempt: Int,
        previous: Duration? = nil,
        random: RandomSource = .system
    ) -> Duration {
        max(floor, wait(after: attempt, previous: previous, random: random))
    }

    private func wait(after attempt: Int, previous: Duration?, random: RandomSource) -> Duration {
        let steps = Double(max(attempt, 1) - 1)
        let (start, cap) = (start.nanoseconds, cap.nanoseconds)
        let base: Int64
        switch growth {
        case .constant: base = start
        case .linear(let step): base = Self.sum(start, steps, step.nanoseconds, cap)
        case .exponential(let factor): base = Self.product(start, factor, steps, cap)
        case .decorrelated:
            let last = max(previous?.nanoseconds ?? start, start)
            let upper = last > cap / 3 ? cap : last * 3
            return .nanoseconds(start + Self.upTo(upper - start, random))
        }
        switch jitter {
        case nil, Jitter.none?: return .nanoseconds(base)
        case .equal?: return .nanoseconds(base / 2 + Self.upTo(base - base / 2, random))
        case .full?: return .nanoseconds(Self.upTo(base, random))
        }
    }

    /// Returns a random number from 0 to `bound`, both included.
    private static func upTo(_ bound: Int64, _ random: RandomSource) -> Int64 {
        Int64(random.below(UInt64(max(bound, 0)) + 1))
    }

    private static func sum(_ start: Int64, _ steps: Double, _ step: Int64, _ cap: Int64) -> Int64 {
        clamped(Double(start) + steps * Double(step), cap)
    }

    private static func product(_ start: Int64, _ factor: Double, _ steps: Double, _ cap: Int64) -> Int64 {
        var value = Double(start)
        // Multiplied repeatedly, so that whole factors give exact numbers; at the cap, or with a factor of 1, nothing
        // changes.
        var left = steps
        while left > 0, value < Double(cap), value > 0, factor != 1 {
            value *= factor
            left -= 1
        }
        return clamped(value, cap)
    }

    private static func clamped(_ value: Double, _ cap: Int64) -> Int64 {
        if !(value > 0) { return 0 }
        return value >= Double(cap) ? cap : Int64(value.rounded())
    }
}

extension StackForm where Value == Backoff {
    /// The waits between attempts.
    static var backoff: StackForm { .oneOf(Backoff.choices(jitter: "none"), absent: .none) }
    /// The waits as pauses of a breaker or of an endpoint, which have jitter unless a document says otherwise.
    static var pause: StackForm { .oneOf(Backoff.choices(jitter: "equal"), absent: .none) }
}

extension Backoff {
    fileprivate static func choices(jitter standard: String) -> [StackChoice<Backoff>] {
        let jitters: [String: Jitter] = ["none": .none, "equal": .equal, "full": .full]
        func jitter(_ standard: String) -> StackKey<String> {
            StackKey("jitter", .choice(["none", "equal", "full"]), default: standard)
        }
        let (from, to) = (StackKey("from", .seconds), StackKey("to", .seconds))
        let (seconds, step) = (StackKey("seconds", .seconds), StackKey("by", .seconds))
        let factor = StackKey("factor", .number(1...1000), default: 2)
        let (plain, full) = (jitter(standard), jitter("full"))
        return [
            StackChoice("constant", [seconds, plain]) {
                .constant($0[seconds], jitter: jitters[$0[plain]] ?? .none)
            },
            StackChoice("linear", [from, step, to, plain]) {
                .linear(from: $0[from], by: $0[step], to: $0[to], jitter: jitters[$0[plain]] ?? .none)
            },
            StackChoice("exponential", [from, factor, to, full]) {
                .exponential(from: $0[from], by: $0[factor], to: $0[to], jitter: jitters[$0[full]] ?? .full)
            },
            StackChoice("decorrelated", [from, to]) { .decorrelated(from: $0[from], to: $0[to]) },
        ]
    }
}
