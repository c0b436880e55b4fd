/// An exponentially weighted moving average over time that is not evenly spaced: Finagle's `Ema`.
///
/// A sample weighs 1 - e^(-Δt / `window`), the past the rest. The first sample sets it.
struct Average: Sendable {
    private(set) var value = 0.0
    private var stamp: Int64?
    private let window: Double

    /// `window` is in nanoseconds; with 0 the last sample is the average.
    init(window: Int64) { self.window = Double(window) }

    /// Takes a sample; time that goes backward stands still.
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

    /// Forgets everything: the next sample sets it.
    mutating func reset() {
        stamp = nil
        value = 0
    }
}
