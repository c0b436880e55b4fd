/// The congestion control of TCP (NewReno: RFC 5681 and 6582) with calls in the place of segments: slow start, congestion
/// avoidance, one decrease for the calls of a window, and no growth by a window that is not used up. Time is an input, in
/// nanoseconds.
struct AIMD: Sendable {
    let bounds: ClosedRange<Int>
    let backoff: Double
    let slow: Int64
    /// The congestion window.
    private var window: Double
    /// The slow start threshold.
    private var threshold = Double.infinity
    /// The number of decreases; calls that began before the last one are in recovery.
    private(set) var generation = 0

    /// The number of calls that may run.
    var limit: Int { Int(window.rounded()) }

    init(initial: Int, in bounds: ClosedRange<Int>, backoff: Double, slow: Int64) {
        self.bounds = bounds.fromOne
        self.backoff = min(max(backoff, 0.5), 1)
        self.slow = slow
        window = Double(min(max(initial, self.bounds.lowerBound), self.bounds.upperBound))
    }

    /// Takes note of the end of a call that began in `generation` as one of `inFlight`.
    mutating func record(isBad: Bool, duration: Int64, inFlight: Int, generation: Int) {
        // Recovery: what the calls of the window before the decrease say has been answered.
        guard generation == self.generation else { return }
        if isBad || duration > slow {
            self.generation += 1
            window = max(window * backoff, Double(bounds.lowerBound))
            threshold = window
        } else if inFlight >= limit {
            window = min(window + (window < threshold ? 1 : 1 / window), Double(bounds.upperBound))
        }
    }
}

extension ClosedRange<Int> {
    /// The same bounds, at least 1.
    var fromOne: ClosedRange<Int> { Swift.max(lowerBound, 1)...Swift.max(upperBound, lowerBound, 1) }
}
