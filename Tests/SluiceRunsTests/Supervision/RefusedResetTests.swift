import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// A reset that the store refuses, as on a full disk: the run is not discarded, and goes on.
@Suite(.timeLimit(.minutes(20))) struct RefusedResetTests {
    private static let ticks =
        #"{"source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#
    private static let short =
        #"{"source": {"interval": {"seconds": 1, "count": 3}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#

    /// A process that is killed afterwards finds the run as it was stopped, or paused, while the store refused that.
    @Test(arguments: ["paused", "idle"]) func theStoreLearnsTheStateLater(_ state: String) async throws {
        let crew = try await Crew([Self.ticks])
        let run = crew.supervisors[0]
        try await run.start()
        await crew.pass(1.5)
        await run.save()
        crew.store.refusal.withLock { $0 = StoreError(.full) }
        if state == "paused" { await run.pause() } else { await run.stop() }
        await #expect(throws: StoreError(.full)) { try await run.reset() }
        // A process that is killed now forgets the pause, and the status says so.
        let warning = "the output is not stored: the disk is full: make room, and write again"
        #expect(await run.status.warning == warning)
        await crew.pass(2)
        #expect(await run.status.warning == warning)
        crew.store.refusal.withLock { $0 = nil }
        await crew.pass(5)
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        #expect(stored.run == 1 && stored.state == state && stored.isPaused == (state == "paused"), "\(stored)")
        #expect(await run.status.state.rawValue == state)
        #expect(await run.status.warning == nil)
        await crew.shutDown()
    }

    /// A run that was begun while the store refused everything keeps its number and its outputs, after one that is stored and
    /// as the first.
    @Test(arguments: ["running", "paused", "idle", "completed"], [true, false])
    func aRunWhoseBeginningIsNotStoredGoesOn(_ state: String, _ hasEarlier: Bool) async throws {
        let crew = try await Crew([state == "completed" ? Self.short : Self.ticks])
        let run = crew.supervisors[0]
        if hasEarlier {
            try await run.start()
            await crew.pass(1.5)
            await run.save()
        }
        crew.store.refusal.withLock { $0 = StoreError(.full) }
        try await run.start()
        await crew.pass(5.5)
        if state == "paused" { await run.pause() }
        if state == "idle" { await run.stop() }
        let before = await run.status
        let number = hasEarlier ? 2 : 1
        #expect(before.state.rawValue == state && before.run == number, "\(before)")
        for _ in 0..<2 {
            await #expect(throws: StoreError(.full)) { try await run.reset() }
            await crew.pass(1)
            let after = await run.status
            #expect(after.run == number && after.state == before.state && after.warning != nil, "\(after)")
        }
        crew.store.refusal.withLock { $0 = nil }
        await crew.pass(5)
        let status = await run.status
        #expect(status.run == number && status.state == before.state && status.warning == nil, "\(status)")
        await run.save()
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        #expect(stored.run == number && stored.isPaused == (state == "paused"), "\(stored)")
        let outputs = try await crew.store.outputs(of: "stream-0", run: number, after: 0, limit: 100)
        let rest = state == "completed" ? "4 " : "4 6"
        #expect(outputs.prefix(4).map { "\($0.sequence) \($0.text)" } == ["1 0", "2 1", "3 3", rest], "\(outputs)")
        await crew.shutDown()
    }

    /// Returns a run at 3.5 s whose reset was just refused, by a store that works again.
    ///
    /// - Parameter isStored: A Boolean value that indicates whether the store had all that the run had done.
    private func refused(_ isStored: Bool) async throws -> Crew {
        let crew = try await Crew([Self.ticks])
        let run = crew.supervisors[0]
        try await run.start()
        await crew.pass(1.5)
        await run.save()
        if !isStored { crew.store.refusal.withLock { $0 = StoreError(.full) } }
        await crew.pass(2)
        if isStored { await run.save() }
        crew.store.refusal.withLock { $0 = StoreError(.full) }
        await #expect(throws: StoreError(.full)) { try await run.reset() }
        crew.store.refusal.withLock { $0 = nil }
        return crew
    }

    /// A step comes before the run goes on from its last checkpoint: it opens the run, up to the time that was shown.
    @Test(arguments: [true, false]) func aStepAfterARefusedResetIsStored(_ isStored: Bool) async throws {
        let crew = try await refused(isStored)
        let run = crew.supervisors[0]
        try await run.step()
        await run.save()
        let status = await run.status
        #expect(status.run == 1 && status.state == .paused && status.warning == nil, "\(status)")
        #expect(status.pace.time(at: crew.timer.now).seconds == 4)
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        let checkpoint = try StreamCheckpoint(parsing: #require(stored.checkpoint))
        #expect(stored.isPaused && checkpoint.time.seconds == 4, "\(stored)")
        #expect(try await crew.outputs(0) == ["1 0", "2 1", "3 3", "4 6"])
        await crew.shutDown()
    }

    /// A pause comes before the run goes on: a process that is killed afterwards has it at the time that was shown.
    @Test(arguments: [true, false]) func aPauseAfterARefusedResetIsStored(_ isStored: Bool) async throws {
        let crew = try await refused(isStored)
        let run = crew.supervisors[0]
        await run.pause()
        await run.save()
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        let checkpoint = try StreamCheckpoint(parsing: #require(stored.checkpoint))
        #expect(await run.status.pace.time(at: crew.timer.now).seconds == 3.5)
        #expect(stored.isPaused && checkpoint.time.seconds == 3.5, "\(stored)")
        await crew.pass(5)
        #expect(try await crew.outputs(0) == ["1 0", "2 1", "3 3"])
        try await run.resume()
        await crew.pass(1)
        await run.save()
        #expect(try await crew.outputs(0) == ["1 0", "2 1", "3 3", "4 6"])
        await crew.shutDown()
    }

    /// A run in each state, with and without outputs that the store has refused before.
    @Test(arguments: ["running", "paused", "idle", "completed"], [true, false])
    func aRunWhoseResetIsRefusedGoesOn(_ state: String, _ isStored: Bool) async throws {
        let crew = try await Crew([state == "completed" ? Self.short : Self.ticks])
        let run = crew.supervisors[0]
        try await run.start()
        await crew.pass(1.5)
        await run.save()
        if !isStored { crew.store.refusal.withLock { $0 = StoreError(.full) } }
        await crew.pass(2)
        if state == "paused" { await run.pause() }
        if state == "idle" { await run.stop() }
        if isStored { await run.save() }
        let before = await run.status
        #expect(before.state.rawValue == state)
        crew.store.refusal.withLock { $0 = StoreError(.full) }
        await #expect(throws: StoreError(.full)) { try await run.reset() }
        await crew.pass(2)
        let number = await run.status.run
        #expect(number == 1)
        crew.store.refusal.withLock { $0 = nil }
        await crew.pass(5)
        if state == "paused" || state == "idle" {
            #expect(await run.status.state.rawValue == state)
            try await run.resume()
        }
        await crew.pass(5)
        let status = await run.status
        #expect(status.run == 1 && status.state == (state == "completed" ? .completed : .running), "\(status)")
        await run.save()
        let outputs = try await crew.outputs(0)
        #expect(outputs.prefix(4) == ["1 0", "2 1", "3 3", state == "completed" ? "4 " : "4 6"], "\(outputs)")
        #expect(await run.recorder.isFailing == false)
        // The store accepts the next reset.
        try await run.reset()
        #expect(try await crew.store.run(of: "stream-0") == nil)
        await crew.shutDown()
    }
}
