#if SQLite
import Foundation
import GRDB
import Sluice
import Testing

@testable import SluiceStore

/// The log of all runs beside the tables.
@Suite(.timeLimit(.minutes(30))) struct LogTests {
    private func commit(_ stream: String, _ sequences: ClosedRange<Int>, isNew: Bool = false) -> RunCommit {
        RunCommit(isNew: isNew, stream: stream, outputs: sequences.map { StoredOutput($0) })
    }

    private func count(_ table: String, _ store: SQLiteStreamStore) async throws -> Int {
        try await store.file.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? -1 }
    }

    /// 50 streams give a value each, in one transaction, again and again: what goes to the disk for a value is some
    /// hundred bytes, and not a page for each table and stream.
    @Test func aValueCostsFewBytes() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        let store = try SQLiteStreamStore(path: path)
        // The log of SQLite then holds everything that was written.
        try await store.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        let streams = (0..<50).map { "stream-\($0)" }
        try await store.create(streams.map { StreamDraft($0) }, by: nil)
        #expect(await store.commit(streams.map { commit($0, 1...1, isNew: true) }).allSatisfy { $0 == nil })
        func written() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        }
        let before = try written()
        let rounds = 2...601
        for round in rounds {
            #expect(await store.commit(streams.map { commit($0, round...round) }).allSatisfy { $0 == nil })
        }
        let each = (try written() - before) / (rounds.count * streams.count)
        #expect(each < 350, "\(each) bytes for a value")
        for stream in streams {
            let outputs = try await store.outputs(of: stream, run: 1, after: 0, limit: 1000)
            #expect(outputs.map(\.sequence) == Array(1...601))
        }
        // What was moved is gone from the log.
        #expect(try await count("log", store) < 50 * 600)
        #expect(try await count("outputChunk", store) >= 100)
    }

    /// A run that gives much at once: its outputs go to the tables, and are not written to the log, read, and removed before.
    @Test func aLargeCommitIsWrittenOnce() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        let store = try SQLiteStreamStore(path: path)
        try await store.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        try await store.create([StreamDraft("a")], by: nil)
        try await store.commit(commit("a", 1...1, isNew: true))
        func written() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int ?? 0
        }
        let (before, size) = (try written(), 10_000)
        for round in 0..<20 {
            let text = String(repeating: "x", count: size)
            let outputs = (0..<100).map { StoredOutput(round * 100 + $0 + 2, text: text) }
            try await store.commit(RunCommit(stream: "a", outputs: outputs))
        }
        let ratio = Double(try written() - before) / Double(2000 * size)
        #expect(ratio < 1.3, "\(ratio) bytes for each byte")
        #expect(try await count("log", store) == 0)
        let outputs = try await store.outputs(of: "a", run: 1, after: 0, limit: 10_000)
        #expect(outputs.map(\.sequence).first == 1 && outputs.map(\.sequence) == Array(1...max(1, outputs.count)))
    }

    private final class Progress: Sendable {
        /// The number of the last output that was acknowledged.
        let last = Locked(1)
    }

    /// While entries move to the tables, a reader finds every output once: those that were acknowledged before it began,
    /// and newer ones without a gap.
    @Test func aReaderMissesNothingThatMoves() async throws {
        let folder = try TemporaryFolder()
        let limits = LogIndex.Limits(entries: 4, size: 1000, span: 10, checkpoint: 100, piece: 3)
        let store = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits)
        try await store.create(["a", "b"].map { StreamDraft($0) }, by: nil)
        for stream in ["a", "b"] { try await store.commit(commit(stream, 1...1, isNew: true)) }
        let stored = Progress()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for sequence in 2...600 {
                    try await store.commit(commit("b", sequence...sequence))
                    try await store.commit(commit("a", sequence...sequence))
                    stored.last.withLock { $0 = sequence }
                }
            }
            for _ in 0..<2 {
                group.addTask {
                    while true {
                        let least = stored.last.withLock { $0 }
                        let outputs = try await store.outputs(of: "a", run: nil, after: 0, limit: 1000).map(\.sequence)
                        #expect(outputs == Array(1...max(1, outputs.count)) && outputs.count >= least)
                        let again = try await store.outputs(of: "a", afterRun: 1, sequence: least, limit: 5)
                        #expect(again.map(\.sequence) == Array(least + 1..<least + 1 + again.count))
                        #expect(try await store.run(of: "a").map { $0.outputs >= least } == true)
                        if least == 600 { return }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The work between two writes has a bound: a part of the log is moved, and a part removed, however much is due, and
    /// however much of it belongs to one stream. Readers find everything after each part.
    @Test func theLogIsMovedAndRemovedInParts() async throws {
        let folder = try TemporaryFolder()
        var limits = LogIndex.Limits(entries: .max, size: .max, span: .max / 2, checkpoint: 1000, piece: .max / 4)
        let store = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits)
        let streams = ["a", "b", "c"]
        try await store.create(streams.map { StreamDraft($0) }, by: nil)
        for stream in streams { try await store.commit(commit(stream, 1...1, isNew: true)) }
        for sequence in 2...200 {
            for stream in streams { try await store.commit(commit(stream, sequence...sequence)) }
        }
        #expect(try await count("log", store) == 3 * 199)
        let cost = "coalesce(sum(length(entry) + \(LogIndex.Limits.entryCost)), 0)"
        func costs() async throws -> (all: Int, left: Int) {
            try await store.file.database.read { database in
                let left = "SELECT \(cost) FROM log JOIN run USING (stream) WHERE log.place > run.place"
                return (
                    try Int.fetchOne(database, sql: "SELECT \(cost) FROM log") ?? 0,
                    try Int.fetchOne(database, sql: left) ?? 0
                )
            }
        }
        (limits.entries, limits.size, limits.span, limits.piece, limits.part) = (50, 10_000, 40, 50, 2000)
        let log = LogIndex(limits: limits)
        var (parts, before) = (0, try await costs())
        let whole = before.left
        repeat {
            try await store.file.database.write { database in
                try database.prepare(log)
                try database.upkeep(log)
            }
            log.committed()
            let now = try await costs()
            // A part ends with the first entry beyond it.
            #expect(before.all - now.all < 2400 && before.left - now.left < 2400)
            (before, parts) = (now, parts + 1)
            for stream in streams {
                let outputs = try await store.outputs(of: stream, run: 1, after: 0, limit: 1000)
                #expect(outputs.map(\.sequence) == Array(1...200))
                #expect(try await store.run(of: stream)?.outputs == 200)
            }
        } while log.needsUpkeep
        let figures = "\(parts) parts, \(before) left of \(whole)"
        #expect(parts >= (whole - before.left) / 2400 && before.left < whole / 3, "\(figures)")
    }

    /// The part that is moved and removed after a transaction grows with that transaction, so that the log does not grow.
    @Test func upkeepKeepsUpWithTheWriters() {
        let index = LogIndex(limits: LogIndex.Limits(part: 1000))
        index.fill([:], first: 0, last: 0, version: 1)
        index.put("a", stream: 1, run: 1, revision: 1, outputs: 0)
        #expect(index.takeBudget() == 1000)
        for number in 1...10 { index.append(index.nextPlace, of: "a", outputs: number, size: 1000) }
        #expect(index.takeBudget() > 10 * 1000)
        #expect(index.takeBudget() == 1000)
    }

    /// Upkeep after an entry of many megabytes is divided, so that other writes have their turns between the parts.
    @Test func noPartIsLarge() {
        let index = LogIndex(limits: LogIndex.Limits())
        index.fill([:], first: 0, last: 0, version: 1)
        index.put("a", stream: 1, run: 1, revision: 1, outputs: 0)
        index.append(index.nextPlace, of: "a", outputs: 1, size: 32 << 20)
        var parts: [Int] = []
        while parts.last ?? .max > LogIndex.Limits().part, parts.count < 100 { parts.append(index.takeBudget()) }
        #expect(parts.allSatisfy { $0 <= 2 << 20 } && parts.reduce(0, +) > 32 << 20 && parts.count < 100, "\(parts)")
    }

    /// A second store on the file, as another process has one, sees what the first does, and may write.
    @Test func twoStoresShareALog() async throws {
        let folder = try TemporaryFolder()
        let limits = LogIndex.Limits(entries: 3, size: 1000, span: 10, checkpoint: 100, piece: 2)
        let first = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits)
        let second = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits)
        try await first.create([StreamDraft("a")], by: nil)
        try await first.commit(commit("a", 1...1, isNew: true))
        for sequence in 2...40 {
            let (writer, reader) = sequence.isMultiple(of: 3) ? (first, second) : (second, first)
            try await writer.commit(commit("a", sequence...sequence))
            for store in [writer, reader] {
                let outputs = try await store.outputs(of: "a", run: 1, after: 0, limit: 100)
                #expect(outputs.map(\.sequence) == Array(1...sequence))
                #expect(try await store.runs().map(\.outputs) == [sequence])
            }
        }
        try await second.forgetRun(of: "a")
        #expect(try await first.run(of: "a") == nil)
        let next = [1, 2].map { StoredOutput($0, run: 2) }
        try await first.commit(RunCommit(run: 2, isNew: true, outputs: next))
        #expect(try await second.outputs(of: "a", run: nil, after: 0, limit: 9).map(\.sequence) == [1, 2])
    }

    /// A reader that looks between the two steps of an entry sees it as newer than all that it knows.
    @Test func noEntryFallsBetweenThePlaces() {
        let index = LogIndex(limits: LogIndex.Limits())
        index.fill([:], first: 0, last: 0, version: 1)
        index.put("a", stream: 1, run: 1, revision: 1, outputs: 0)
        for _ in 0..<3 {
            let place = index.nextPlace
            let hint = index.hint("a")
            #expect(hint.last < place || hint.places.contains(place))
            index.append(place, of: "a", outputs: 1, size: 10)
            #expect(index.hint("a").places.last == place && index.last == place)
        }
    }

    /// An entry that can't be read is an error for its stream; the log of the others is moved and removed.
    @Test func anEntryThatIsDamagedStopsNoOtherStream() async throws {
        let folder = try TemporaryFolder()
        let limits = LogIndex.Limits(entries: 10, size: 10_000, span: 40, checkpoint: 1000, piece: 5)
        let store = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits)
        try await store.create(["a", "b"].map { StreamDraft($0) }, by: nil)
        for stream in ["a", "b"] { try await store.commit(commit(stream, 1...1, isNew: true)) }
        try await store.commit(commit("a", 2...2))
        try await store.file.database.write {
            try $0.execute(sql: "UPDATE log SET entry = x'FF' WHERE place = (SELECT max(place) FROM log)")
        }
        for sequence in 2...300 { try await store.commit(commit("b", sequence...sequence)) }
        #expect(try await count("log", store) < 80)
        #expect(try await store.outputs(of: "b", run: 1, after: 0, limit: 1000).map(\.sequence) == Array(1...300))
        await #expect(throws: StoreError.self) { try await store.outputs(of: "a", run: 1, after: 0, limit: 9) }
    }

    /// A stream that gives nothing for long does not keep the log of the others.
    @Test func aStreamThatRestsKeepsNoLog() async throws {
        let folder = try TemporaryFolder()
        let limits = LogIndex.Limits(entries: 10, size: 10_000, span: 40, checkpoint: 1000, piece: 5)
        let store = try SQLiteStreamStore(path: folder.path("hub.sqlite"), log: limits)
        try await store.create(["a", "b"].map { StreamDraft($0) }, by: nil)
        for stream in ["a", "b"] { try await store.commit(commit(stream, 1...1, isNew: true)) }
        try await store.commit(RunCommit(stream: "a", checkpoint: "{}", outputs: [StoredOutput(2)]))
        for sequence in 2...300 { try await store.commit(commit("b", sequence...sequence)) }
        #expect(try await count("log", store) < 80)
        #expect(try await store.run(of: "a")?.checkpoint == "{}")
        #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 9).map(\.sequence) == [1, 2])
    }

    /// Of commits that are stored together each has its own outcome, and none of a stream follows one that failed.
    @Test(arguments: StoreKind.allCases)
    func eachOfManyCommitsHasItsOutcome(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create(["a", "b"].map { StreamDraft($0) }, by: nil)
            let outcomes = await store.commit([
                commit("a", 1...2, isNew: true), commit("gone", 1...1, isNew: true), commit("b", 1...1, isNew: true),
                commit("a", 4...4), commit("b", 2...3), commit("a", 3...3),
            ])
            let gap = StoreError(.outputGap(stream: "a", run: 1, expected: 3, given: 4))
            #expect(outcomes.map { $0 as? StoreError } == [nil, StoreError(.missing(id: "gone")), nil, gap, nil, gap])
            #expect(try await store.runs().map(\.outputs) == [2, 3])
        }
    }

    /// On a disk that has room for little, the streams that need little are stored.
    @Test func oneStreamDoesNotPayForAnother() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        let store = try SQLiteStreamStore(path: path)
        let streams = ["large"] + (0..<20).map { "small-\($0)" }
        try await store.create(streams.map { StreamDraft($0) }, by: nil)
        #expect(await store.commit(streams.map { commit($0, 1...1, isNew: true) }).allSatisfy { $0 == nil })
        try await store.file.database.writeWithoutTransaction { database in
            let count = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(count + 20)")
        }
        let large = StoredOutput(2, text: String(repeating: "x", count: 500_000))
        let outcomes = await store.commit(
            [RunCommit(stream: "large", outputs: [large])] + streams.dropFirst().map { commit($0, 2...2) }
        )
        #expect(outcomes.first as? StoreError == StoreError(.full, path: path))
        #expect(outcomes.dropFirst().allSatisfy { $0 == nil })
        #expect(try await store.runs().map(\.outputs) == [1] + Array(repeating: 2, count: 20))
    }
}
#endif
