#if Hub
import Foundation
import HTTPTypes
import Sluice
import SluiceJSON
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// A hub continues with the store of a hub that was killed, or that has ended.
@Suite struct DurableRunTests {
    private func outputs(_ store: any StreamStore, _ id: String) async throws -> [String] {
        try await store.outputs(of: id, run: nil, after: 0, limit: 1000).map { "\($0.sequence) \($0.time) \($0.text)" }
    }

    @Test func aKilledRunGoesOn() async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let text = Document.interval("a", 1, operators: #"{"id": "sum", "scan": {"expression": "acc + x"}}"#)
        let killed = try await Hub([text], on: store, clock: clock)
        try await killed.hub.run("a").start()
        try await killed.pass(3.5)
        // The process was away for two ticks and a half; these come at once, in their order.
        clock.advance(by: .seconds(2.5))
        let hub = try await Hub(on: try await Copy.of(store, ["a"]), clock: clock)
        try await hub.pass(0.1)
        #expect(hub.state("a") == .running)
        let wanted = ["1 1 0", "2 2 1", "3 3 3", "4 4 6", "5 5 10", "6 6 15"]
        #expect(try await outputs(hub.store, "a") == wanted)
        try await hub.pass(1)
        #expect(try await outputs(hub.store, "a") == wanted + ["7 7 21"])
    }

    /// The clock does not move, so that nothing but the request itself stores the run: a hub that is killed after any
    /// answer has a successor in which the request holds.
    @Test func anAnsweredRequestSurvivesAKill() async throws {
        let requests: [(path: String, body: String?, holds: @Sendable (StoredRun) -> Bool)] = [
            ("start", nil, { $0.state == "running" && $0.run == 1 }), ("pause", nil, { $0.isPaused }),
            ("resume", nil, { $0.state == "running" && !$0.isPaused }), ("step", nil, { $0.isPaused }),
            ("speed", #"{"speed": 3}"#, { $0.speed == 3 }), ("stop", nil, { $0.state == "idle" }),
            ("resume", nil, { $0.state != "idle" && $0.run == 1 }), ("start", nil, { $0.run == 2 }),
        ]
        let store = MemoryStreamStore()
        let hub = try await Hub([Document.interval("a", 1)], on: store)
        let prefix = "/streams/{id}/"
        let paths = hub.routes.operations.filter { $0.id.hasSuffix("Run") || $0.id == "changeSpeed" }
            .filter { $0.method == .post }.map { String($0.path.dropFirst(prefix.count)) }
        // A run that was reset is stored nowhere.
        #expect(Set(requests.map(\.path) + ["reset"]) == Set(paths))
        for (path, body, holds) in requests {
            let answer = try await hub.ask(.post, "/streams/a/\(path)", body)
            let stored = try #require(try await store.run(of: "a"), "\(path): \(answer.text)")
            #expect(holds(stored), "\(path): \(stored)")
        }
        _ = try await hub.ask(.post, "/streams/a/reset")
        #expect(try await store.run(of: "a") == nil)
    }

    /// The first hub goes on as if it were not dead, so that each moment may be the last: all are tried.
    @Test func noMomentLosesOrDoubles() async throws {
        let text = Document.interval("a", 0.3, operators: #"{"id": "sum", "scan": {"expression": "acc + x"}}"#)
        for cut in stride(from: 0.0, through: 2.0, by: 0.07) {
            let (store, clock) = (MemoryStreamStore(), TestClock())
            let killed = try await Hub([text], on: store, clock: clock)
            try await killed.hub.run("a").start()
            try await killed.pass(cut)
            let hub = try await Hub(on: Copy.of(store, ["a"]), clock: clock)
            if hub.state("a") == nil { continue }  // nothing was stored yet: the run has not begun
            try await hub.pass(3)
            let stored = try await hub.store.outputs(of: "a", run: nil, after: 0, limit: 1000)
            let values = stored.map { Int($0.text) ?? -1 }
            var sums: [Int] = []
            for x in 0..<stored.count { sums.append((sums.last ?? 0) + x) }
            #expect(values == sums, "after \(cut) s")
            #expect(stored.map(\.sequence) == Array(1...max(1, stored.count)).prefix(stored.count).map { $0 })
            #expect(stored.count >= Int((cut + 2.9) / 0.3), "after \(cut) s")
        }
    }

    @Test func aPausedRunStaysPaused() async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let before = try await Hub([Document.items("a", [1, 2, 3])], on: store, clock: clock)
        let run = try await before.hub.run("a")
        try await run.start()
        await run.change(speed: 2)
        try await before.pass(0.6)
        await run.pause()
        try await before.pass(1)
        await before.hub.shutDown()
        clock.advance(by: .seconds(1000))
        let hub = try await Hub(on: store, clock: clock)
        #expect(hub.state("a") == .paused)
        let status = try await hub.ask(.get, "/streams/a/run").json
        #expect(status["time"]?.double == 1.2 && status["speed"] == 2)
        try await hub.hub.run("a").resume()
        try await hub.pass(0.5)
        #expect(try await outputs(store, "a") == ["1 1 1", "2 2 2"])
    }

    @Test func anEditThatWasNotTakenUpIsMadeGood() async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let before = try await Hub([Document.items("a", [1, 2, 3])], on: store, clock: clock)
        try await before.hub.run("a").start()
        try await before.pass(1.5)
        await before.hub.shutDown()
        let edited = Document.items("a", [1, 2, 30])
        try await store.replace(with: StreamDraft(id: "a", name: "a", text: edited), ifRevision: 1, by: nil)
        let hub = try await Hub(on: store, clock: clock)
        #expect(try await hub.ask(.get, "/streams/a/run").json["revision"] == 2)
        try await hub.pass(2)
        #expect(try await outputs(store, "a") == ["1 1 1", "2 2 2", "3 3 30", "4 3 "])
    }

    @Test func whatHadEndedIsRemembered() async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let before = try await Hub([Document.items("a", [1])], on: store, clock: clock)
        try await before.hub.run("a").start()
        try await before.pass(2)
        await before.hub.shutDown()
        let hub = try await Hub(on: store, clock: clock)
        #expect(hub.state("a") == .completed)
        try await hub.hub.run("a").start()
        #expect(try await hub.ask(.get, "/streams/a/run").json["run"] == 2)
    }

    @Test func aDamagedCheckpointIsSaid() async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let texts = [Document.interval("a", 1), Document.interval("b", 1)]
        let before = try await Hub(texts, on: store, clock: clock)
        for id in ["a", "b"] { try await before.hub.run(id).start() }
        try await before.pass(1.5)
        await before.hub.shutDown()
        try await store.commit(
            RunCommit(stream: "a", run: 1, revision: 1, state: "running", savedAt: Date(), checkpoint: "{}")
        )
        let hub = try await Hub(on: store, clock: clock)
        #expect(hub.state("a") == .failed)
        let error = try await hub.ask(.get, "/streams/a/run").json["error"]?.string
        #expect(error == "it can't be resumed: this is no checkpoint")
        #expect(hub.state("b") == .running)
    }

    @Test func aStoreThatFailsStopsNothing() async throws {
        let store = FailingStore()
        let hub = try await Hub([Document.interval("a", 1)], on: store)
        store.isFull.withLock { $0 = true }
        let subscriber = try hub.subscribe()
        try await hub.hub.run("a").start()
        try await hub.pass(5)
        #expect(hub.state("a") == .running)
        let warning = "the output is not stored: the disk is full: make room, and write again"
        #expect(try await hub.ask(.get, "/streams/a/run").json["warning"]?.string == warning)
        for value in 0..<5 { #expect(try await subscriber.next("value").data["value"]?.int == value) }
        store.isFull.withLock { $0 = false }
        try await hub.pass(3)
        #expect(try await hub.ask(.get, "/streams/a/run").json["warning"] == nil)
        #expect(try await outputs(store, "a").prefix(7).map { $0 } == (0..<7).map { "\($0 + 1) \($0 + 1) \($0)" })
    }
}
#endif
