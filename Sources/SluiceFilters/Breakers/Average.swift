/// An exponentially weighted moving average over unevenly spaced times: Finagle's `Ema`.
///
/// A sample has the weight 1 - e^(-Δt / `window`), and the past the rest. The first sample sets the average.
struct Average: Sendable {
    private(set) var value = 0.0
    private var stamp: Int64?
    private let window: Double

    /// Creates an average with a window in nanoseconds; with 0 the last sample is the average.
    init(window: Int64) { self.window = Double(window) }

    /// Adds a sample; a time before the last one counts as the last one.
    mutating func update(_ sample: Double, at now: Int64) {
        guard let last = stamp else {
            stamp = now
            value = sample
            return
        }
        let weight = exponentialWeight(age: max(now - last, 0), span: window)
        value = sample * (1 - weight) + value * weight
        stamp = max(now, last)
    }

    /// Resets the average: the next sample sets it.
    mutating func reset() {
        stamp = nil
        value = 0
    }
}
