/// The limit Gradient2 of Netflix's concurrency-limits (`Gradient2Limit` over `WindowedLimit`). Time is an input, in
/// nanoseconds.
struct Gradient2: Sendable {
    /// The number of windows in the long-term average.
    private static let longWindow = 600.0
    /// The number of windows of which the average is a plain one.
    private static let warmup = 10
    /// The share of the new limit in each step.
    private static let smoothing = 0.2

    let bounds: ClosedRange<Int>
    private let tolerance: Double
    private let queue: Double
    private var value: Double
    private var long = 0.0
    private var count = 0
    private var window = LimitWindow()

    /// The number of calls that may run.
    var limit: Int { Int(value) }

    init(initial: Int, in bounds: ClosedRange<Int>, tolerance: Double, queue: Int) {
        self.bounds = bounds.fromOne
        self.tolerance = max(tolerance, 1)
        self.queue = Double(max(queue, 0))
        value = Double(min(max(initial, self.bounds.lowerBound), self.bounds.upperBound))
    }

    /// Takes note of the end of a call that began as one of `inFlight`.
    mutating func record(isBad: Bool, duration: Int64, inFlight: Int, now: Int64) {
        let ended = window.record(isBad: isBad, duration: duration, inFlight: inFlight, now: now)
        guard let average = ended else { return }
        let short = average.time
        if count < Self.warmup {
            count += 1
            long += (short - long) / Double(count)
        } else {
            long += (short - long) * 2 / (Self.longWindow + 1)
        }
        // The long-term average has been above the times for long: the load has gone, and so may it.
        if long / short > 2 { long *= 0.95 }
        // The limit was not in use, so the times say nothing about it.
        guard Double(average.inFlight) >= value / 2 else { return }
        let gradient = min(max(tolerance * long / short, 0.5), 1)
        let next = value * gradient + queue
        let smoothed = value * (1 - Self.smoothing) + next * Self.smoothing
        value = min(max(smoothed, Double(bounds.lowerBound)), Double(bounds.upperBound))
    }
}
