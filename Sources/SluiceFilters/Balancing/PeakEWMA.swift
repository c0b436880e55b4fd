/// What an endpoint costs by Finagle's peak EWMA: an average of round trip times that jumps up at once and comes down
/// slowly, times the calls under way. Time is an input, in nanoseconds.
struct PeakEWMA: Sendable {
    /// The cost of an endpoint that has calls under way and has answered none: more than any that has answered.
    static let penalty = Double(Int64.max >> 16)

    private(set) var average = 0.0
    private var stamp: Int64
    private let decay: Double

    /// `decay` is in nanoseconds.
    init(decay: Int64, at now: Int64) {
        self.decay = Double(decay)
        stamp = now
    }

    /// Takes a round trip time in nanoseconds; time that goes backward stands still.
    mutating func observe(_ roundTrip: Double, at now: Int64) {
        let weight = exponentialWeight(age: max(now - stamp, 0), span: decay)
        average = roundTrip > average ? roundTrip : average * weight + roundTrip * (1 - weight)
        stamp = max(stamp, now)
    }

    /// The cost of one more call. Looking lets the average decay, as Finagle's does.
    mutating func cost(pending: Int, at now: Int64) -> Double {
        observe(0, at: now)
        return average == 0 && pending > 0 ? Self.penalty + Double(pending) : average * Double(pending + 1)
    }
}
