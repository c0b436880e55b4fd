internal import SluiceFilters

extension SimulationReport {
    /// The events of one slice of the time. A call belongs to the slice in which it began.
    public struct Slice: Sendable, Equatable {
        /// The number of calls that began.
        public var calls = 0
        /// The number of calls that endpoints received: first attempts, retries, and hedges.
        public var tries = 0
        /// The number of calls that ended with each kind of error, by the name of its type.
        public var errors: [String: Int] = [:]
        /// The durations of the successful calls, sorted.
        var successTimes: [Int64] = []

        /// The number of successful calls.
        public var successes: Int { successTimes.count }

        /// Returns the duration that the share `quantile` (0 to 1) of the successful calls did not exceed; `nil` if
        /// none succeeded.
        public func latency(_ quantile: Double) -> Duration? { successTimes.quantile(quantile) }

        /// Returns the share of calls that succeeded within `duration`; 1 without calls.
        ///
        /// - Complexity: O(log *n*).
        public func success(within duration: Duration) -> Double {
            calls == 0 ? 1 : Double(successTimes.partition(above: duration.nanoseconds)) / Double(calls)
        }
    }

    /// The report over time, one line for each slice: its start, calls, successes, latencies, attempts, and errors by
    /// kind.
    ///
    /// ```
    /// time        calls   well      p50        p99  tries  errors
    /// 0.0 s         100    97%   5.0 ms    12.4 ms    104  3 × SimulatedError
    /// ```
    public var timeline: String {
        var rows = [["time", "calls", "well", "p50", "p99", "tries", "errors"]]
        for (index, slice) in slices.enumerated() {
            let errors = slice.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            rows.append([
                fixed(self.slice * index / .seconds(1), 1) + " s",
                "\(slice.calls)",
                slice.calls == 0 ? "-" : fixed(Double(slice.successes) / Double(slice.calls) * 100, 0) + "%",
                slice.latency(0.5).map(milliseconds) ?? "-",
                slice.latency(0.99).map(milliseconds) ?? "-",
                "\(slice.tries)",
                errors.map { "\($0.value) × \($0.key)" }.joined(separator: ", "),
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, text) in row.dropLast().enumerated() {
                let padding = String(repeating: " ", count: widths[column] - text.count)
                line += (column == 0 ? text + padding : padding + text) + "  "
            }
            return line + (row.last ?? "")
        }.joined(separator: "\n")
    }
}
