import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// A run that repeats a long journal does so for a quantum at a time, and takes commands in between.
@Suite(.timeLimit(.minutes(20))) struct ReplayTurnTests {
    private static let document =
        #"{"source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#

    /// The first outputs of the run where no command comes.
    private func expected() async throws -> [String] {
        let run = try await Replaying()
        try await run.supervisor.resume(run.stored, journal: run.journal)
        return try await run.outputs()
    }

    /// Each kind of command, and the state in which it leaves the run: it waits for a part of the repetition, and nothing is
    /// lost or begins again but where the command asks for it.
    @Test(arguments: [
        ("pause", RunState.paused), ("stop", .idle), ("speed", .running), ("edit", .running), ("reset", .idle),
        ("start", .running), ("resume", .running), ("pause, resume", .running), ("shut down", .running),
    ])
    func aCommandComesBetweenTwoPartsOfARepetition(_ name: String, _ state: RunState) async throws {
        let run = try await Replaying()
        let isEarly = Locked(false)
        try await run.supervisor.resume(run.stored, run.journal) { supervisor in
            let isReplaying = await !supervisor.isOpen
            isEarly.withLock { $0 = isReplaying }
            switch name {
            case "pause": await supervisor.pause()
            case "stop": await supervisor.stop()
            case "speed": await supervisor.change(speed: 2)
            case "edit":
                let text = Self.document.replacingOccurrences(of: "acc + x", with: "acc + x + 0")
                try await supervisor.edit(to: Supervised.program(text, revision: 2))
            case "reset": try await supervisor.reset()
            case "start": try await supervisor.start()
            case "shut down": await supervisor.shutDown()
            default:
                if name == "pause, resume" { await supervisor.pause() }
                try await supervisor.resume()
            }
        }
        #expect(isEarly.withLock { $0 }, "the command has waited for the whole repetition")
        await run.stream.settle()
        let (supervisor, status) = (run.supervisor, await run.supervisor.status)
        #expect(await supervisor.interruptionCount == 0)
        #expect(status.state == state, "\(status)")
        switch name {
        case "reset": #expect(try await run.outputs().isEmpty)
        case "start": #expect(status.run == 2)
        case "speed": #expect(status.pace.speed == 2)
        case "edit": #expect(status.revision == 2)
        case "shut down":
            // The store has all that another process needs.
            #expect(await !supervisor.isOpen)
            #expect(try await run.stream.store.journal(of: "a") == run.journal)
        default: break
        }
        if !["reset", "start", "shut down"].contains(name) {
            if state != .running { try await supervisor.resume() }
            #expect(try await run.outputs() == (try await expected()))
            #expect(await supervisor.status.run == 1)
        }
        await supervisor.shutDown()
    }

    /// A run in the store with a journal that takes 300 instants to repeat.
    private struct Replaying {
        let stream: Supervised
        let stored: StoredRun
        let journal: [StreamInput]

        var supervisor: RunSupervisor { stream.supervisor }

        init() async throws {
            let time = Locked(Int64(0))
            // Every look at the clock of work takes a millisecond, so that few instants fit into a quantum.
            stream = try await Supervised(ReplayTurnTests.document, quantum: .milliseconds(2)) {
                time.withLock { time in
                    time += 1_000_000
                    return time
                }
            }
            let end = try #require(StreamTime(seconds: 300))
            journal = [StreamInput(source: "", time: end, item: ["skipped", 0])]
            let savedAt = stream.environment.wallClock()
            let commit = RunCommit(
                stream: "a",
                run: 1,
                isNewRun: true,
                revision: 1,
                state: "running",
                savedAt: savedAt,
                inputs: journal
            )
            #expect(await stream.store.commit([commit]).allSatisfy { $0 == nil })
            stored = try #require(try await stream.store.run(of: "a"))
        }

        /// The first outputs, up to the end of the journal.
        func outputs() async throws -> [String] {
            await stream.settle()
            return try await Array(stream.outputs().prefix(299))
        }
    }
}

extension RunSupervisor {
    /// A Boolean value that indicates whether there is a run that takes turns.
    fileprivate var isOpen: Bool { run != nil }

    /// Resumes a run, with a command that is handed in before, and comes as soon as the run gives way.
    fileprivate func resume(
        _ stored: StoredRun,
        _ journal: [StreamInput],
        _ command: @escaping @Sendable (RunSupervisor) async throws -> Void
    ) async throws {
        let task = Task { [self] in try await self.command { try await command(self) } }
        try await resume(stored, journal: journal)
        try await task.value
    }
}
