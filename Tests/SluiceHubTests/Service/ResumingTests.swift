#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// A hub listens before it resumes its runs, and compiles when that is needed.
@Suite struct ResumingTests {
    private func stored(_ count: Int, running: Int) async throws -> (MemoryStreamStore, TestClock) {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let hub = try await Hub((0..<count).map { Document.interval("s\($0)", 1) }, on: store, clock: clock)
        for number in 0..<running { _ = try await hub.ask(.post, "/streams/s\(number)/start") }
        try await hub.pass(2.5)
        await hub.hub.shutDown()
        return (store, clock)
    }

    @Test func itAnswersBeforeAnythingIsCompiled() async throws {
        let (store, clock) = try await stored(20, running: 5)
        let work = DocumentWork()
        try await DocumentWork.$current.withValue(work) {
            let hub = try await Hub(on: store, clock: clock, isResumed: false)
            #expect(try await hub.ask(.get, "/health").status == .ok)
            let heads = try await hub.ask(.get, "/streams").json.array
            #expect(heads?.count == 20 && heads?.count { $0["state"] == "running" } == 5)
            #expect(work.counts == .init(parses: 20, compiles: 0))
            // A run that is asked for is resumed before its turn.
            _ = try await hub.ask(.post, "/streams/s3/pause")
            #expect(try await hub.ask(.get, "/streams/s3/run").json["state"] == "paused")
            #expect(work.counts.compiles == 1)
            await hub.hub.resumeAll()
            try await hub.pass(1)
            for number in [0, 1, 2, 4] { #expect(hub.state("s\(number)") == .running) }
            #expect(hub.state("s3") == .paused)
            // Those that run are compiled for their runs, the others to find their errors: each once.
            #expect(work.counts.compiles == 20)
        }
    }

    /// A run that is read before its turn is shown where it is, not at its beginning.
    @Test(arguments: ["start", "pause"]) func aRunThatIsReadIsResumedBeforeItsTurn(_ act: String) async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let before = try await Hub([Document.interval("s", 1)], on: store, clock: clock)
        _ = try await before.ask(.post, "/streams/s/start")
        try await before.pass(2.5)
        if act == "pause" { _ = try await before.ask(.post, "/streams/s/pause") }
        let left = try await before.ask(.get, "/streams/s/run").json
        await before.hub.shutDown()
        let hub = try await Hub(on: store, clock: clock, isResumed: false)
        let found = try await hub.ask(.get, "/streams/s/run").json
        #expect((found["time"]?.double ?? 0) >= 2.5 && found["state"] == left["state"], "\(found)")
        #expect(found["stages"]?.array?.count == 1)
    }

    @Test func aPausedHubResumesNothing() async throws {
        let (store, clock) = try await stored(5, running: 3)
        clock.advance(by: .seconds(100))
        var settings = HubSettings()
        settings.isPaused = true
        let hub = try await Hub(on: store, clock: clock, settings: settings)
        try await hub.pass(10)
        for number in 0..<3 { #expect(hub.state("s\(number)") == .paused) }
        #expect(try await store.outputs(of: "s0", run: nil, after: 0, limit: 100).count == 2)
        #expect(try await hub.ask(.get, "/streams/s0/run").json["stages"]?.array?.count == 1)
        // Its time has stood still.
        #expect(try await hub.ask(.post, "/streams/s0/resume").json["run"] == 1)
        try await hub.pass(1)
        #expect(try await store.outputs(of: "s0", run: nil, after: 0, limit: 100).map(\.text) == ["0", "1", "2"])
        #expect(hub.state("s1") == .paused)
        // Without the setting all are resumed.
        await hub.hub.shutDown()
        let next = try await Hub(on: store, clock: clock)
        try await next.settle()
        #expect(next.state("s0") == .running && next.state("s1") == .running)
    }

    @Test func oneThatIsAskedForTwiceIsOpenedOnce() async throws {
        let (store, clock) = try await stored(3, running: 3)
        let hub = try await Hub(on: store, clock: clock, isResumed: false)
        let runs = try await withThrowingTaskGroup(of: RunSupervisor.self) { group in
            for _ in 0..<20 { group.addTask { try await hub.hub.run("s1") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(runs.map(ObjectIdentifier.init)).count == 1)
    }
}
#endif
