import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The sinks of runs that resume after their document was edited.
@Suite(.timeLimit(.minutes(20))) struct ResumedSinksTests {
    /// Records the sinks that runs hand over.
    private final class Handed: RunPublisher {
        let uses = Locked<[(ids: [String], keepsOthers: Bool)]>([])

        func publish(_ status: RunStatus, isNewRun: Bool) {}
        func publish(_ marks: [StageWatch.Mark], of stream: String) {}
        func discardValues(of stream: String) {}
        func hasSubscribers(of stream: String) -> Bool { false }
        func onSubscription(of stream: String, _ body: (@Sendable () -> Void)?) {}
        func count(_ event: RunEvent) {}
        func use(_ sinks: [CompiledSink], after number: Int, of status: RunStatus, keepsOthers: Bool) {
            uses.withLock { $0.append((sinks.map(\.id), keepsOthers)) }
        }
    }

    private static func sink(_ id: String) -> String {
        #"{"id": "\#(id)", "outside": {"name": "r", "value": "'\#(id) ' + string(x)"}}"#
    }

    private static func ticks(_ sinks: [String], map: String = "x") -> String {
        #"""
        {"id": "a", "source": {"interval": {"seconds": 1}}, "operators": [{"id": "m", "map": {"expression": "\#(map)"}}],
         "sinks": [\#(sinks.map(sink).joined(separator: ","))]}
        """#
    }

    /// However a run ends, and whatever becomes of the edit: the sinks that the stored document has are never removed.
    @Test(arguments: ["stopped", "failed", "refused"])
    func aPendingEditKeepsItsSinks(_ way: String) async throws {
        let handed = Handed()
        let text = Self.ticks(["s"], map: way == "failed" ? "6 / (3 - x)" : "x")
        let stream = try await Supervised(text, publisher: handed)
        try await stream.supervisor.start()
        await stream.pass(6.5)
        if way != "failed" { await stream.supervisor.stop() }
        var edited = Self.ticks(["s", "t"], map: "x + 1")
        // A reference that leads nowhere is found when the document is compiled.
        if way == "refused" { edited = edited.replacing(#"{"interval": {"seconds": 1}}"#, with: #"{"ref": "gone"}"#) }
        try await stream.supervisor.edit(to: Supervised.program(edited, revision: 2))
        handed.uses.withLock { $0 = [] }
        try await stream.supervisor.resume()
        await stream.pass(2)
        let uses = handed.uses.withLock { $0 }
        #expect(!uses.isEmpty && uses.allSatisfy { $0.ids.contains("t") || $0.keepsOthers }, "\(uses)")
        #expect(uses.last?.ids == (way == "refused" ? ["s"] : ["s", "t"]))
        await stream.supervisor.stop()
    }

    /// A process that resumes the document of a checkpoint, and learns of its edit later, delivers to a new sink what has
    /// come meanwhile.
    @Test func anExpectedEditFindsTheCursorsOfItsSinks() async throws {
        let (old, new) = (Self.ticks(["s"]), Self.ticks(["s", "t"]))
        let world = try await Delivering(old)
        try await world.supervised.supervisor.start()
        await world.pass(5.5)
        try await world.edit(new, revision: 2)
        await world.pass(0)
        let copy = MemoryStreamStore(copying: world.supervised.store)
        let next = try await Delivering(old, copy, at: world.supervised.timer.now)
        let stored = try #require(try await copy.run(of: "a"))
        let journal = try await copy.journal(of: "a")
        try await next.supervised.supervisor.resume(stored, journal: journal, isEditExpected: true)
        await next.pass(3)
        try await next.edit(new, revision: 2)
        await next.pass(2)
        let got = next.receiver.values.compactMap(\.string).filter { $0.hasPrefix("t") }
        #expect(got == (5..<10).map { "t \($0)" })
        #expect(try await copy.sinks(of: "a").map(\.id) == ["s", "t"])
    }

    /// The sinks of a document that has none any more don't keep the outputs.
    @Test func storedSinksOfAStreamWithoutSinksAreRemoved() async throws {
        let world = try await Delivering(Self.ticks(["s"]))
        try await world.supervised.supervisor.start()
        await world.pass(2.5)
        let copy = MemoryStreamStore(copying: world.supervised.store)
        try await world.deliveries.removeStored(of: "a")
        #expect(try await world.supervised.store.sinks(of: "a").map(\.id) == ["s"])
        let next = try await Delivering(Self.ticks([]), copy)
        try await next.deliveries.removeStored(of: "a")
        #expect(try await copy.sinks(of: "a") == [])
    }
}
