#if HTTP
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct ReportTests {
    let hub = GroupStub()

    /// Returns the states of a stream in the reports, without repetitions.
    private func states(of id: String) -> [String] {
        var states: [String] = []
        for report in hub.reports {
            guard let stream = report["streams"]?.array?.first(where: { $0["id"]?.string == id }) else { continue }
            let text = "\(stream["revision"].map { "\($0)" } ?? "none") \(stream["state"]?.string ?? "")"
            if states.last != text { states.append(text) }
        }
        return states
    }

    @Test func reportsItsNameAndWhatRuns() async throws {
        hub.put("a", 4, Text.ticks(1))
        hub.put("b", 1, "{")
        var settings = GroupFollower<ContinuousClock>.Settings()
        settings.name = "worker-1"
        try await follow(hub, settings: settings) { [self] _ in
            if states(of: "a").contains("4 running") && states(of: "b").contains("1 blocked") { throw Enough() }
        }
        let report = try #require(hub.reports.last { $0["streams"]?.array?.isEmpty == false })
        #expect(report["name"] == "worker-1")
        let bad = report["streams"]?.array?.first { $0["id"] == "b" }
        #expect(bad?["error"]?.string?.hasPrefix("revision 1: 1:2: ") == true)
        #expect(report["streams"]?.array?.first { $0["id"] == "a" }?["time"]?.double.map { $0 >= 0 } == true)
    }

    @Test func reportsWhatHasChanged() async throws {
        hub.put("a", 1, Text.values("1"))
        hub.put("t", 1, Text.ticks(1))
        try await follow(hub) { [self] _ in
            if states(of: "a").last == "1 completed",
                states(of: "a").count == 1 || !states(of: "a").contains("2 failed")
            {
                hub.put("a", 2, #"{"source": {"concat": [{"values": [1]}, {"fail": "broken"}]}}"#)
            }
            if states(of: "a").contains("2 restarting") { throw Enough() }
        }
        let report = hub.reports.last?["streams"]?.array?.first { $0["id"] == "a" }
        #expect(report?["error"] == "broken")
        #expect(report?["time"]?.double.map { $0 >= 0 } == true)
    }

    @Test func reportThatIsRefusedIsTold() async throws {
        hub.answerReports(HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"))
        hub.put("a", 1, Text.never)
        let told = try await follow(hub) { [hub] line in
            if line.hasPrefix("problem") {
                hub.answerReports(nil)
                hub.put("a", 2, Text.values("1"))
            }
            if line.contains("completed") { throw Enough() }
        }
        #expect(
            told.filter { $0.hasPrefix("problem") } == ["problem: the hub refuses reports: 507 Insufficient Storage"]
        )
    }

    @Test func reportsEveryTenSecondsAndLeaves() async throws {
        let clock = TestClock()
        let follower = GroupFollower(HubClient(hub), member: "me", clock: clock)
        let work = Task { try await follower.run { _ in } }
        await hub.waitForReports(1)
        for count in 2...3 {
            // First the pause after a report, then the ten seconds.
            while hub.reports.count < count {
                await clock.sleepers(1)
                clock.advance(by: .seconds(10))
                await Task.yield()
            }
        }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(hub.departures == ["me"])
    }
}
#endif
