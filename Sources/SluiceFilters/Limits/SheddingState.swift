/// The state machine of a ``SheddingFilter``, without its lock, clock, and random source. Time is an input, in
/// nanoseconds.
///
/// This is Finagle's `NackAdmissionFilter`: an average of accepted (1) and rejected (0) calls; below a threshold, calls
/// are dropped with a probability that grows with the distance from it.
struct SheddingState: Sendable {
    private var accepted: Average
    private var recent = TimeWindow(span: 1_000_000_000, slices: 10)
    /// The average below which calls are dropped.
    private let threshold: Double
    private let mostDropped: Double
    private let minimumRate: Int

    init(refused: Double, over span: Int64, atMost mostDropped: Double, minimumRate: Int, at now: Int64) {
        threshold = 1 - min(max(refused, 0), 1)
        self.mostDropped = min(max(mostDropped, 0), 1)
        self.minimumRate = minimumRate
        accepted = Average(window: span)
        accepted.update(1, at: now)
    }

    /// The average share of calls that the peer accepts.
    var average: Double { accepted.value }

    /// The current probability that a call is dropped.
    var dropProbability: Double {
        guard accepted.value < threshold else { return 0 }
        return min(mostDropped, 1 - accepted.value / threshold)
    }

    /// Returns `true` if a call passes; `random` returns a number from 0 up to 1.
    mutating func admit(at now: Int64, random: () -> Double) -> Bool {
        recent.record(false, at: now)
        let probability = dropProbability
        return probability == 0 || random() >= probability
    }

    /// Counts the end of a call. With few calls a second, none counts as rejected, since too little is known.
    mutating func record(isRefused: Bool, at now: Int64) {
        recent.advance(to: now)
        accepted.update(isRefused && recent.calls >= minimumRate ? 0 : 1, at: now)
    }
}
