#if Hub
import Foundation
import SluiceRuns
import SluiceStreams

extension StreamHub {
    /// The part of the figures that the actor knows: it is taken at once, and written elsewhere.
    private struct MetricsState: Sendable {
        /// The ids of the streams in the order in which they came.
        let streams: [String]
        /// The ids of the documents that can't run.
        let blocked: Set<String>
        let runs: [String: RunSupervisor]
        /// The figures of streams that members of groups run.
        let leased: [String: RunFigures.Counts]
        let leasedSinks: [SinkFigures]
        let subscribers: Int
        let members: [(group: String, present: Int)]
        let workers: [WorkerReport]

        /// The figures of the streams that were taken up, in the order in which they came.
        var figures: [(id: String, counts: RunFigures.Counts)] {
            streams.compactMap { id in (runs[id]?.figures.counts ?? leased[id]).map { (id, $0) } }
        }
    }

    private var metricsState: MetricsState {
        let members = groups.values.sorted { $0.name < $1.name }.map { group in
            (group.name, group.members.values.count { $0.isPresent })
        }
        return MetricsState(
            streams: set.streamIDs,
            blocked: set.blockedIDs,
            runs: runs,
            leased: leasedReports.mapValues(\.counts),
            leasedSinks: leasedSinks,
            subscribers: subscriberCount,
            members: members,
            workers: lastWorkers
        )
    }

    /// Returns all figures in Prometheus' text format.
    nonisolated func metricsText() async -> String {
        let state = await metricsState
        let sinks = ((await around.deliveries?.figures ?? []) + state.leasedSinks).sorted {
            ($0.stream, $0.sink) < ($1.stream, $1.sink)
        }
        let counts = around.counters.counts
        var text = PrometheusText()
        text.begin("sluice_streams", .gauge, "The stored streams, by what their runs do.")
        var states: [RunState: Int] = [:]
        let (runStates, lags) = around.bus.runStates
        for id in state.streams {
            states[runStates[id] ?? (state.blocked.contains(id) ? .blocked : .idle), default: 0] += 1
        }
        for state in [RunState.idle, .running, .paused, .restarting, .completed, .failed, .blocked] {
            text.sample(Double(states[state] ?? 0), ["state": state.rawValue])
        }
        text.begin("sluice_runs_open", .gauge, "Runs that are in memory: begun, or resumed.")
        text.sample(Double(state.runs.count))
        text.begin("sluice_runs_begun_total", .counter, "Runs that were begun.")
        text.sample(Double(counts.runsBegun))
        text.begin("sluice_runs_failed_total", .counter, "Runs that have failed.")
        text.sample(Double(counts.runsFailed))
        text.begin("sluice_runs_behind", .gauge, "Runs that can't keep up.")
        text.sample(Double(lags.count))
        text.begin("sluice_run_lag_seconds", .gauge, "The largest lag of a run.")
        text.sample(lags.values.max() ?? 0)
        text.begin("sluice_ticks_skipped_total", .counter, "Overdue ticks that were left out, as documents ask for.")
        text.sample(Double(counts.ticksSkipped))
        text.begin("sluice_runs_memory_bytes", .gauge, "The states and backlogs of all runs, as last measured.")
        text.sample(Double(around.runs.settings.memory.total))
        let published = around.bus.counts
        text.begin("sluice_values_passed_total", .counter, "Values and ends that stages of runs have passed on.")
        text.sample(Double(published.values))
        text.begin("sluice_event_ring_bytes", .gauge, "The bytes of events that are kept for late subscribers.")
        text.sample(Double(around.bus.ringByteCount))
        text.begin("sluice_subscribers", .gauge, "Subscribers to events.")
        text.sample(Double(state.subscribers))
        text.begin("sluice_subscribers_dropped_total", .counter, "Subscribers that read too slowly and were dropped.")
        text.sample(Double(published.dropped + counts.membersDropped))
        text.begin("sluice_outside_items_dropped_total", .counter, "Items of the outside world that found no room.")
        for (source, count) in around.settings.host.drops.bySource.sorted(by: { $0.key < $1.key }) {
            text.sample(Double(count), ["source": source])
        }
        text.begin("sluice_store_batches_total", .counter, "Batches of output and state that were stored.")
        text.sample(Double(counts.batchesStored))
        text.begin("sluice_store_failures_total", .counter, "Batches that the store has refused.")
        text.sample(Double(counts.storeFailures))
        let shared = around.store as? SharedStreamStore
        let help = "1 while the documents that hubs share are there, 0 while they are away."
        text.begin("sluice_shared_available", .gauge, help)
        if let shared { text.sample(shared.isAvailable ? 1 : 0) }
        text.begin("sluice_shared_changes_total", .counter, "Documents that were taken over from other hubs.")
        if shared != nil { text.sample(Double(counts.changesTakenOver)) }
        text.begin("sluice_members", .gauge, "The members of each group that are present.")
        for (group, present) in state.members { text.sample(Double(present), ["group": group]) }
        let limit = around.settings.limits.metricStreams
        WorkerMetrics(workers: state.workers, limit: limit).write(to: &text)
        StreamMetrics(figures: state.figures, lags: lags, sinks: sinks, limit: limit)
            .write(to: &text)
        write(counts.routes, to: &text)
        if let memory = Self.residentMemory {
            text.begin("process_resident_memory_bytes", .gauge, "The memory that the process has.")
            text.sample(Double(memory))
        }
        return text.text
    }

    private nonisolated func write(_ routes: [HubCounters.Route: HubCounters.Requests], to text: inout PrometheusText) {
        let sorted = routes.sorted { ($0.key.path, $0.key.method) < ($1.key.path, $1.key.method) }
        text.begin("sluice_requests_total", .counter, "Requests, by route and status.")
        for (route, requests) in sorted {
            for (status, count) in requests.statuses.sorted(by: { $0.key < $1.key }) {
                text.sample(Double(count), ["method": route.method, "route": route.path, "status": "\(status)"])
            }
        }
        text.begin("sluice_request_seconds", .histogram, "The time from a request to the head of its response.")
        for (route, requests) in sorted {
            var sum = 0
            for (index, count) in requests.times.enumerated() {
                sum += count
                let bound = index < HubCounters.bounds.count ? "\(HubCounters.bounds[index])" : "+Inf"
                let labels: KeyValuePairs = ["method": route.method, "route": route.path, "le": bound]
                text.sample(Double(sum), labels, suffix: "_bucket")
            }
            let labels: KeyValuePairs = ["method": route.method, "route": route.path]
            text.sample(Double(requests.total) / 1e9, labels, suffix: "_sum")
            text.sample(Double(sum), labels, suffix: "_count")
        }
    }

    /// The resident memory of this process as Linux reports it, in bytes.
    private nonisolated static var residentMemory: Int? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
    }
}
#endif
