/// A token bucket: the generic cell rate algorithm (ITU-T I.371), in whole numbers, so that no rate drifts. Time is an
/// input, in nanoseconds.
///
/// Its state is a single number: the time at which the bucket will be full. A call moves it by the time of a token.
struct TokenBucket: Sendable {
    /// A rate of `limit` tokens in `period` nanoseconds, of which up to `burst` are available at once.
    struct Rate: Sendable {
        let limit: Int64
        let period: Int64
        let burst: Int64

        init(limit: Int, period: Int64, burst: Int) {
            self.limit = Int64(max(limit, 1))
            self.period = max(period, 1)
            self.burst = Int64(max(burst, 1))
        }

        /// The time in which the whole burst less one token accumulates, in nanoseconds times `limit`.
        fileprivate var tolerance: Int128 { Int128(burst - 1) * Int128(period) }
    }

    /// The time at which it is full, in nanoseconds times `limit`, so that fractions of a nanosecond are kept.
    private var fullAt: Int128 = .min

    /// Creates a full bucket.
    init() {}

    /// Returns a Boolean value that indicates whether all of its tokens are available, so that it is equivalent to a
    /// new one.
    func isFull(at now: Int64, _ rate: Rate) -> Bool { fullAt <= Int128(now) * Int128(rate.limit) }

    /// Returns the time at which the next token is available; not after `now` if it already is.
    func nextToken(_ rate: Rate) -> Int64 { self.nextToken(after: 0, rate) }

    /// Returns the time at which a token is available for a call after `count` others.
    func nextToken(after count: Int, _ rate: Rate) -> Int64 {
        guard fullAt > .min else { return .min }
        let due = fullAt - rate.tolerance + Int128(count) * Int128(rate.period)
        let limit = Int128(rate.limit)
        let (quotient, rest) = due.quotientAndRemainder(dividingBy: limit)
        return Int64(clamping: quotient + (rest > 0 ? 1 : 0))
    }

    /// Takes a token if one is available.
    mutating func take(at now: Int64, _ rate: Rate) -> Bool {
        let time = Int128(now) * Int128(rate.limit)
        guard fullAt == .min || fullAt - rate.tolerance <= time else { return false }
        // A clock of whole nanoseconds may be up to one late, which must not delay a punctual call.
        let isInTime = fullAt > .min && time - fullAt < Int128(rate.limit)
        fullAt = (isInTime ? fullAt : time) + Int128(rate.period)
        return true
    }
}
