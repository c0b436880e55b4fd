#if Hub
import SluiceRuns

/// The figures of the cluster's workers and of the streams that they run, with a bounded number of labels.
///
/// The first workers by id, and the first streams by group and id, have figures of their own. Those of all others are added up
/// under ``StreamMetrics/rest``.
struct WorkerMetrics {
    let workers: [WorkerReport]
    /// The largest number of workers, and of streams, with figures of their own.
    let limit: Int

    /// The figures of a stream's partitions in a group.
    private struct Stream {
        let (group, stream): (String, String)
        var states: [String: Int] = [:]
        var (behind, waiting, blocked) = (0, 0, 0)

        init(_ group: String, _ stream: String) { (self.group, self.stream) = (group, stream) }

        mutating func add(_ unit: WorkerReport.Unit) {
            states[unit.state, default: 0] += 1
            behind = max(behind, unit.behind ?? 0)
            waiting += unit.waiting ?? 0
            blocked += unit.isBlocked ?? false ? 1 : 0
        }
    }

    /// Writes the families of figures.
    func write(to text: inout PrometheusText) {
        text.begin("sluice_workers", .gauge, "Workers of a group that show a sign of life.")
        let groups = Dictionary(grouping: workers, by: \.group).sorted { $0.key < $1.key }
        for (group, workers) in groups.prefix(limit) { text.sample(Double(workers.count), ["group": group]) }
        if groups.count > limit {
            let rest = groups.dropFirst(limit).reduce(0) { $0 + $1.value.count }
            text.sample(Double(rest), ["group": StreamMetrics.rest])
        }
        writeWorkers(to: &text)
        writeStreams(to: &text)
    }

    private func writeWorkers(to text: inout PrometheusText) {
        func family(
            _ name: String,
            _ kind: PrometheusText.Kind,
            _ help: String,
            _ value: (WorkerReport) -> Int
        ) {
            text.begin("sluice_worker_\(name)", kind, help)
            for worker in workers.prefix(limit) {
                let labels: KeyValuePairs = ["group": worker.group, "worker": worker.id, "name": worker.name]
                text.sample(Double(value(worker)), labels)
            }
            if workers.count > limit {
                let sum = workers.dropFirst(limit).reduce(0) { $0 + value($1) }
                let rest = StreamMetrics.rest
                text.sample(Double(sum), ["group": rest, "worker": rest, "name": rest])
            }
        }
        family("partitions", .gauge, "Partitions that a worker has.") { $0.units.count }
        family("draining", .gauge, "1 for a worker that gives its partitions to the others.") { $0.isDraining ? 1 : 0 }
        family("takeovers_total", .counter, "Partitions that a worker has taken over.") { $0.counts?.takeovers ?? 0 }
        family("losses_total", .counter, "Partitions that others took from a worker, since it seemed dead.") {
            $0.counts?.losses ?? 0
        }
        family("repeats_total", .counter, "Outputs that a worker did not publish, since the subject had them.") {
            $0.counts?.repeats ?? 0
        }
    }

    private func writeStreams(to text: inout PrometheusText) {
        var all: [[String]: Stream] = [:]
        for worker in workers {
            for unit in worker.units {
                let key = [worker.group, unit.unit.stream]
                all[key, default: Stream(worker.group, unit.unit.stream)].add(unit)
            }
        }
        let sorted = all.values.sorted { ($0.group, $0.stream) < ($1.group, $1.stream) }
        var rows = Array(sorted.prefix(limit))
        if sorted.count > limit {
            var rest = Stream(StreamMetrics.rest, StreamMetrics.rest)
            for stream in sorted.dropFirst(limit) {
                rest.states.merge(stream.states, uniquingKeysWith: +)
                rest.behind = max(rest.behind, stream.behind)
                rest.waiting += stream.waiting
                rest.blocked += stream.blocked
            }
            rows.append(rest)
        }
        text.begin("sluice_partitions", .gauge, "Partitions of a stream that workers have, by what their runs do.")
        for row in rows {
            for (state, count) in row.states.sorted(by: { $0.key < $1.key }) {
                text.sample(Double(count), ["group": row.group, "stream": row.stream, "state": state])
            }
        }
        func family(_ name: String, _ help: String, _ value: (Stream) -> Int) {
            text.begin("sluice_partitions_\(name)", .gauge, help)
            for row in rows { text.sample(Double(value(row)), ["group": row.group, "stream": row.stream]) }
        }
        family("behind_messages", "Messages that wait for the partition that is furthest behind.", \.behind)
        family("waiting", "Outputs that wait for the sinks of a stream's partitions.", \.waiting)
        family("blocked", "Partitions with a sink that waits for a command.", \.blocked)
    }
}
#endif
