/// The cost of an endpoint by Finagle's peak EWMA: an average of round trip times that rises immediately and falls
/// slowly, times the calls in flight. Time is an input, in nanoseconds.
struct PeakEWMA: Sendable {
    /// The cost of an endpoint that has calls in flight and has not responded to any: more than that of any that has
    /// responded.
    static let penalty = Double(Int64.max >> 16)

    private(set) var average = 0.0
    private var stamp: Int64
    private let decay: Double

    /// Creates a cost with a decay in nanoseconds.
    init(decay: Int64, at now: Int64) {
        self.decay = Double(decay)
        stamp = now
    }

    /// Adds a round trip time in nanoseconds; a time before the last one counts as the last one.
    mutating func observe(_ roundTrip: Double, at now: Int64) {
        let weight = exponentialWeight(age: max(now - stamp, 0), span: decay)
        average = roundTrip > average ? roundTrip : average * weight + roundTrip * (1 - weight)
        stamp = max(stamp, now)
    }

    /// Returns the cost of one more call, after letting the average decay, as Finagle does.
    mutating func cost(pending: Int, at now: Int64) -> Double {
        observe(0, at: now)
        return average == 0 && pending > 0 ? Self.penalty + Double(pending) : average * Double(pending + 1)
    }
}
