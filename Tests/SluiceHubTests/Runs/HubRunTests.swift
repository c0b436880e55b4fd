#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

@Suite struct HubRunTests {
    /// Returns the values of the last run.
    private func values(_ hub: Hub, _ id: String) async throws -> [JSON] {
        try await hub.hub.run(id).save()
        return try await hub.store.outputs(of: id, run: nil, after: 0, limit: 1000).filter { $0.kind == .value }
            .map { try JSON(parsing: $0.text) }
    }

    @Test func everybodySeesTheSame() async throws {
        let hub = try await Hub([Document.items("a", [1, 2])])
        let first = try hub.subscribe()
        try await hub.hub.run("a").start()
        try await hub.pass(1.5)
        let late = try hub.subscribe()
        for subscriber in [first, late] {
            let run = try await subscriber.next("run")
            #expect(run.data["run"] == 1 && run.data["state"] == "running")
            #expect(run.data["stages"] == [["name": "stream", "path": "stream", "inputs": []]])
            let value = try await subscriber.next()
            #expect(value?.name == "value")
            #expect(value?.data == ["stream": "a", "stage": 0, "time": 1, "value": 1, "origins": [0]])
        }
        try await hub.pass(1)
        for subscriber in [first, late] {
            #expect(try await subscriber.next("value").data["value"] == 2)
            #expect(try await subscriber.next("completed").data == ["stream": "a", "stage": 0, "time": 2])
            #expect(try await subscriber.next("run").data["state"] == "completed")
        }
    }

    @Test func everyStageIsToldOf() async throws {
        let text = #"""
            {"id": "a", "source": {"values": [1, 2, 3]}, "operators": [
              {"id": "even", "filter": {"expression": "x % 2 == 0"}}, {"id": "ten", "map": {"expression": "x * 10"}}]}
            """#
        let hub = try await Hub([text])
        let subscriber = try hub.subscribe()
        try await hub.hub.run("a").start()
        let run = try await subscriber.next("run")
        #expect(
            run.data["stages"] == [
                ["name": "values", "path": "source.values", "inputs": []],
                [
                    "name": "filter", "id": "even", "path": "operators[0].filter", "expression": "x % 2 == 0",
                    "inputs": [0],
                ],
                ["name": "map", "id": "ten", "path": "operators[1].map", "expression": "x * 10", "inputs": [1]],
            ]
        )
        var seen: [String] = []
        while let event = try await subscriber.next(), event.name == "value" {
            let data = event.data
            seen.append("\(data["stage"] ?? nil) \(data["value"] ?? nil) \(data["origins"] ?? nil)")
        }
        #expect(seen == ["0 1 [0]", "0 2 [1]", "1 2 [1]", "2 20 [1]", "0 3 [2]"])
    }

    @Test func originsCountAnewInEachRun() async throws {
        let hub = try await Hub([Document.items("a", [1, 2])])
        for run in 1...2 {
            try await hub.hub.run("a").start()
            try await hub.pass(3)
            let subscriber = try hub.subscribe()
            #expect(try await subscriber.next("run").data["run"]?.int == run)
            #expect(try await subscriber.next("value").data["origins"] == [0])
            #expect(try await subscriber.next("value").data["origins"] == [1])
        }
    }

    @Test func whatIsLeftOutIsTold() async throws {
        let map = #"{"map": {"expression": "6 / x", "onError": "report"}}"#
        let text = #"{"id": "a", "source": {"values": [0, 3]}, "operators": [\#(map)]}"#
        let hub = try await Hub([text])
        try await hub.hub.run("a").start()
        let subscriber = try hub.subscribe()
        let reported = try await subscriber.next("reported").data
        #expect(reported["stage"] == 1 && reported["error"]?.string?.contains("division by zero") == true)
        #expect(hub.state("a") == .completed)
        let marks = try await hub.ask(.post, "/picture", #"{"document": \#(text)}"#).json["rows"]?[1]?["marks"]
        #expect(marks?.array?.count { $0["reported"] != nil } == 1)
    }

    /// One that repeats without a delay would keep the hub for itself.
    @Test func aRunThatSpinsFails() async throws {
        var settings = HubSettings()
        settings.limits.eventsPerInstant = 200
        let spins = #"{"id": "spins", "source": {"values": [1]}, "operators": [{"repeat": {}}]}"#
        let hub = try await Hub([spins, Document.interval("a", 1)], settings: settings)
        try await hub.hub.run("spins").start()
        try await hub.hub.run("a").start()
        try await hub.pass(1.5)
        #expect(hub.state("spins") == .failed && hub.state("a") == .running)
        let error = try await hub.ask(.get, "/streams/spins/run").json["error"]?.string
        #expect(error == "more than 200 events at one instant: does something repeat without a delay?")
        #expect(HubLimits().eventsPerInstant == 100_000)
    }

    @Test func stagesAreToldBeforeARun() async throws {
        let hub = try await Hub([Document.interval("a", 1, operators: #"{"id": "n", "count": {}}"#)])
        let run = try await hub.ask(.get, "/streams/a/run").json
        #expect(run["state"] == "idle" && run["stages"]?.array?.map { $0["name"] } == ["interval", "count"])
    }

    @Test func whoComesAfterAnEditHearsOfItsStagesAlone() async throws {
        let hub = try await Hub([Document.interval("a", 1)])
        try await hub.hub.run("a").start()
        try await hub.pass(2)
        let edited = Document.interval("a", 1, operators: #"{"id": "ten", "map": {"expression": "x * 10"}}"#)
        #expect(try await hub.ask(.put, "/streams/a", edited, ["If-Match": "\"1\""]).status == .ok)
        try await hub.pass(1)
        let subscriber = try hub.subscribe()
        #expect(try await subscriber.next("run").data["stages"]?.array?.count == 2)
        #expect(try await subscriber.next("value").data["value"] == 2)
        #expect(try await subscriber.next("value").data["value"] == 20)
    }

    @Test func pauseStepAndSpeed() async throws {
        let hub = try await Hub([Document.items("a", [1, 2, 3, 4])])
        let run = try await hub.hub.run("a")
        try await run.start()
        try await hub.pass(1.25)
        await run.pause()
        try await hub.pass(100)
        let status1 = await run.json
        #expect(status1["time"]?.double == 1.25)
        #expect(try await values(hub, "a") == [1])
        try await run.step()
        try await hub.pass(1)
        let status2 = await run.json
        #expect(status2["time"] == 2 && status2["state"] == "paused")
        #expect(try await values(hub, "a") == [1, 2])
        await run.change(speed: 10)
        try await run.resume()
        try await hub.pass(0.1)
        #expect(try await values(hub, "a") == [1, 2, 3])
        try await hub.pass(0.2)
        #expect(try await values(hub, "a") == [1, 2, 3, 4])
        #expect(hub.state("a") == .completed)
    }

    @Test func stepBeginsARun() async throws {
        let hub = try await Hub([Document.items("a", [1, 2])])
        let run = try await hub.hub.run("a")
        try await run.step()
        let status3 = await run.json
        #expect(status3["state"] == "paused" && status3["time"] == 1)
        try await run.step()
        #expect(hub.state("a") == .completed)
    }

    @Test func startBeginsAnewAndStopEnds() async throws {
        let hub = try await Hub([Document.items("a", [1, 2])])
        let run = try await hub.hub.run("a")
        try await run.start()
        try await hub.pass(1)
        try await run.start()
        let status4 = await run.json
        #expect(status4["run"] == 2 && status4["time"] == 0)
        try await hub.pass(1)
        await run.stop()
        try await hub.pass(5)
        #expect(hub.state("a") == .idle)
        #expect(try await hub.store.outputs(of: "a", run: 1, after: 0, limit: 10).map(\.text) == ["1"])
        #expect(try await hub.store.outputs(of: "a", run: 2, after: 0, limit: 10).map(\.text) == ["1"])
        try await run.reset()
        #expect(try await hub.store.run(of: "a") == nil)
        #expect(try await hub.ask(.get, "/streams/a/run").json["state"] == "idle")
    }

    @Test func anEditIsDoneBetweenTwoItems() async throws {
        let hub = try await Hub([Document.items("a", [1, 2, 3])])
        try await hub.hub.run("a").start()
        try await hub.pass(1.5)
        let edited = Document.items("a", [1, 2, 3], after: [1, 3, 0.25])
        let answer = try await hub.ask(.put, "/streams/a", edited, ["If-Match": "\"1\""])
        #expect(answer.status == .ok && answer.etag == "\"2\"")
        #expect(try answer.json["runs"] == 2)
        try await hub.pass(1.5)
        #expect(try await values(hub, "a") == [1])
        try await hub.pass(1.25)
        #expect(try await values(hub, "a") == [1, 2, 3])
        let times = try await hub.store.outputs(of: "a", run: 1, after: 0, limit: 10).map(\.time.seconds)
        #expect(times == [1, 4, 4.25, 4.25])
    }

    @Test func anEditedReferenceIsSeen() async throws {
        let through = #"{"id": "b", "source": {"ref": "numbers"}, "operators": [{"map": {"expression": "x * 10"}}]}"#
        let hub = try await Hub([Document.items("a", [1, 2, 3], name: "numbers"), through])
        try await hub.hub.run("b").start()
        try await hub.pass(1)
        let edited = Document.items("a", [1, 7, 3], name: "numbers")
        #expect(try await hub.ask(.put, "/streams/a", edited, ["If-Match": "\"1\""]).status == .ok)
        try await hub.pass(2)
        #expect(try await values(hub, "b") == [10, 70, 30])
    }

    @Test func aFailureTakesNoOtherAlong() async throws {
        let failing = #"{"id": "f", "source": {"values": [0]}, "operators": [{"map": {"expression": "1 / x"}}]}"#
        let hub = try await Hub([failing, Document.interval("a", 1)])
        try await hub.hub.run("f").start()
        try await hub.hub.run("a").start()
        try await hub.pass(3)
        #expect(hub.state("f") == .failed)
        let status = try await hub.ask(.get, "/streams/f/run").json
        #expect(status["error"]?.string?.contains("division by zero") == true, "\(status)")
        #expect(hub.state("a") == .running)
        #expect(try await values(hub, "a").count == 3)
    }

    /// A hub that stores nothing has no checkpoint to resume from.
    @Test func whatHasFailedAndIsNotStoredIsStartedAgain() async throws {
        let failing =
            #"{"id": "f", "source": {"timer": {"seconds": 1}}, "operators": [{"map": {"expression": "1 / x"}}]}"#
        var settings = HubSettings()
        settings.restart = .onFailure(from: .seconds(10), to: .seconds(60))
        settings.isDurable = false
        let hub = try await Hub([failing], settings: settings)
        try await hub.hub.run("f").start()
        try await hub.pass(1.5)
        #expect(hub.state("f") == .restarting)
        try await hub.pass(8)  // 9.5 s: the wait is 9 to 11 s
        #expect(try await hub.ask(.get, "/streams/f/run").json["run"] == 1)
        try await hub.pass(2.5)  // 12 s: it was begun again, and the second wait is 18 to 22 s
        #expect(try await hub.ask(.get, "/streams/f/run").json["run"] == 2)
        try await hub.pass(14)
        #expect(try await hub.ask(.get, "/streams/f/run").json["run"] == 2)
        try await hub.pass(10)
        #expect(try await hub.ask(.get, "/streams/f/run").json["run"] == 3)
    }

    @Test func waitsDoubleUpToTheMost() {
        let policy = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(60))
        #expect((1...8).map { policy.wait(after: $0) } == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(policy.wait(after: 1_000_000) == .seconds(60))
        #expect(RestartPolicy.never.wait(after: 1) == nil)
    }
}
#endif
