#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceJSON
import Testing

@testable import SluiceHub
@testable import SluiceRuns

/// Commands for streams that the workers of a cluster run, and the states that a hub shows of them.
@Suite(.timeLimit(.minutes(10))) struct WorkerCommandTests {
    /// Workers of the group `g`, which run the partitions of the stream `a` and do what they are asked for.
    private final class Directory: WorkerDirectory {
        let states: Locked<[String]?>
        let requests = Locked<[String]>([])
        init(_ states: [String]?) { self.states = Locked(states) }

        private func current() throws -> [String] {
            guard let states = states.withLock({ $0 }) else { throw StoreError(.unavailable(reason: "NATS is away")) }
            return states
        }

        func workers() async throws -> [WorkerReport] {
            let units = try current().enumerated().map { number, state in
                WorkerReport.Unit(
                    unit: WorkUnit("a", 1, number),
                    state: state,
                    reason: state == "failed" ? "too large" : nil
                )
            }
            return [WorkerReport(id: "w", group: "g", name: "w", since: Date(timeIntervalSince1970: 0), units: units)]
        }

        func drain(_ id: String, _ isDraining: Bool) async throws -> Bool { false }

        func groups(running stream: String, among groups: [String]) async throws -> [String] {
            _ = try current()
            return groups.filter { $0 == "g" && stream == "a" }
        }

        func pause(_ stream: String, _ isPaused: Bool, in group: String) async throws {
            requests.withLock { $0.append("\(stream) \(isPaused) \(group)") }
            states.withLock { $0 = $0?.map { _ in isPaused ? "paused" : "running" } }
        }
    }

    private func hub(_ directory: Directory) async throws -> Hub {
        var settings = HubSettings()
        settings.workers = directory
        let documents = ["a", "b"].map { #"{"id": "\#($0)", "source": {"interval": {"seconds": 1}}}"# }
        let hub = try await Hub(documents, settings: settings)
        #expect(try await hub.ask(.put, "/groups/g").status.code < 300)
        #expect(try await hub.ask(.put, "/groups/g/streams/a").status.code < 300)
        await hub.hub.lookAtWorkers()
        return hub
    }

    private func state(_ hub: Hub, _ id: String = "a") async throws -> JSON? {
        try await hub.ask(.get, "/streams/\(id)/run").json["state"]
    }

    @Test func pauseAndResumeReachTheWorkers() async throws {
        let directory = Directory(["running", "running", "opening"])
        let hub = try await hub(directory)
        #expect(try await state(hub) == "running")
        let paused = try await hub.ask(.post, "/streams/a/pause")
        #expect(try paused.status == .ok && paused.json["state"] == "paused")
        let list = try await hub.ask(.get, "/streams").json.array
        #expect(list?.first { $0["id"] == "a" }?["state"] == "paused")
        let resumed = try await hub.ask(.post, "/streams/a/resume")
        #expect(try resumed.status == .ok && resumed.json["state"] == "running")
        #expect(directory.requests.withLock { $0 } == ["a true g", "a false g"])
    }

    /// Each says what to do instead, and the hub begins no second run.
    @Test(arguments: ["start", "stop", "step", "reset", "sinks/s/retry", "sinks/s/skip"])
    func otherCommandsAreRefused(_ command: String) async throws {
        let directory = Directory(["running"])
        let hub = try await hub(directory)
        let answer = try await hub.ask(.post, "/streams/a/\(command)")
        #expect(answer.status == .conflict, "\(answer.text)")
        #expect(answer.text.contains("the workers of the group 'g' run the stream"), "\(answer.text)")
        #expect(directory.requests.withLock { $0 }.isEmpty)
        #expect(await hub.hub.runs["a"] == nil)
    }

    @Test func theStateThatNeedsMostAttentionIsShown() async throws {
        let directory = Directory(["running", "paused", "failed"])
        let hub = try await hub(directory)
        let run = try await hub.ask(.get, "/streams/a/run").json
        #expect(run["state"] == "failed" && run["error"] == "partition 2: too large")
        // A partition that has failed goes on.
        #expect(try await hub.ask(.post, "/streams/a/resume").json["state"] == "running")
        #expect(try await hub.ask(.get, "/streams/a/run").json["error"] == nil)
        directory.states.withLock { $0 = [] }
        await hub.hub.lookAtWorkers()
        #expect(try await state(hub) == "idle")
    }

    /// A subscription to outputs that the hub does not have says so, and what to do, as long as workers run the stream.
    @Test(arguments: ["outputs", "errors"]) func aSubscriptionSaysThatWorkersHaveTheOutputs(_ what: String) async throws
    {
        let directory = Directory(["running"])
        let hub = try await hub(directory)
        for (id, stream) in [("c", "a"), ("d", "b")] {
            let document = #"{"source": {"subscribe": {"stream": "\#(stream)", "of": "\#(what)"}}}"#
            #expect(try await hub.ask(.put, "/streams/\(id)", document, ["If-None-Match": "*"]).status == .created)
            #expect(try await hub.ask(.post, "/streams/\(id)/start").status == .ok)
        }
        func waiting(_ id: String) async throws -> String? {
            try await hub.ask(.get, "/streams/\(id)/run").json["waiting"]?.string
        }
        try await hub.until("the reason") { try await waiting("c") != nil }
        let reason = try #require(try await waiting("c"))
        #expect(reason.contains("workers run the stream 'a'") && reason.contains("'publish'"), "\(reason)")
        #expect(try await waiting("d") == nil)
        directory.states.withLock { $0 = [] }
        await hub.hub.lookAtWorkers()
        try await hub.until("no reason") { try await waiting("c") == nil }
    }

    /// Streams of the hub itself need no answer of the workers.
    @Test func aStreamOfTheHubIsItsOwn() async throws {
        let directory = Directory(["running"])
        let hub = try await hub(directory)
        #expect(try await hub.ask(.post, "/streams/b/start").status == .ok)
        directory.states.withLock { $0 = nil }
        for command in ["pause", "resume", "stop"] {
            #expect(try await hub.ask(.post, "/streams/b/\(command)").status == .ok, "\(command)")
        }
        #expect(directory.requests.withLock { $0 }.isEmpty)
    }

    /// A stream that may be one of workers is not begun while nobody can be asked.
    @Test func nothingIsBegunWhereNobodyCanBeAsked() async throws {
        let hub = try await hub(Directory(nil))
        let answer = try await hub.ask(.post, "/streams/a/start")
        #expect(answer.status == .serviceUnavailable && answer.text.contains("NATS is away"), "\(answer.text)")
        #expect(await hub.hub.runs["a"] == nil)
    }
}
#endif
