#if Hub
import SluiceRuns

/// The figures of single streams and sinks, with a bounded number of labels.
///
/// The first streams in the order of the documents have figures of their own. Those of all others are added up under
/// ``rest``, which is not an id.
struct StreamMetrics {
    let figures: [(id: String, counts: RunFigures.Counts)]
    /// The lags of the runs that can't keep up, in seconds.
    let lags: [String: Double]
    let sinks: [SinkFigures]
    /// The largest number of streams, and of sinks, with figures of their own.
    let limit: Int

    /// The label of the streams and sinks that have no figures of their own.
    static let rest = "(others)"

    /// Writes the families of figures.
    func write(to text: inout PrometheusText) {
        writeStreams(to: &text)
        writeSinks(to: &text)
    }

    private func writeStreams(to text: inout PrometheusText) {
        var rows = figures.prefix(limit).map { (name: $0.id, counts: $0.counts, lag: lags[$0.id] ?? 0) }
        if figures.count > limit {
            var (rest, lag) = (RunFigures.Counts(), 0.0)
            for (id, counts) in figures.dropFirst(limit) {
                rest += counts
                lag = max(lag, lags[id] ?? 0)
            }
            rows.append((Self.rest, rest, lag))
        }
        func family(
            _ name: String,
            _ kind: PrometheusText.Kind,
            _ help: String,
            _ value: (RunFigures.Counts, _ lag: Double) -> Double
        ) {
            text.begin("sluice_stream_\(name)", kind, help)
            for row in rows { text.sample(value(row.counts, row.lag), ["stream": row.name]) }
        }
        family("items_in_total", .counter, "Values that the sources of a stream have put in.") { figures, _ in
            Double(figures.itemsIn)
        }
        family("items_out_total", .counter, "Values that a stream has put out.") { figures, _ in
            Double(figures.itemsOut)
        }
        family("reported_total", .counter, "Errors that operators of a stream have reported.") { figures, _ in
            Double(figures.reported)
        }
        family("failures_total", .counter, "Runs of a stream that have failed.") { figures, _ in
            Double(figures.failures)
        }
        family("turn_seconds_total", .counter, "The time that a stream has worked.") { figures, _ in
            Double(figures.turnTime) / 1e9
        }
        family("state_bytes", .gauge, "The state of a stream's run, as last measured.") { figures, _ in
            Double(figures.stateSize)
        }
        family("lag_seconds", .gauge, "The lag of a stream that can't keep up; of others the largest.") { _, lag in lag
        }
    }

    private func writeSinks(to text: inout PrometheusText) {
        struct Row {
            let (stream, sink): (String, String)
            var (delivered, failed, waiting, blocked) = (0, 0, 0, 0)

            init(_ stream: String, _ sink: String) { (self.stream, self.sink) = (stream, sink) }

            mutating func add(_ figures: SinkFigures) {
                delivered += figures.delivered
                failed += figures.failed
                waiting += figures.waiting
                blocked += figures.isBlocked ? 1 : 0
            }
        }
        var rows: [Row] = []
        for (index, figures) in sinks.enumerated() {
            if index < limit {
                rows.append(Row(figures.stream, figures.sink))
            } else if index == limit {
                rows.append(Row(Self.rest, Self.rest))
            }
            rows[rows.count - 1].add(figures)
        }
        func family(_ name: String, _ kind: PrometheusText.Kind, _ help: String, _ value: (Row) -> Int) {
            text.begin("sluice_sink_\(name)", kind, help)
            for row in rows { text.sample(Double(value(row)), ["stream": row.stream, "sink": row.sink]) }
        }
        family("delivered_total", .counter, "Outputs that a sink has delivered.", \.delivered)
        family("failed_total", .counter, "Outputs that a sink has put to the dead letters.", \.failed)
        family("waiting", .gauge, "Outputs that wait for a sink.", \.waiting)
        family("blocked", .gauge, "1 for a sink that waits for a command, since a delivery has failed.", \.blocked)
    }
}

extension RunFigures.Counts {
    fileprivate static func += (a: inout Self, b: Self) {
        a.itemsIn += b.itemsIn
        a.itemsOut += b.itemsOut
        a.reported += b.reported
        a.failures += b.failures
        a.turnTime &+= b.turnTime
        a.stateSize += b.stateSize
    }
}
#endif
