/// How many calls may pass in a time: the generic cell rate algorithm (ITU-T I.371), in whole numbers, so that no rate
/// drifts. Time is an input, in nanoseconds.
///
/// One number says all: the time at which the bucket will be full. A call moves it by the time that a token takes.
struct TokenBucket: Sendable {
    /// `limit` tokens in `period` nanoseconds, of which up to `burst` are there at once.
    struct Rate: Sendable {
        let limit: Int64
        let period: Int64
        let burst: Int64

        init(limit: Int, period: Int64, burst: Int) {
            self.limit = Int64(max(limit, 1))
            self.period = max(period, 1)
            self.burst = Int64(max(burst, 1))
        }

        /// The time that the whole burst takes to come, less one token; in nanoseconds times `limit`.
        fileprivate var tolerance: Int128 { Int128(burst - 1) * Int128(period) }
    }

    /// When it is full, in nanoseconds times `limit`: fractions of a nanosecond are kept.
    private var fullAt: Int128 = .min

    /// A full bucket.
    init() {}

    /// Whether all its tokens are there, so that it is as good as a new one.
    func isFull(at now: Int64, _ rate: Rate) -> Bool { fullAt <= Int128(now) * Int128(rate.limit) }

    /// When the next token is there; not after `now` if it is.
    func nextToken(_ rate: Rate) -> Int64 { self.nextToken(after: 0, rate) }

    /// When a token is there for who comes after `count` others.
    func nextToken(after count: Int, _ rate: Rate) -> Int64 {
        guard fullAt > .min else { return .min }
        let due = fullAt - rate.tolerance + Int128(count) * Int128(rate.period)
        let limit = Int128(rate.limit)
        let (quotient, rest) = due.quotientAndRemainder(dividingBy: limit)
        return Int64(clamping: quotient + (rest > 0 ? 1 : 0))
    }

    /// Takes a token if there is one.
    mutating func take(at now: Int64, _ rate: Rate) -> Bool {
        let time = Int128(now) * Int128(rate.limit)
        guard fullAt == .min || fullAt - rate.tolerance <= time else { return false }
        // A clock of whole nanoseconds comes up to one too late: that is not held against who comes in time.
        let isInTime = fullAt > .min && time - fullAt < Int128(rate.limit)
        fullAt = (isInTime ? fullAt : time) + Int128(rate.period)
        return true
    }
}
