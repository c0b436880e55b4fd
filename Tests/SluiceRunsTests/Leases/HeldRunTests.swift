import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// Runs that go from one process to the next.
@Suite(.timeLimit(.minutes(20))) struct HeldRunTests {
    private static func program(_ text: String, revision: Int) throws -> RunProgram {
        RunProgram(
            document: try StreamDocument(parsing: text),
            revision: revision,
            library: StreamLibrary(),
            documents: [StoredStream(id: "a", revision: revision, name: nil, text: text)]
        )
    }

    private static func ticks(_ factor: Int) -> String {
        #"""
        {"source": {"interval": {"seconds": 1}}, "operators": [{"id": "m", "map": {"expression": "x * \#(factor)"}}]}
        """#
    }

    /// Returns a process that holds the stream `a` of a world.
    private func held(_ world: Supervised) -> HeldRun {
        let environment = world.environment
        let deliveries = Deliveries(
            store: world.store,
            host: StreamHost(),
            timer: environment.timer,
            wallClock: environment.wallClock,
            perform: environment.perform
        )
        return HeldRun("a", store: world.store, deliveries: deliveries, environment: environment) { stored in
            try Self.program(stored.documents.first?.text ?? "{}", revision: stored.revision)
        }
    }

    private func texts(_ world: Supervised) async throws -> [String] {
        try await world.store.outputs(of: "a", run: nil, after: 0, limit: 100).map(\.text)
    }

    /// A process that has not seen the newest document runs it nevertheless, and takes no edit back.
    @Test func anOlderDocumentTakesNoEditBack() async throws {
        let world = try await Supervised(Self.ticks(10))
        let first = held(world)
        try await first.take(Self.program(Self.ticks(10), revision: 2))
        await world.pass(2.5)
        await first.close(isLost: false)
        let second = held(world)
        try await second.take(Self.program(Self.ticks(7), revision: 1))
        await world.pass(2)
        try await second.take(Self.program(Self.ticks(100), revision: 3))
        await world.pass(1)
        await second.close(isLost: false)
        #expect(try await texts(world) == ["0", "10", "20", "30", "400"])
        #expect(try await world.store.run(of: "a")?.revision == 3)
    }

    /// In a division that ends, no run follows one that has completed, whatever becomes of the document.
    @Test(arguments: [false, true]) func aLastRunIsFollowedByNone(_ isLast: Bool) async throws {
        func values(_ factor: Int) -> String {
            #"""
            {"source": {"values": [1, 2]}, "operators": [{"id": "m", "map": {"expression": "x * \#(factor)"}}]}
            """#
        }
        let world = try await Supervised(values(1))
        let first = held(world)
        try await first.take(Self.program(values(1), revision: 1), isLast: isLast)
        await world.settle()
        try await first.take(Self.program(values(2), revision: 2), isLast: isLast)
        await world.settle()
        await first.close(isLost: false)
        #expect(try await world.store.lastRun(of: "a") == (isLast ? 1 : 2))
        let second = held(world)
        try await second.take(Self.program(values(3), revision: 3), isLast: isLast)
        await world.settle()
        await second.close(isLost: false)
        #expect(try await world.store.lastRun(of: "a") == (isLast ? 1 : 3))
    }

    /// The process before was killed when the run had read everything, and had not completed yet; the document was edited.
    @Test func aRunThatCompletesAsItResumesIsTheLast() async throws {
        func delayed(_ factor: Int) -> String {
            #"""
            {"source": {"values": [1, 2]}, "operators": [{"id": "d", "delay": {"seconds": 5}},
             {"id": "m", "map": {"expression": "x * \#(factor)"}}]}
            """#
        }
        let world = try await Supervised(delayed(1))
        let first = held(world)
        try await first.take(Self.program(delayed(1), revision: 1), isLast: true)
        await world.pass(2)
        await first.close(isLost: false)
        await world.pass(60)
        let second = held(world)
        try await second.take(Self.program(delayed(10), revision: 2), isLast: true)
        await world.pass(6)
        await second.close(isLost: false)
        #expect(try await world.store.lastRun(of: "a") == 1)
        #expect(try await world.store.run(of: "a")?.state == RunState.completed.rawValue)
    }
}
