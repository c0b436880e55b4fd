#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The limit Vegas of Netflix's concurrency-limits (`VegasLimit` over `WindowedLimit`), after TCP Vegas. Time is an input,
/// in nanoseconds.
struct Vegas: Sendable {
    /// The number of limits' worth of windows after which the shortest time is looked for again.
    private static let probeMultiplier = 30

    let bounds: ClosedRange<Int>
    private var value: Double
    /// The shortest usual time: that without a line on the other side.
    private var shortest = Double.infinity
    private var windows = 0
    private var window = LimitWindow()

    /// The number of calls that may run.
    var limit: Int { Int(value) }

    init(initial: Int, in bounds: ClosedRange<Int>) {
        self.bounds = bounds.fromOne
        value = Double(min(max(initial, self.bounds.lowerBound), self.bounds.upperBound))
    }

    /// Takes note of the end of a call that began as one of `inFlight`.
    mutating func record(isBad: Bool, duration: Int64, inFlight: Int, now: Int64) {
        let ended = window.record(isBad: isBad, duration: duration, inFlight: inFlight, now: now)
        guard let average = ended else { return }
        windows += 1
        if windows > Self.probeMultiplier * limit {
            windows = 0
            shortest = average.time
            return
        }
        if average.time < shortest {
            shortest = average.time
            return
        }
        let step = max(log10(value), 1)
        var next = value
        if average.hasDropped {
            next -= step
        } else {
            guard Double(average.inFlight) >= value / 2 else { return }
            let line = (value * (1 - shortest / average.time)).rounded(.up)
            switch line {
            case ...step: next += 6 * step
            case ..<(3 * step): next += step
            case (6 * step).nextUp...: next -= step
            default: return
            }
        }
        value = min(max(next, Double(bounds.lowerBound)), Double(bounds.upperBound))
    }
}
