internal import SluiceFilters

/// What happened in a ``Simulation``: printed, it is a table.
public struct SimulationReport: Sendable, Equatable, CustomStringConvertible {
    /// What happened in one slice of the time.
    public struct Slice: Sendable, Equatable {
        /// Calls that came.
        public var calls = 0
        /// Calls that came and ended well, then or later.
        public var successes = 0
        /// Calls that endpoints got: first tries, further tries and hedges.
        public var tries = 0
    }

    /// What an endpoint got.
    public struct Load: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Calls that it got.
        public var tries = 0
        /// Calls that it answered.
        public var successes = 0
        /// Calls that failed.
        public var failures = 0
        /// Calls that were canceled before they ended.
        public var canceled = 0
        /// The most calls that it had at the same time, those in line included.
        public var peak = 0
        var running = 0
    }

    /// The length of a slice.
    public var slice: Duration
    /// The slices from the start on, the last one in which anything happened included.
    public var slices: [Slice] = []
    /// The endpoints.
    public var endpoints: [Load]
    /// How many calls ended with which error, by its text.
    public var errors: [String: Int] = [:]
    /// How long the calls took that ended well, and those that failed, in order.
    var successTimes: [Int64] = []
    var failureTimes: [Int64] = []

    /// Calls that came; all of them have ended.
    public var calls: Int { slices.reduce(0) { $0 + $1.calls } }
    /// Calls that endpoints got.
    public var tries: Int { slices.reduce(0) { $0 + $1.tries } }
    /// The share of calls that ended well; 1 if there were none.
    public var success: Double { share(successTimes.count) }
    /// How many calls endpoints got for each that came; 1 if none came.
    public var amplification: Double { amplification(from: .zero) }

    /// The share of calls that ended well within `duration`.
    ///
    /// - Complexity: O(log *n*).
    public func success(within duration: Duration) -> Double {
        share(successTimes.partition(above: duration.nanoseconds))
    }

    /// How many calls endpoints got for each that came, in the slices that begin at `start` or later.
    public func amplification(from start: Duration) -> Double {
        let first = Int((start / slice).rounded(.up))
        let rest = slices.dropFirst(max(first, 0))
        let calls = rest.reduce(0) { $0 + $1.calls }
        return calls == 0 ? 1 : Double(rest.reduce(0) { $0 + $1.tries }) / Double(calls)
    }

    /// How long the share `quantile` (0 to 1) of the calls that ended well took at most; `nil` if none did.
    public func latency(_ quantile: Double) -> Duration? {
        guard !successTimes.isEmpty else { return nil }
        let rank = Int((quantile * Double(successTimes.count)).rounded(.up)) - 1
        return .nanoseconds(successTimes[min(max(rank, 0), successTimes.count - 1)])
    }

    private func share(_ count: Int) -> Double { calls == 0 ? 1 : Double(count) / Double(calls) }

    /// A few lines: success, latency, errors, and the load of each endpoint.
    public var description: String {
        var lines = [
            "calls     \(calls), \(fixed(success * 100, 2)) % well, \(fixed(amplification, 3)) tries each",
            "latency   "
                + [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]
                .map { "\($0) \(latency($1).map(milliseconds) ?? "-")" }.joined(separator: ", "),
        ]
        for (error, count) in errors.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(8) {
            lines.append("error     \(count) × \(error)")
        }
        let width = endpoints.map(\.name.count).max() ?? 0
        for load in endpoints {
            let name = load.name + String(repeating: " ", count: width - load.name.count)
            lines.append(
                "endpoint  \(name)  \(load.tries) tries, \(load.failures) failed, \(load.canceled) canceled, "
                    + "\(load.peak) at a time"
            )
        }
        return lines.joined(separator: "\n")
    }

    private func milliseconds(_ duration: Duration) -> String {
        fixed(Double(duration.nanoseconds) / 1_000_000, 1) + " ms"
    }
}

/// A number with so many decimals.
private func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    guard abs(value * scale) < 1e15 else { return "\(value)" }
    let units = Int64((value * scale).rounded())
    let text = String(units.magnitude)
    let padded = String(repeating: "0", count: max(decimals + 1 - text.count, 0)) + text
    return (units < 0 ? "-" : "") + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
}

extension [Int64] {
    /// How many of the ordered numbers are at most `bound`.
    fileprivate func partition(above bound: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= bound { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
