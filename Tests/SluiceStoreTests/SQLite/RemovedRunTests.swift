#if SQLite
import Foundation
import GRDB
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceStore

/// Removed runs are gone at once, and their outputs leave the file piece by piece.
@Suite(.timeLimit(.minutes(5))) struct RemovedRunTests {
    /// The number of chunks: of two runs, several pieces each.
    private static let count = 2 * 100

    /// Returns a store with two runs whose outputs fill a chunk each.
    private func store(_ folder: TemporaryFolder) async throws -> SQLiteStreamStore {
        let store = try SQLiteStreamStore(path: folder.path("store.sqlite"))
        try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
        let text = String(repeating: "x", count: OutputChunk.size)
        for run in 1...2 {
            let outputs = (1...Self.count / 2).map { StoredOutput($0, run: run, text: #""\#(text)""#) }
            try await store.commit(RunCommit(run: run, isNew: true, checkpoint: "1", outputs: outputs))
        }
        // The tables have what the log has.
        try await store.trim(Retention())
        return store
    }

    private func chunkCount(_ store: SQLiteStreamStore) async throws -> Int {
        try await store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM outputChunk") ?? 0 }
    }

    @Test func outputsLeaveTheFileWithoutACall() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(folder)
        #expect(try await chunkCount(store) == Self.count)
        try await store.forgetRun(of: "a")
        #expect(try await store.outputs(of: "a", run: 2, after: 0, limit: 9).isEmpty)
        while try await chunkCount(store) > 0 { await Task.yield() }
        try await store.commit(RunCommit(run: 3, isNew: true, outputs: [StoredOutput(1, run: 3)]))
        try await store.remove("a", ifRevision: 1, by: nil)
        while try await chunkCount(store) > 0 { await Task.yield() }
    }

    /// Which streams have something to remove does not depend on the order in which they were created and have stored.
    @Test(arguments: 0..<3, [false, true]) func onlyTheStreamsThatWereAskedForLoseTheirOutputs(
        _ place: Int,
        _ isRemoved: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStreamStore(path: folder.path("store.sqlite"))
        let ids = ["a", "b", "c"]
        try await store.create(ids.map { StreamDraft($0) }, by: nil)
        let text = String(repeating: "x", count: OutputChunk.size)
        for id in ids.reversed() {
            let outputs = (1...4).map { StoredOutput($0, run: 1, text: #""\#(text)""#) }
            try await store.commit(RunCommit(isNew: true, stream: id, checkpoint: "1", outputs: outputs))
        }
        try await store.trim(Retention())
        #expect(try await chunkCount(store) == 12)
        let chosen = ids[place]
        if isRemoved {
            try await store.remove(chosen, ifRevision: 1, by: nil)
        } else {
            try await store.forgetRun(of: chosen)
        }
        while try await chunkCount(store) == 12 { await Task.yield() }
        try await store.trim(Retention())
        #expect(try await chunkCount(store) == 8)
        for id in ids where id != chosen {
            #expect(try await store.outputs(of: id, run: 1, after: 0, limit: 9).count == 4)
        }
    }

    /// The process ends before the outputs have left the file.
    @Test func whatIsLeftIsNotReadAndIsTrimmed() async throws {
        let folder = try TemporaryFolder()
        let store = try await store(folder)
        // As forgetRun leaves it.
        try await store.write { try $0.execute(sql: "DELETE FROM run; UPDATE stream SET lastRun = 2 WHERE id = 'a'") }
        let next = try SQLiteStreamStore(path: folder.path("store.sqlite"))
        for run in [1, 2] {
            #expect(try await next.outputs(of: "a", run: run, after: 0, limit: 9).isEmpty)
        }
        try await next.commit(RunCommit(run: 3, isNew: true, outputs: [StoredOutput(1, run: 3)]))
        for (run, sequence) in [(0, 0), (1, 7), (2, 3), (2, 99), (2, 1000)] {
            let outputs = try await next.outputs(of: "a", afterRun: run, sequence: sequence, limit: 9)
            #expect(outputs.map(\.run) == [3], "\(run) \(sequence)")
        }
        #expect(try await next.outputs(of: "a", afterRun: 3, sequence: 1, limit: 9).isEmpty)
        #expect(try await chunkCount(next) >= Self.count)
        try await next.trim(Retention())
        #expect(try await chunkCount(next) == 1)
        #expect(try await next.outputs(of: "a", run: 3, after: 0, limit: 9).count == 1)
    }
}
#endif
