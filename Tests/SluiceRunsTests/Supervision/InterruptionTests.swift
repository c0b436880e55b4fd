import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Commands for a run whose instant takes long.
@Suite(.timeLimit(.minutes(20))) struct InterruptionTests {
    /// The number of values of one instant; in a debug build they take seconds.
    private static let count = 50_000

    /// Counts, and has thousands of values at the second item.
    private static let document = """
        {"source": {"interval": {"seconds": 1}}, "operators": [
            {"id": "many", "flatMap": {"to": {
                "source": {"range": {"count": \(count)}}, "operators": [{"prefixWhile": {"expression": "a == 1 || x == 0"}}]}}},
            {"id": "sum", "scan": {"expression": "acc + x"}}, {"id": "some", "filter": {"expression": "i % 1000 == 0"}}]}
        """

    /// A run whose clock of work moves a second whenever somebody looks at it, so that every instant is long.
    private func supervised() async throws -> Supervised {
        let time = Locked(Int64(0))
        let stream = try await Supervised(
            Self.document,
            now: {
                time.withLock { time in
                    time += 1_000_000_000
                    return time
                }
            }
        )
        try await stream.supervisor.start()
        await stream.pass(1.5)
        // The long instant, and no wait for its end.
        stream.timer.move(to: 2_100_000_000)
        return stream
    }

    private func expected() async throws -> [String] {
        let whole = try await Supervised(Self.document)
        try await whole.supervisor.start()
        await whole.pass(4.5)
        return try await whole.outputs()
    }

    /// The pause comes in the middle of the instant, and what the instant has done is repeated after it.
    @Test func aPauseWaitsForNoInstant() async throws {
        let stream = try await supervised()
        let supervisor = stream.supervisor
        await supervisor.command { await supervisor.pause() }
        #expect(await supervisor.status.state == .paused)
        #expect(await supervisor.interruptionCount >= 1)
        await stream.settle()
        #expect(await supervisor.status.state == .paused)
        #expect(try await stream.outputs().count == 1)
        try await supervisor.resume()
        await stream.pass(2.4)
        let outputs = try await stream.outputs()
        #expect(outputs.count > Self.count / 1000)
        #expect(try await expected().starts(with: outputs))
    }

    /// Commands that leave it running have it continue by itself.
    @Test func aChangeOfSpeedWaitsForNoInstant() async throws {
        let stream = try await supervised()
        let supervisor = stream.supervisor
        await supervisor.command { await supervisor.change(speed: 1) }
        #expect(await supervisor.interruptionCount >= 1)
        await stream.pass(2.4)
        let outputs = try await stream.outputs()
        #expect(outputs.count > Self.count / 1000)
        #expect(try await expected().starts(with: outputs))
    }

    @Test func anEditWaitsForNoInstant() async throws {
        let stream = try await supervised()
        let supervisor = stream.supervisor
        let text = Self.document.replacingOccurrences(of: "i % 1000 == 0", with: "i % 500 == 0")
        let program = try Supervised.program(text, revision: 2)
        _ = try await supervisor.command { try await supervisor.edit(to: program) }
        #expect(await supervisor.interruptionCount >= 1)
        await stream.pass(2.4)
        #expect(await supervisor.status.revision == 2)
        #expect(try await stream.outputs().count > Self.count / 500)
    }

    @Test func aStopWaitsForNoInstant() async throws {
        let stream = try await supervised()
        let supervisor = stream.supervisor
        await supervisor.command { await supervisor.stop() }
        #expect(await supervisor.status.state == .idle)
        #expect(try await stream.outputs().count == 1)
        try await supervisor.resume()
        await stream.pass(2.4)
        #expect(try await expected().starts(with: try await stream.outputs()))
        #expect(try await stream.outputs().count > Self.count / 1000)
    }

    /// The next step of a run that its pause has interrupted.
    @Test func aStepAfterAnInterruptingPause() async throws {
        let stream = try await supervised()
        let supervisor = stream.supervisor
        await supervisor.command { await supervisor.pause() }
        #expect(await supervisor.interruptionCount >= 1)
        await stream.settle()
        // The run is where its last checkpoint was.
        for _ in 0..<4 {
            try await supervisor.step()
            await stream.settle()
            #expect(await supervisor.status.state == .paused)
        }
        #expect(try await stream.outputs().count > Self.count / 1000)
    }

    /// An edit interrupts an instant; while the run repeats what is stored before the edit, another command comes.
    @Test func aCommandDuringTheRepetitionOfWhatIsStored() async throws {
        let stream = try await supervised()
        let supervisor = stream.supervisor
        let text = Self.document.replacingOccurrences(of: "i % 1000 == 0", with: "i % 500 == 0")
        let program = try Supervised.program(text, revision: 2)
        // The command goes on while the run goes back to its checkpoint.
        try await supervisor.command {
            try await supervisor.edit(to: program)
            for _ in 0..<20 { await supervisor.rewind() }
        }
        await stream.pass(2.4)
        let status = await supervisor.status
        #expect(status.state == .running && status.revision == 2, "\(status)")
        #expect(try await stream.outputs().count > Self.count / 500)
    }

    /// Inputs since the checkpoint are repeated in whole, however long that takes: the command that has a run resume doesn't
    /// interrupt it.
    @Test func theJournalIsRepeatedInWhole() async throws {
        let calls = Locked(0)
        var settings = RunSettings()
        settings.host.register("numbers") { _, inlet in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            if number == 1 {
                for number in 0..<3 { try await inlet.send(JSON(number)) }
                throw StoreError(.busy)
            }
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            for await _ in stream {}
            continuation.finish()
        }
        let document = """
            {"source": {"outside": "numbers"}, "operators": [
                {"flatMap": {"to": {"source": {"range": {"count": 1000}}, "operators": [{"map": {"expression": "x + a"}}]}}},
                {"filter": {"expression": "i % 100 == 0"}}]}
            """
        let time = Locked(Int64(0))
        let stream = try await Supervised(
            document,
            settings: settings,
            now: {
                time.withLock { time in
                    time += 1_000_000_000
                    return time
                }
            }
        )
        let supervisor = stream.supervisor
        try await supervisor.start()
        while await supervisor.status.state != .failed { await stream.settle() }
        let outputs = try await stream.outputs()
        #expect(outputs.count == 31)
        #expect(try await stream.store.journal(of: "a").count >= 3)
        try await supervisor.command { try await supervisor.resume() }
        await stream.pass(1)
        #expect(await supervisor.status.state == .running)
        #expect(try await stream.outputs() == outputs)
        await supervisor.shutDown()
    }

    /// A command that finds the run at rest interrupts nothing, and neither does what is no command.
    @Test func nothingElseIsInterrupted() async throws {
        let stream = try await supervised()
        await stream.supervisor.save()
        #expect(await stream.supervisor.interruptionCount == 0)
        await stream.settle()
        #expect(try await stream.outputs().count > Self.count / 1000)
    }
}
