import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Commands that come while a run reads the store: the last command holds.
@Suite(.timeLimit(.minutes(20))) struct InterleavedCommandTests {
    /// A command that comes in the middle of a restart.
    enum Command: CaseIterable {
        case stop, reset, start, speed

        func perform(_ run: RunSupervisor) async throws {
            switch self {
            case .stop: await run.stop()
            case .reset: try await run.reset()
            case .start: try await run.start()
            case .speed: await run.change(speed: 4)
            }
        }
    }

    private static let text =
        #"{"source": {"outside": "sensor"}, "operators": [{"scan": {"expression": "acc + x", "initialValue": 0}}]}"#

    private static let policy = RestartPolicy.onFailure(from: .seconds(1), to: .seconds(1), maxRestarts: 3)

    /// A run that has failed is restarted, and the command comes in the middle of each read of the store in turn.
    @Test(arguments: Command.allCases) func aCommandDuringARestartHolds(_ command: Command) async throws {
        var number = 0
        var isOver = false
        while !isOver {
            number += 1
            let crew = try await Crew([Self.text], settings: .unpluggedSensor(Self.policy))
            let run = crew.supervisors[0]
            try await run.start()
            while await run.status.state != .restarting { await crew.settle() }
            let reads = Locked(0)
            let isDone = Locked(false)
            crew.store.onRead.withLock { [number] in
                $0 = {
                    let read = reads.withLock { count in
                        count += 1
                        return count
                    }
                    guard read == number else { return }
                    do { try await command.perform(run) } catch { Issue.record(error) }
                    isDone.withLock { $0 = true }
                }
            }
            await crew.pass(3)
            crew.store.onRead.withLock { $0 = nil }
            isOver = !isDone.withLock { $0 }
            if isOver { await crew.shutDown(); break }
            try await Self.check(command, crew, "during read \(number)")
            await crew.shutDown()
        }
        #expect(number > 3)
    }

    private static func check(_ command: Command, _ crew: Crew, _ text: Comment) async throws {
        let run = crew.supervisors[0]
        switch command {
        case .stop:
            #expect(await run.status.state == .idle, text)
            #expect(try await crew.outputs(0) == ["1 1", "2 3", "3 6"], text)
        case .reset:
            #expect(await run.status.state == .idle, text)
            #expect(try await crew.store.base.run(of: "stream-0") == nil, text)
        case .start:
            // The source may send after the time has passed: outputs are stored when it goes on.
            while try await crew.outputs(0).count < 3 { await crew.pass(0.5) }
            await crew.pass(2)
            let status = await run.status
            #expect(status.run == 2 && status.state == .running, text)
            #expect(try await crew.outputs(0) == ["1 1", "2 3", "3 6"], text)
            #expect(await run.recorder.isFailing == false, text)
        case .speed:
            #expect(await run.status.state == .running, text)
            #expect(await run.status.pace.speed == 4, text)
        }
    }

    /// A run that is begun while a reset waits for the store is stored after the reset, also if the store takes what others
    /// have done before it.
    @Test func aRunThatBeginsDuringAResetIsKept() async throws {
        let ticks = #"{"source": {"interval": {"seconds": 1}}}"#
        let crew = try await Crew([ticks, ticks])
        try await crew.start()
        await crew.pass(2.5)
        let run = crew.supervisors[0]
        let gate = AsyncStream<Void>.makeStream()
        let holding = Task { await crew.environment.commits.betweenBatches { for await _ in gate.stream {} } }
        // The other run is stored before the reset, together with what is in the queue then.
        await crew.supervisors[1].change(speed: 2)
        let saving = Task { await crew.supervisors[1].save() }
        while crew.environment.commits.waitingCount < 1 { await Task.yield() }
        let resetting = Task { try await run.reset() }
        while crew.environment.commits.waitingCount < 2 { await Task.yield() }
        try await run.start()
        gate.continuation.finish()
        await holding.value
        await saving.value
        try await resetting.value
        await crew.pass(4)
        let stored = try #require(try await crew.store.run(of: "stream-0"))
        #expect(stored.run == 2 && stored.state == "running")
        #expect(try await crew.outputs(0).prefix(3) == ["1 0", "2 1", "3 2"])
        #expect(await run.recorder.isFailing == false)
        await crew.shutDown()
    }
}
