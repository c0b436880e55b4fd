#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

/// A run is stored with the texts of everything that it was compiled from.
@Suite struct StoredTextsTests {
    private func base(_ seconds: Double, _ expression: String = "x") -> String {
        #"{"id": "base", "name": "Base", "source": {"interval": {"seconds": \#(seconds)}}, "operators": [{"id": "m", "map": {"expression": "\#(expression)"}}]}"#
    }
    private let middle = #"{"id": "middle", "source": {"ref": "Base"}, "operators": []}"#
    private let top =
        #"{"id": "top", "source": {"ref": "middle"}, "operators": [{"id": "sum", "scan": {"expression": "acc + x"}}]}"#

    private func values(_ hub: Hub) async throws -> [StoredOutput] {
        try await hub.store.outputs(of: "top", run: nil, after: 0, limit: 1000)
    }

    @Test func theTextsAreStoredWithTheRun() async throws {
        let store = MemoryStreamStore()
        let hub = try await Hub([base(1), middle, top], on: store)
        _ = try await hub.ask(.post, "/streams/top/start")
        try await hub.pass(0.2)
        let documents = try await store.run(of: "top")?.documents ?? []
        #expect(documents.first?.id == "top" && documents.first?.text == top)
        #expect(Set(documents.map(\.text)) == [top, middle, base(1)])
        _ = try await hub.ask(.put, "/streams/base", base(2), ["If-Match": "\"1\""])
        try await hub.pass(0.2)
        let edited = try await store.run(of: "top")?.documents ?? []
        #expect(Set(edited.map(\.text)) == [top, middle, base(2)])
    }

    /// A run that was stopped, or has failed, resumes from its checkpoint after an edit and a restart of the hub, of the
    /// document or of what it refers to: the edit comes after what it has given.
    @Test(arguments: ["top", "base"], [true, false])
    func anEndedRunResumesAfterAnEditAndARestart(_ edited: String, _ isOpened: Bool) async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let killed = try await Hub([base(1), middle, top], on: store, clock: clock)
        _ = try await killed.ask(.post, "/streams/top/start")
        try await killed.pass(3.5)
        #expect(try await killed.ask(.post, "/streams/top/stop").status == .ok)
        // The hub may have ended between, and the edit may find no run.
        let editing = isOpened ? killed : try await Hub(on: Copy.of(store), clock: clock)
        let text =
            edited == "top" ? top.replacingOccurrences(of: "acc + x", with: "acc + x + 1000") : base(1, "x + 1000")
        let edit = try await editing.ask(.put, "/streams/\(edited)", text, ["If-Match": "\"1\""])
        #expect(edit.status == .ok, "\(edit.text)")
        try await editing.settle()
        let hub = try await Hub(on: Copy.of(editing.store), clock: clock)
        let answer = try await hub.ask(.post, "/streams/top/resume")
        #expect(answer.status == .ok, "\(answer.text)")
        try await hub.pass(2)
        #expect(hub.state("top") == .running)
        let outputs = try await values(hub)
        #expect(outputs.prefix(4).map(\.text) == ["0", "1", "3", "1006"], "\(outputs.map(\.text))")
        #expect(outputs.allSatisfy { $0.run == 1 })
    }

    /// Each moment after an acknowledged edit of what a run refers to may be the last of the process.
    @Test func noMomentAfterAnEditOfABaseLosesTheRun() async throws {
        for cut in stride(from: 0.0, through: 1.5, by: 0.01) {
            let (store, clock) = (MemoryStreamStore(), TestClock())
            let killed = try await Hub([base(0.1), middle, top], on: store, clock: clock)
            _ = try await killed.ask(.post, "/streams/top/start")
            try await killed.pass(1)
            let edit = try await killed.ask(.put, "/streams/base", base(0.1, "x + 1000"), ["If-Match": "\"1\""])
            #expect(edit.status == .ok)
            if cut > 0 { try await killed.pass(cut - 0.005) }
            let hub = try await Hub(on: Copy.of(store), clock: clock)
            #expect(hub.state("top") == .running, "after \(cut) s")
            try await hub.pass(1)
            let outputs = try await values(hub)
            #expect(outputs.map(\.sequence) == Array(1...max(1, outputs.count)), "after \(cut) s")
            #expect(outputs.allSatisfy { $0.run == 1 }, "after \(cut) s")
            let numbers = outputs.compactMap { Int($0.text) }
            // The first ten are of the old text; then each tick adds a thousand more.
            #expect(Array(numbers.prefix(9)) == [0, 1, 3, 6, 10, 15, 21, 28, 36], "after \(cut) s")
            let steps = zip(numbers.dropFirst(), numbers).map { $0 - $1 }
            #expect(steps.enumerated().allSatisfy { $1 % 1000 == $0 + 1 }, "after \(cut) s: \(steps)")
            #expect((steps.last ?? 0) > 1000, "after \(cut) s")
        }
    }

    /// The document, what it refers to, and both are edited, renamed or deleted; the process is killed at once.
    @Test(arguments: [
        ["put top"], ["put base"], ["put top", "put base"], ["put base", "put top"], ["put middle"], ["rename base"],
        ["delete base"], ["delete middle"], ["delete base", "delete middle"], ["delete base", "put top"],
        ["rename base", "put middle"], ["put base", "delete base"],
    ]) func aRunSurvivesEachChange(_ changes: [String]) async throws {
        let texts = ["base": base(0.1), "middle": middle, "top": top]
        for isOrderly in [true, false] {
            let (store, clock) = (MemoryStreamStore(), TestClock())
            let killed = try await Hub([base(0.1), middle, top], on: store, clock: clock)
            _ = try await killed.ask(.post, "/streams/top/start")
            try await killed.pass(1.02)
            var revisions = ["base": 1, "middle": 1, "top": 1]
            for change in changes {
                let words = change.split(separator: " ").map(String.init)
                let (id, path) = (words[1], "/streams/\(words[1])?dependents=keep")
                let headers = ["If-Match": "\"\(revisions[id] ?? 0)\""]
                revisions[id, default: 0] += 1
                let text = texts[id, default: ""]
                let answer =
                    switch words[0] {
                    case "put":
                        try await killed.ask(.put, path, text.replacing(#""id""#, with: #""x-e": 1, "id""#), headers)
                    case "rename": try await killed.ask(.put, path, text.replacing("Base", with: "Root"), headers)
                    default: try await killed.ask(.delete, path, nil, headers)
                    }
                #expect(answer.status.kind == .successful, "\(answer.text)")
            }
            if isOrderly { await killed.hub.shutDown() }
            let hub = try await Hub(on: isOrderly ? store : Copy.of(store), clock: clock)
            try await hub.pass(1)
            #expect(hub.state("top") == .running)
            let outputs = try await values(hub)
            #expect(outputs.map(\.sequence) == Array(1...outputs.count) && outputs.count >= 19)
            #expect(outputs.compactMap { Int($0.text) } == (0..<outputs.count).map { $0 * ($0 + 1) / 2 })
        }
    }

    /// A store of before has no texts: the run is resumed with what it refers to as it is now.
    @Test func aRunWithoutTextsIsResumed() async throws {
        let (store, clock) = (MemoryStreamStore(), TestClock())
        let before = try await Hub([base(1), middle, top], on: store, clock: clock)
        _ = try await before.ask(.post, "/streams/top/start")
        try await before.pass(2.5)
        await before.hub.shutDown()
        let run = try #require(try await store.run(of: "top"))
        try await store.commit(
            RunCommit(
                stream: "top",
                run: 1,
                revision: 1,
                state: run.state,
                savedAt: run.savedAt,
                checkpoint: run.checkpoint,
                documents: []
            )
        )
        let hub = try await Hub(on: store, clock: clock)
        try await hub.pass(1)
        #expect(try await values(hub).map(\.text) == ["0", "1", "3"])
    }
}
#endif
