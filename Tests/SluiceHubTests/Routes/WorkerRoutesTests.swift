#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceJSON
import Testing

@testable import SluiceHub
@testable import SluiceRuns

/// The workers of a cluster, as a hub shows them, counts them, and drains them.
@Suite struct WorkerRoutesTests {
    /// Workers that are known in advance; `nil` while nobody can be asked.
    private final class Directory: WorkerDirectory {
        let reports: Locked<[WorkerReport]?>
        let requests = Locked<[String]>([])

        init(_ reports: [WorkerReport]?) { self.reports = Locked(reports) }

        func workers() async throws -> [WorkerReport] {
            guard let reports = reports.withLock({ $0 }) else { throw StoreError(.unavailable(reason: "NATS is away")) }
            return reports
        }

        func drain(_ id: String, _ isDraining: Bool) async throws -> Bool {
            guard try await workers().contains(where: { $0.id == id }) else { return false }
            requests.withLock { $0.append("\(id) \(isDraining)") }
            return true
        }

        func groups(running stream: String, among groups: [String]) async throws -> [String] {
            let reports = try await workers()
            return groups.filter { group in
                reports.contains { $0.group == group && $0.units.contains { $0.unit.stream == stream } }
            }
        }

        func pause(_ stream: String, _ isPaused: Bool, in group: String) async throws {
            requests.withLock { $0.append("\(stream) \(isPaused) \(group)") }
            reports.withLock { reports in
                reports = reports?.map { report in
                    let units = report.units.map { unit in
                        guard unit.unit.stream == stream else { return unit }
                        return WorkerReport.Unit(unit: unit.unit, state: isPaused ? "paused" : "running")
                    }
                    return WorkerReport(
                        id: report.id,
                        group: report.group,
                        name: report.name,
                        since: report.since,
                        units: units
                    )
                }
            }
        }
    }

    private func hub(_ workers: (any WorkerDirectory)?) async throws -> Hub {
        var settings = HubSettings()
        settings.workers = workers
        return try await Hub(settings: settings)
    }

    private func report(_ id: String, group: String = "g", _ units: [WorkerReport.Unit]) -> WorkerReport {
        var counts = WorkerReport.Counts()
        (counts.takeovers, counts.losses, counts.repeats) = (3, 2, 1)
        let since = Date(timeIntervalSince1970: 1_000_000)
        return WorkerReport(id: id, group: group, name: "N \(id)", since: since, units: units, counts: counts)
    }

    private func unit(
        _ stream: String,
        _ partition: Int,
        _ state: String = "running",
        behind: Int? = 7,
        waiting: Int = 2
    )
        -> WorkerReport.Unit
    {
        var unit = WorkerReport.Unit(unit: WorkUnit(stream, 1, partition), state: state, behind: behind)
        (unit.waiting, unit.isBlocked) = (waiting, state == "failed")
        return unit
    }

    @Test func workersAreListedWithTheirPartitions() async throws {
        let hub = try await hub(Directory([report("w1", [unit("a", 0), unit("a", 1, "failed", behind: nil)])]))
        let workers = try #require(try await hub.ask(.get, "/workers").json.array)
        #expect(workers.count == 1 && workers[0]["id"] == "w1" && workers[0]["name"] == "N w1")
        #expect(workers[0]["since"] == "1970-01-12T13:46:40.000Z" && workers[0]["isDraining"] == false)
        #expect(workers[0]["takeovers"] == 3 && workers[0]["losses"] == 2 && workers[0]["repeats"] == 1)
        let partitions = try #require(workers[0]["partitions"]?.array)
        #expect(partitions[0]["stream"] == "a" && partitions[0]["partition"] == 0 && partitions[0]["behind"] == 7)
        #expect(
            partitions[1]["state"] == "failed" && partitions[1]["behind"] == nil && partitions[1]["isBlocked"] == true
        )
        #expect(try await hub.ask(.get, "/overview").json["hasWorkers"] == true)
    }

    @Test func aWorkerIsDrained() async throws {
        let directory = Directory([report("w1", [])])
        let hub = try await hub(directory)
        #expect(try await hub.ask(.put, "/workers/w1/drain").status == .noContent)
        #expect(try await hub.ask(.delete, "/workers/w1/drain").status == .noContent)
        #expect(directory.requests.withLock { $0 } == ["w1 true", "w1 false"])
        #expect(try await hub.ask(.put, "/workers/w2/drain").status == .notFound)
    }

    @Test func hubWithoutAClusterHasNoWorkers() async throws {
        let hub = try await hub(nil)
        #expect(try await hub.ask(.get, "/workers").json == [])
        #expect(try await hub.ask(.put, "/workers/w1/drain").status == .notFound)
        #expect(try await hub.ask(.get, "/overview").json["hasWorkers"] == false)
        let samples = try MetricsTests().parse(try await hub.ask(.get, "/metrics").text)
        #expect(!samples.contains { $0.name.hasPrefix("sluice_worker") || $0.name.hasPrefix("sluice_partition") })
    }

    @Test func directoryThatIsAwayIsSaid() async throws {
        let hub = try await hub(Directory(nil))
        for (method, path) in [(HTTPRequest.Method.get, "/workers"), (.put, "/workers/w1/drain")] {
            let answer = try await hub.ask(method, path)
            #expect(answer.status == .serviceUnavailable && answer.text.contains("NATS is away"))
        }
    }

    @Test func metricsHaveWhatWasSeenLast() async throws {
        let directory = Directory([report("w1", [unit("a", 0), unit("b", 0)]), report("w2", group: "h", [])])
        let hub = try await hub(directory)
        await hub.hub.lookAtWorkers()
        let metrics = MetricsTests()
        var samples = try metrics.parse(try await hub.ask(.get, "/metrics").text)
        #expect(metrics.value("sluice_workers", ["group": "g"], in: samples) == 1)
        let worker = ["group": "g", "worker": "w1", "name": "N w1"]
        for (name, figure) in [
            ("partitions", 2.0), ("draining", 0), ("takeovers_total", 3), ("losses_total", 2), ("repeats_total", 1),
        ] {
            #expect(metrics.value("sluice_worker_\(name)", worker, in: samples) == figure, "\(name)")
        }
        // While nobody can be asked, nothing is known.
        directory.reports.withLock { $0 = nil }
        await hub.hub.lookAtWorkers()
        samples = try metrics.parse(try await hub.ask(.get, "/metrics").text)
        #expect(metrics.value("sluice_workers", ["group": "g"], in: samples) == nil)
    }

    /// 5 workers and 5 streams with labels for 2: the others are added up, and the partition that is furthest behind counts.
    @Test(arguments: [0, 2, 5]) func labelsAreBounded(_ limit: Int) throws {
        let workers = (0..<5).map { (number: Int) in
            report(
                "w\(number)",
                group: "g\(number)",
                [unit("s\(number)", 0, behind: number), unit("s\(number)", 1, "failed")]
            )
        }
        var text = PrometheusText()
        WorkerMetrics(workers: workers, limit: limit).write(to: &text)
        let families = Dictionary(grouping: try MetricsTests().parse(text.text), by: \.name)
        let rows = min(5, limit + 1)
        for (name, sum) in [
            ("sluice_workers", 5.0), ("sluice_worker_partitions", 10), ("sluice_worker_takeovers_total", 15),
            ("sluice_worker_losses_total", 10),
            ("sluice_worker_repeats_total", 5), ("sluice_partitions", 10), ("sluice_partitions_waiting", 20),
            ("sluice_partitions_blocked", 5), ("sluice_partitions_behind_messages", Double(7 * rows)),
        ] {
            let family = families[name] ?? []
            #expect(family.map(\.value).reduce(0, +) == sum, "\(name)")
            #expect(family.count == (name == "sluice_partitions" ? 2 * rows : rows), "\(name)")
        }
    }
}
#endif
