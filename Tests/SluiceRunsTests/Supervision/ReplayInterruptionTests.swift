import Dispatch
import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Commands for a run that repeats the inputs since its last checkpoint, which takes long.
@Suite(.timeLimit(.minutes(20))) struct ReplayInterruptionTests {
    private static let document = """
        {"source": {"outside": "numbers"}, "operators": [
            {"flatMap": {"to": {"source": {"range": {"count": 5000}}, "operators": [{"map": {"expression": "x + a"}}]}}},
            {"filter": {"expression": "i % 100 == 0"}}]}
        """

    /// The outputs of the run where nothing interrupts it.
    private func expected() async throws -> [String] { try await Resuming().stream.outputs() }

    /// Each kind of command, and the state in which it leaves the run.
    @Test(arguments: [
        ("pause", RunState.paused), ("stop", .idle), ("speed", .running), ("edit", .running), ("reset", .idle),
        ("start", .running), ("step", .paused), ("resume", .running),
    ])
    func aCommandWaitsForNoRepetition(_ name: String, _ state: RunState) async throws {
        let run = try await Resuming()
        let edited = Self.document.replacingOccurrences(of: "x + a", with: "x + a + 0")
        try await run.resume(while: [
            { supervisor in
                switch name {
                case "pause": await supervisor.pause()
                case "stop": await supervisor.stop()
                case "speed": await supervisor.change(speed: 2)
                case "edit": try await supervisor.edit(to: try Supervised.program(edited, revision: 2))
                case "reset": try await supervisor.reset()
                case "start": try await supervisor.start()
                case "step": try await supervisor.step()
                default: try await supervisor.resume()
                }
            }
        ])
        let (supervisor, status) = (run.stream.supervisor, await run.stream.supervisor.status)
        #expect(await supervisor.interruptionCount >= 1, "the repetition was not interrupted")
        #expect(status.state == state, "\(status)")
        switch name {
        case "reset": #expect(try await run.stream.outputs().isEmpty)
        case "start": #expect(status.run == 2)
        case "speed": #expect(status.pace.speed == 2)
        case "edit": #expect(status.revision == 2)
        default: break
        }
        if name != "reset", name != "start" {
            if state != .running {
                try await supervisor.resume()
                await run.stream.pass(1)
            }
            #expect(await supervisor.status.state == .running)
            let (outputs, expected) = (try await run.stream.outputs(), try await expected())
            let difference = zip(outputs, expected).first { $0 != $1 } ?? ("", "")
            #expect(outputs == expected, "\(difference), \(outputs.count) of \(expected.count) outputs")
        }
        await supervisor.shutDown()
    }

    /// The time that is not interrupted doubles, so that a run resumes however many commands come.
    @Test func commandsDoNotKeepARunFromResuming() async throws {
        let run = try await Resuming()
        try await run.resume(while: (0..<100).map { number in { await $0.change(speed: Double(number + 1)) } })
        let supervisor = run.stream.supervisor
        #expect(await supervisor.status.state == .running)
        #expect(await supervisor.interruptionCount < 20)
        #expect(run.arriving.leftCount > 0)
        #expect(try await run.stream.outputs() == (try await expected()))
        await supervisor.shutDown()
    }

    /// An interrupted repetition starts no source, and the one that follows starts it once.
    @Test func noSourceStartsTwice() async throws {
        let run = try await Resuming()
        try await run.resume(while: [{ await $0.change(speed: 2) }])
        #expect(run.calls.count == 2)
        await run.stream.supervisor.shutDown()
    }

    /// A failed run with three inputs in its journal, and commands that arrive while it repeats them.
    private struct Resuming {
        let stream: Supervised
        let arriving = Arriving()

        /// The number of times that the source was started.
        let calls = Calls()

        init() async throws {
            let time = Locked(Int64(0))
            var settings = RunSettings()
            settings.host.register("numbers") { [calls] _, inlet in
                let number = calls.note()
                if number == 1 {
                    for number in 0..<3 { try await inlet.send(JSON(number)) }
                    throw StoreError(.busy)
                }
                for await _ in AsyncStream(Never.self, { _ in }) {}
            }
            // Every look at the clock of work takes a second, so that a repetition is long from its first look on.
            stream = try await Supervised(ReplayInterruptionTests.document, settings: settings) { [arriving] in
                arriving.look()
                return time.withLock { time in
                    time += 1_000_000_000
                    return time
                }
            }
            let supervisor = stream.supervisor
            try await supervisor.start()
            // The source runs in a task of its own. Time must not pass before it fails: the times of outputs are compared.
            while await supervisor.status.state != .failed { await stream.settle() }
        }

        /// Has the run resume while commands arrive, and waits until they are done.
        func resume(while commands: [@Sendable (RunSupervisor) async throws -> Void]) async throws {
            arriving.arm(stream.supervisor, commands)
            let supervisor = stream.supervisor
            try await supervisor.command { try await supervisor.resume() }
            await stream.pass(1)
            try await arriving.finish()
            await stream.pass(1)
        }
    }

    private final class Calls: Sendable {
        private let number = Locked(0)

        var count: Int { number.withLock { $0 } }

        /// Counts a call, and returns its number.
        func note() -> Int {
            number.withLock { number in
                number += 1
                return number
            }
        }
    }

    /// Sends commands from another thread while a run repeats its inputs: one for each repetition that begins.
    private final class Arriving: Sendable {
        private struct State {
            var supervisor: RunSupervisor?
            var commands: [@Sendable (RunSupervisor) async throws -> Void] = []
            var tasks: [Task<Void, any Error>] = []
        }

        private let state = Locked(State())

        func arm(_ supervisor: RunSupervisor, _ commands: [@Sendable (RunSupervisor) async throws -> Void]) {
            state.withLock { ($0.supervisor, $0.commands) = (supervisor, commands) }
        }

        func look() {
            let next = state.withLock { state -> (RunSupervisor, @Sendable (RunSupervisor) async throws -> Void)? in
                guard let supervisor = state.supervisor, !state.commands.isEmpty, supervisor.commands.isReplay,
                    !supervisor.commands.isReplayDisturbed
                else { return nil }
                return (supervisor, state.commands.removeFirst())
            }
            guard let (supervisor, command) = next else { return }
            let arrived = DispatchSemaphore(value: 0)
            let task = Task.detached {
                try await supervisor.command {
                    arrived.signal()
                    try await command(supervisor)
                }
            }
            state.withLock { $0.tasks.append(task) }
            // The run's thread waits until the command has arrived, on another thread.
            arrived.wait()
        }

        func finish() async throws {
            for task in state.withLock({ $0.tasks }) { try await task.value }
        }

        /// The number of commands that were not sent.
        var leftCount: Int { state.withLock { $0.commands.count } }
    }
}
