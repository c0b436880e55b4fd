/// A time axis with ticks at round times, few enough to be readable.
struct TimeAxis {
    let span: Int64
    let step: Int64

    /// Creates an axis of this length with at most `count` spans between its ticks, each one, two, or five of a decimal
    /// unit.
    init(span: Int64, count: Int64) {
        self.span = span
        // Rounded up, so that `count` steps are enough.
        let least = max(1, span / max(1, count) + (span % max(1, count) == 0 ? 0 : 1))
        var power: Int64 = 1
        while power <= least / 10 { power *= 10 }
        step =
            [1, 2, 5].map { $0 * power }.first { $0 >= least } ?? power.multipliedReportingOverflow(by: 10).partialValue
    }

    var ticks: [Int64] {
        guard step > 0 else { return [0] }
        return Array(stride(from: 0, through: span, by: Int(step)).prefix(100)).map { Int64($0) }
    }

    /// Returns a time in the unit of the axis: `1.5 s`, `250 ms`.
    func label(_ time: Int64) -> String {
        if time == 0 { return "0" }
        // The text of a time is in seconds; convert it to the unit of the axis.
        let (scale, name): (Int64, String) =
            span >= 1_000_000_000
            ? (1, "s") : span >= 1_000_000 ? (1000, "ms") : span >= 1000 ? (1_000_000, "µs") : (1_000_000_000, "ns")
        return "\(StreamTime(nanoseconds: time * scale)) \(name)"
    }
}
