import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Runs whose state is so large that a request does not wait until it is restored.
@Suite(.timeLimit(.minutes(20))) struct LargeStateTests {
    /// A run that holds 60 KB for each tick, twice, and gives its number.
    private static let document: String = {
        let text = String(repeating: "y", count: 60_000)
        func scan(_ number: String) -> String {
            let held = "size(acc.held) < 12 ? acc.held + ['\(text)' + string(x)] : acc.held"
            return #"""
                {"scan": {"expression": "{'n': \#(number), 'held': \#(held)}", "initialValue": {"n": 0, "held": []}}},
                {"map": {"expression": "x.n"}}
                """#
        }
        return #"{"source": {"interval": {"seconds": 1}}, "operators": [\#(scan("acc.n + 1")), \#(scan("x"))]}"#
    }()

    private func crew() async throws -> Crew {
        let crew = try await Crew([Self.document])
        try await crew.start()
        await crew.pass(60.5)
        await crew.supervisors[0].stop()
        await crew.supervisors[0].save()
        let size = try await crew.store.run(of: "stream-0")?.checkpoint?.utf8.count ?? 0
        #expect(size > RunSupervisor.largestAwaitedState)
        return crew
    }

    /// The command returns before the state is restored, and the run goes on where it was.
    @Test func resumeDoesNotWaitForTheState() async throws {
        let crew = try await crew()
        let run = crew.supervisors[0]
        let reads = Locked(0)
        crew.store.onRead.withLock { $0 = { reads.withLock { $0 += 1 } } }
        try await run.resume()
        #expect(await run.status.state == .running)
        await crew.pass(5)
        crew.store.onRead.withLock { $0 = nil }
        await crew.shutDown()
        let outputs = try await crew.outputs(0)
        #expect(outputs.count >= 64 && outputs == (1...outputs.count).map { "\($0) \($0)" })
        #expect(await run.status.run == 1)
    }

    /// Commands between the answer and the restored state hold.
    @Test(arguments: ["stop", "pause", "start", "reset"]) func aCommandMeanwhileHolds(_ command: String) async throws {
        let crew = try await crew()
        let run = crew.supervisors[0]
        let isHeld = Locked(true)
        // The state is read once for the command, and then again.
        let reads = Locked(0)
        crew.store.onRead.withLock {
            $0 = {
                let number = reads.withLock { count in
                    count += 1
                    return count
                }
                while number > 1, isHeld.withLock({ $0 }) { await Task.yield() }
            }
        }
        try await run.resume()
        switch command {
        case "stop": await run.stop()
        case "pause": await run.pause()
        case "start": try await run.start()
        default: try await run.reset()
        }
        isHeld.withLock { $0 = false }
        await crew.pass(3.5)
        crew.store.onRead.withLock { $0 = nil }
        let status = await run.status
        switch command {
        case "stop", "reset": #expect(status.state == .idle)
        case "pause": #expect(status.state == .paused)
        default: #expect(status.state == .running && status.run == 2)
        }
        if command == "pause" {
            try await run.resume()
            await crew.pass(3)
            #expect(await run.status.state == .running)
        }
        await crew.shutDown()
        if command == "stop" || command == "pause" {
            let outputs = try await crew.outputs(0)
            #expect(outputs == (1...outputs.count).map { "\($0) \($0)" } && outputs.count >= 60)
        }
    }
}
