import Foundation
import SluiceJSON
import Testing

@testable import SluiceRuns

@Suite struct WorkerReportTests {
    /// The report of version 0.1.0, before workers could be drained: workers of two versions see each other.
    @Test func earlierReportIsRead() throws {
        let text = """
            {"id": "w", "group": "g", "name": "n", "since": 0, "isDraining": false, "units": [
              {"unit": {"stream": "s", "generation": 1, "partition": 0}, "state": "running", "behind": 4}]}
            """
        let report = try SluiceJSONDecoder().decode(WorkerReport.self, from: Array(text.utf8))
        #expect(report.units.first?.behind == 4 && report.units.first?.waiting == nil && report.counts == nil)
    }

    @Test func reportIsReadAsItIsWritten() throws {
        var unit = WorkerReport.Unit(unit: WorkUnit("s", 2, 3), state: "failed", reason: "r", behind: 1)
        (unit.waiting, unit.isBlocked) = (5, true)
        var counts = WorkerReport.Counts()
        counts.takeovers = 4
        let report = WorkerReport(
            id: "w",
            group: "g",
            name: "n",
            since: Date(timeIntervalSince1970: 0),
            units: [unit],
            isDraining: true,
            counts: counts
        )
        let bytes = try SluiceJSONEncoder().bytes(report)
        #expect(try SluiceJSONDecoder().decode(WorkerReport.self, from: bytes) == report)
    }
}
