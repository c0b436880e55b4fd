/// The state machine of a ``SheddingFilter``, without its lock, clock and random source. Time is an input, in
/// nanoseconds.
///
/// Finagle's `NackAdmissionFilter`: an average of accepted (1) and refused (0) calls; below the threshold calls are
/// dropped with a probability that grows with the distance to it.
struct SheddingState: Sendable {
    private var accepted: Average
    private var recent = TimeWindow(span: 1_000_000_000, slices: 10)
    /// Below which average calls are dropped.
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

    /// The share of calls that the peer accepts, averaged.
    var average: Double { accepted.value }

    /// How likely a call is dropped now.
    var dropProbability: Double {
        guard accepted.value < threshold else { return 0 }
        return min(mostDropped, 1 - accepted.value / threshold)
    }

    /// Whether a call passes; `random` is drawn from 0 up to 1.
    mutating func admit(at now: Int64, random: () -> Double) -> Bool {
        recent.record(false, at: now)
        let probability = dropProbability
        return probability == 0 || random() >= probability
    }

    /// Counts the end of a call. Of few calls a second none counts as refused, since too little is known.
    mutating func record(isRefused: Bool, at now: Int64) {
        recent.advance(to: now)
        accepted.update(isRefused && recent.calls >= minimumRate ? 0 : 1, at: now)
    }
}
