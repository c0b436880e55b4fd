#if HTTP
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceClient

@Suite(.timeLimit(.minutes(30))) struct RestartTests {
    let hub = GroupStub()
    let clock = TestClock()

    /// Follows on a clock that advances whenever a task waits for it. Returns the notices and their times.
    private func follow(
        _ restart: RestartPolicy,
        _ body: @escaping (String) throws -> Void
    ) async throws -> [(line: String, time: Duration)] {
        var settings = GroupFollower<TestClock>.Settings()
        settings.restart = restart
        let follower = GroupFollower(HubClient(hub), member: "me", settings: settings, clock: clock)
        let time = movingTime(clock)
        defer { time.cancel() }
        var told: [(line: String, time: Duration)] = []
        let start = clock.now
        do {
            try await follower.run { [clock] notice in
                told.append((notice.told, start.duration(to: clock.now)))
                try body(notice.told)
            }
        } catch is Enough {}
        return told
    }

    @Test func beginsAgainSoOftenAndThenWaitsForAnEdit() async throws {
        hub.put("a", 1, #"{"source": {"fail": "broken"}}"#)
        var errors = 0
        let told = try await follow(.onFailure(from: .seconds(5), to: .seconds(5), maxRestarts: 2)) { [hub] line in
            if line.contains("error") { errors += 1 }
            if errors == 3, line.contains("error") { hub.put("a", 2, Text.values("1")) }
            if line.contains("completed") { throw Enough() }
        }
        let failed = #"{"stream": "a", "revision": 1, "time": 0, "error": "broken"}"#
        let restarted = #"{"stream": "a", "revision": 1, "taken": "restarted"}"#
        #expect(
            told.map(\.line) == [
                #"{"stream": "a", "revision": 1, "taken": "started"}"#, failed, restarted, failed, restarted, failed,
                #"{"stream": "a", "revision": 2, "taken": "started"}"#,
                #"{"stream": "a", "revision": 2, "time": 0, "value": 1}"#,
                #"{"stream": "a", "revision": 2, "time": 0, "completed": true}"#,
            ]
        )
        // The waits are spread by a tenth.
        #expect(told[2].time >= .seconds(4.5) && told[4].time - told[2].time >= .seconds(4.5))
    }

    @Test func runThatLastedLongIsASuccess() async throws {
        hub.put("a", 1, #"{"source": {"concat": [{"timer": {"seconds": 10}}, {"fail": "broken"}]}}"#)
        var restarts = 0
        let policy = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(1), maxRestarts: 1)
        _ = try await follow(policy) { line in
            if line.contains("restarted") { restarts += 1 }
            if restarts == 4 { throw Enough() }
        }
        #expect(restarts == 4)
    }

    @Test func editEndsTheWait() async throws {
        hub.put("a", 1, #"{"source": {"fail": "broken"}}"#)
        let told = try await follow(.onFailure(from: .seconds(1_000_000), to: .seconds(1_000_000))) { [hub] line in
            if line.contains("error") { hub.put("a", 2, Text.values("1")) }
            if line.contains("completed") { throw Enough() }
        }
        #expect(told.map(\.line).contains(#"{"stream": "a", "revision": 2, "taken": "started"}"#))
        #expect(told.last.map { $0.time < .seconds(900_000) } == true)
    }
}
#endif
