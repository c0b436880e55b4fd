import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// A run that was edited while it did not run repeats its stored outputs for a quantum at a time, and takes commands in
/// between. The edit comes after them.
@Suite(.timeLimit(.minutes(20))) struct StoredRepetitionTests {
    private static func document(_ expression: String) -> String {
        #"{"source": {"interval": {"seconds": 1}}, "operators": [{"id": "s", "scan": {"expression": "\#(expression)"}}]}"#
    }

    /// Each kind of command, and the state in which it leaves the run.
    @Test(arguments: [
        ("none", RunState.running), ("pause", .paused), ("stop", .idle), ("speed", .running), ("edit", .running),
        ("resume", .running), ("save", .running),
    ])
    func aCommandComesBetweenTwoPartsOfTheStoredOutputs(_ name: String, _ state: RunState) async throws {
        let run = try await Repeating()
        let isEarly = Locked(false)
        try await run.resume { supervisor in
            while await supervisor.isResuming { await Task.yield() }
            let isRepeating = await supervisor.repetition != nil
            isEarly.withLock { $0 = isRepeating }
            switch name {
            case "pause": await supervisor.pause()
            case "stop": await supervisor.stop()
            case "speed": await supervisor.change(speed: 2)
            case "edit":
                try await supervisor.edit(to: Supervised.program(Self.document("acc + x + 1000"), revision: 3))
            case "resume": try await supervisor.resume()
            case "save": await supervisor.save()
            default: break
            }
        }
        #expect(isEarly.withLock { $0 }, "the command has waited for the whole repetition")
        await run.stream.settle()
        let supervisor = run.stream.supervisor
        #expect(await supervisor.status.state == state)
        if state != .running { try await supervisor.resume() }
        await run.stream.pass(2)
        let outputs = try await run.stream.outputs().map { $0.split(separator: " ").last.map(String.init) }
        #expect(outputs.prefix(300).elementsEqual(run.values), "\(outputs.count)")
        // The edit comes after them.
        let added = name == "edit" ? 1000 : 500
        #expect(outputs.dropFirst(300).first == "\(300 * 299 / 2 + 300 + added)", "\(outputs.suffix(3))")
        #expect(await supervisor.status.revision == (name == "edit" ? 3 : 2))
        #expect(await supervisor.status.run == 1)
        await supervisor.shutDown()
    }

    /// An edit of a run that resumes comes after its stored outputs, also where the time of day was put back meanwhile.
    @Test(arguments: [300.0, 10, 0, -30]) func anEditOfARunThatResumesComesAfterTheStoredOutputs(_ away: Double)
        async throws
    {
        let run = try await Repeating(away: away)
        try await run.resume(isEdited: false) { supervisor in
            while await supervisor.isResuming { await Task.yield() }
            try await supervisor.edit(to: Supervised.program(Self.document("acc + x + 1000"), revision: 2))
        }
        await run.stream.settle()
        await run.stream.pass(2)
        let outputs = try await run.stream.store.outputs(of: "a", run: nil, after: 0, limit: 1000)
        #expect(outputs.prefix(300).map(\.text) == run.values)
        #expect(outputs.dropFirst(300).first?.text == "\(300 * 299 / 2 + 300 + 1000)", "\(outputs.suffix(3))")
        #expect(outputs.map(\.time) == outputs.map(\.time).sorted())
        #expect(await run.stream.supervisor.status.revision == 2)
        await run.stream.supervisor.shutDown()
    }

    /// A run that resumes without an edit goes on after its stored outputs.
    @Test(arguments: [300.0, -30]) func aRunThatResumesGoesOnAfterTheStoredOutputs(_ away: Double) async throws {
        let run = try await Repeating(away: away)
        try await run.resume(isEdited: false) { _ in }
        await run.stream.settle()
        await run.stream.pass(2)
        let outputs = try await run.stream.outputs().map { $0.split(separator: " ").last.map(String.init) }
        #expect(outputs.prefix(300).elementsEqual(run.values))
        #expect(outputs.dropFirst(300).first == "\(300 * 301 / 2)", "\(outputs.suffix(3))")
        await run.stream.supervisor.shutDown()
    }

    /// A stored run without a checkpoint that has given 300 outputs, and was edited since.
    private struct Repeating {
        let stream: Supervised
        let values = (0..<300).map { "\($0 * ($0 + 1) / 2)" }

        /// - Parameter away: The seconds since the outputs were stored, by the time of day.
        init(away: Double = 300) async throws {
            let time = Locked(Int64(0))
            // Every look at the clock of work takes a millisecond, so that few instants fit into a quantum.
            stream = try await Supervised(document("acc + x"), quantum: .milliseconds(2)) {
                time.withLock { time in
                    time += 1_000_000
                    return time
                }
            }
            var commit = RunCommit(
                stream: "a",
                run: 1,
                isNewRun: true,
                revision: 1,
                state: "idle",
                savedAt: stream.environment.wallClock().addingTimeInterval(-away)
            )
            commit.outputs = try values.enumerated().map { index, text in
                let time = try #require(StreamTime(seconds: Double(index + 1)))
                return StoredOutput(run: 1, sequence: index + 1, time: time, kind: .value, text: text)
            }
            #expect(await stream.store.commit([commit]).allSatisfy { $0 == nil })
        }

        /// Has the run resume after an edit, with a command that was handed in before, and comes as soon as the run gives
        /// way.
        func resume(
            isEdited: Bool = true,
            _ command: @escaping @Sendable (RunSupervisor) async throws -> Void
        ) async throws {
            let supervisor = stream.supervisor
            let stored = try #require(try await stream.store.run(of: "a"))
            if isEdited { try await supervisor.edit(to: Supervised.program(document("acc + x + 500"), revision: 2)) }
            try await supervisor.resume(stored, command)
        }
    }
}

extension RunSupervisor {
    /// A Boolean value that indicates whether the run is not opened yet.
    fileprivate var isResuming: Bool { run == nil }

    fileprivate func resume(
        _ stored: StoredRun,
        _ command: @escaping @Sendable (RunSupervisor) async throws -> Void
    ) async throws {
        let task = Task { [self] in try await self.command { try await command(self) } }
        try await resume(stored, journal: [])
        try await task.value
    }
}
