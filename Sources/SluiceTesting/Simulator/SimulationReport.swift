internal import SluiceFilters

/// A report of a ``Simulation``, which prints as a table.
public struct SimulationReport: Sendable, Equatable, CustomStringConvertible {
    /// The load of an endpoint.
    public struct Load: Sendable, Equatable {
        /// The name of the endpoint.
        public var name: String
        /// The number of calls that it received.
        public var tries = 0
        /// The number of successful calls.
        public var successes = 0
        /// The number of failed calls.
        public var failures = 0
        /// The number of calls that were canceled before they ended.
        public var canceled = 0
        /// The number of calls that the endpoint's own filters rejected: see ``SimulatedEndpoint/behind(_:)``.
        public var refused = 0
        /// The maximum number of simultaneous calls, including those in line.
        public var peak = 0
        var running = 0
    }

    /// The errors of one type.
    struct Kind: Sendable, Equatable {
        var count = 0
        /// The first text.
        var text: String
        var isAlwaysTheSame = true
    }

    /// The length of a slice.
    public var slice: Duration
    /// The slices from the start to the last one with events.
    public var slices: [Slice] = []
    /// The endpoints.
    public var endpoints: [Load]
    /// The number of calls that ended with each error, by its text.
    public var errors: [String: Int] = [:]
    /// The errors by the names of their types.
    var kinds: [String: Kind] = [:]
    /// The durations of the successful calls and of the failed ones, sorted.
    var successTimes: [Int64] = []
    var failureTimes: [Int64] = []

    /// The number of calls, all of which have ended.
    public var calls: Int { slices.reduce(0) { $0 + $1.calls } }
    /// The number of calls that endpoints received.
    public var tries: Int { slices.reduce(0) { $0 + $1.tries } }
    /// The share of successful calls; 1 without calls.
    public var success: Double { share(successTimes.count) }
    /// The number of calls that endpoints received for each call that began; 1 without calls.
    public var amplification: Double { amplification(from: .zero) }

    /// Returns the share of calls that succeeded within `duration`.
    ///
    /// - Complexity: O(log *n*).
    public func success(within duration: Duration) -> Double {
        share(successTimes.partition(above: duration.nanoseconds))
    }

    /// Returns the number of calls that endpoints received for each call that began, in the slices that begin at
    /// `start` or later.
    public func amplification(from start: Duration) -> Double {
        let first = Int((start / slice).rounded(.up))
        let rest = slices.dropFirst(max(first, 0))
        let calls = rest.reduce(0) { $0 + $1.calls }
        return calls == 0 ? 1 : Double(rest.reduce(0) { $0 + $1.tries }) / Double(calls)
    }

    /// Returns the duration that the share `quantile` (0 to 1) of the successful calls did not exceed; `nil` if none
    /// succeeded.
    public func latency(_ quantile: Double) -> Duration? { successTimes.quantile(quantile) }

    /// The number of calls that ended with each kind of error, by the name of its type: all ``SluiceFilters/BreakerOpenError``
    /// together, whatever their texts.
    public var errorsByKind: [String: Int] { kinds.mapValues(\.count) }

    /// Counts the error of a call.
    mutating func note(_ error: any Error) {
        let text = "\(error)"
        errors[text, default: 0] += 1
        var kind = kinds["\(type(of: error))"] ?? Kind(text: text)
        kind.count += 1
        if kind.text != text { kind.isAlwaysTheSame = false }
        kinds["\(type(of: error))"] = kind
    }

    private func share(_ count: Int) -> Double { calls == 0 ? 1 : Double(count) / Double(calls) }

    /// The report in a few lines: success, latency, errors, and the load of each endpoint.
    public var description: String {
        var lines = [
            "calls     \(calls), \(fixed(success * 100, 2)) % well, \(fixed(amplification, 3)) tries each",
            "latency   "
                + [("p50", 0.5), ("p99", 0.99), ("p99.9", 0.999), ("max", 1)]
                .map { "\($0) \(latency($1).map(milliseconds) ?? "-")" }.joined(separator: ", "),
        ]
        for (name, kind) in kinds.sorted(by: { ($1.value.count, $0.key) < ($0.value.count, $1.key) }).prefix(8) {
            let text = kind.isAlwaysTheSame ? kind.text : "\(name), such as: \(kind.text)"
            lines.append("error     \(kind.count) × \(text)")
        }
        let width = endpoints.map(\.name.count).max() ?? 0
        for load in endpoints {
            let name = load.name + String(repeating: " ", count: width - load.name.count)
            lines.append(
                "endpoint  \(name)  \(load.tries) tries, \(load.failures) failed, \(load.canceled) canceled, "
                    + (load.refused > 0 ? "\(load.refused) rejected, " : "") + "\(load.peak) at a time"
            )
        }
        return lines.joined(separator: "\n")
    }
}

/// Returns a duration as text: `12.5 ms`.
func milliseconds(_ duration: Duration) -> String {
    fixed(Double(duration.nanoseconds) / 1_000_000, 1) + " ms"
}

/// Returns a number with a number of decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    guard abs(value * scale) < 1e15 else { return "\(value)" }
    let units = Int64((value * scale).rounded())
    let text = String(units.magnitude)
    let padded = String(repeating: "0", count: max(decimals + 1 - text.count, 0)) + text
    return (units < 0 ? "-" : "") + padded.dropLast(decimals) + (decimals > 0 ? "." + padded.suffix(decimals) : "")
}

extension [Int64] {
    /// Returns how many of the sorted numbers are at most `bound`.
    func partition(above bound: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= bound { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the time that the share `quantile` (0 to 1) of the sorted times, in nanoseconds, did not exceed; `nil`
    /// without times.
    func quantile(_ quantile: Double) -> Duration? {
        guard !isEmpty else { return nil }
        let rank = Int((quantile * Double(count)).rounded(.up)) - 1
        return .nanoseconds(self[Swift.min(Swift.max(rank, 0), count - 1)])
    }
}
