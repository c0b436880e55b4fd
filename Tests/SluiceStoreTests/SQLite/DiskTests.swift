#if SQLite
import Foundation
import GRDB
import Testing

@testable import SluiceStore

/// A disk that is full, and one that cannot be written.
@Suite(.timeLimit(.minutes(30))) struct DiskTests {
    let large = String(repeating: "x", count: 20_000)

    func integrity(_ store: SQLiteStreamStore) async throws -> String? {
        try await store.file.database.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
    }

    /// Writes until there is no room, and gives the ids that were stored.
    func writeUntilFull(
        _ store: SQLiteStreamStore,
        _ text: String? = nil
    ) async throws -> (stored: [String], error: StoreError?) {
        var stored: [String] = []
        for number in 0..<1000 {
            do {
                try await store.create([StreamDraft("\(number)", text ?? large)], by: nil)
                stored.append("\(number)")
            } catch let error as StoreError {
                return (stored, error)
            }
        }
        return (stored, nil)
    }

    @Test func aFileThatMayNotGrowSaysSoAndKeepsWhatItHas() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        let store = try SQLiteStreamStore(path: path)
        try await store.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 100") }
        let (stored, error) = try await writeUntilFull(store)
        #expect(error == StoreError(.full, path: path))
        #expect(stored.count > 5)
        #expect(try await store.list().map(\.id) == stored)
        #expect(try await integrity(store) == "ok")
        // Of those that are written together, only what finds no room fails.
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<20 {
                group.addTask {
                    let draft = StreamDraft("new \(number)", number == 10 ? large : "{}")
                    return (number, (try? await store.create([draft], by: nil)) != nil)
                }
            }
            return await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.filter { !$0.value }.map(\.key) == [10])
        try await store.file.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 10000") }
        try await store.create([StreamDraft("new 10", large)], by: nil)
        #expect(try await store.list().count == stored.count + 20)
        #expect(try await integrity(store) == "ok")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a disk of memory can only be mounted by root"))
    func aFullDiskSaysSoAndWorksAgainWhenThereIsRoom() async throws {
        let disk = try SmallDisk(kilobytes: 1024)
        let path = disk.path("hub.sqlite")
        do {
            let store = try SQLiteStreamStore(path: path)
            try await store.create([StreamDraft("first", large)], by: nil)
            try await store.commit(RunCommit(isNew: true, stream: "first"))
            let filler = try disk.fill()
            let (stored, error) = try await writeUntilFull(store)
            #expect(error == StoreError(.full, path: path))
            await #expect(throws: StoreError(.full, path: path)) {
                try await store.commit(RunCommit(stream: "first", outputs: (1...1000).map { StoredOutput($0) }))
            }
            #expect(try await store.list().map(\.id) == ["first"] + stored)
            #expect(try await store.run(of: "first")?.outputs == 0)
            #expect(try await integrity(store) == "ok")

            try FileManager.default.removeItem(at: filler)
            try await store.commit(RunCommit(stream: "first", outputs: (1...1000).map { StoredOutput($0) }))
            try await store.create([StreamDraft("last", large)], by: nil)
            #expect(try await integrity(store) == "ok")
        }
        let again = try SQLiteStreamStore(path: path)
        #expect(try await again.read("last")?.text == large)
        #expect(try await again.outputs(of: "first", run: 1, after: 0, limit: 2000).count == 1000)
    }

    /// The log must not have taken the room that the file needs, nor take what is made: less room than the log has had is
    /// enough to go on for good.
    @Test(.enabled(if: SmallDisk.isPossible, "a disk of memory can only be mounted by root"))
    func theLogDoesNotTakeTheRoomOfTheFile() async throws {
        let disk = try SmallDisk(kilobytes: 6144)
        let filler = disk.url.appendingPathComponent("filler")
        try Data(count: 2_000_000).write(to: filler)
        let store = try SQLiteStreamStore(path: disk.path("hub.sqlite"))
        try await store.create([StreamDraft("first", "{}")], by: nil)
        try await store.commit(RunCommit(isNew: true, stream: "first"))
        let (stored, error) = try await writeUntilFull(store, String(repeating: large, count: 10))
        #expect(error?.kind == .full && stored.count > 5)
        var count = 0
        // Small ones until not even they find room.
        while (try? await store.commit(RunCommit(stream: "first", outputs: [StoredOutput(count + 1)]))) != nil {
            count += 1
            try #require(count < 10_000)
        }
        try FileManager.default.removeItem(at: filler)
        for _ in 0..<1000 {
            count += 1
            try await store.commit(RunCommit(stream: "first", outputs: [StoredOutput(count)]))
        }
        #expect(try await store.run(of: "first")?.outputs == count)
        #expect(try await integrity(store) == "ok")
    }

    @Test(.enabled(if: SmallDisk.isPossible, "a disk of memory can only be mounted by root"))
    func aFullDiskHasNoRoomForANewStore() async throws {
        let disk = try SmallDisk(kilobytes: 64)
        _ = try disk.fill()
        #expect(throws: StoreError(.full, path: disk.path("hub.sqlite"))) {
            try SQLiteStreamStore(path: disk.path("hub.sqlite"))
        }
    }

    /// - Parameter isOpen: whether the disk becomes read-only while the store is open, as after an error of the disk.
    @Test(.enabled(if: SmallDisk.isPossible, "a disk of memory can only be mounted by root"), arguments: [false, true])
    func aDiskThatCannotBeWrittenIsRead(_ isOpen: Bool) async throws {
        let disk = try SmallDisk(kilobytes: 4096)
        let path = disk.path("a?b #1%20.sqlite")
        var first: SQLiteStreamStore? = try SQLiteStreamStore(path: path)
        #expect(first?.isReadOnly == false)
        try await first?.create([StreamDraft("a", "1")], by: nil)
        if isOpen {
            // As a crash leaves it: with the log.
            let copy = disk.url.appendingPathComponent("copy")
            try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
            for suffix in ["", "-wal", "-shm"] {
                try FileManager.default.copyItem(
                    atPath: path + suffix,
                    toPath: copy.appendingPathComponent("a?b #1%20.sqlite").path + suffix
                )
            }
        }
        first = nil
        try await disk.makeReadOnly()
        let place = isOpen ? disk.path("copy/a?b #1%20.sqlite") : path
        let store = try SQLiteStreamStore(path: place)
        #expect(store.isReadOnly)
        #expect(try await store.list().map(\.text) == ["1"])
        #expect(try await store.history(of: "a").count == 1)
        await #expect(throws: StoreError(.readOnly, path: place)) {
            try await store.replace(with: StreamDraft("a", "2"), ifRevision: 1, by: nil)
        }
        #expect(try await store.read("a")?.text == "1")
    }

    /// Root may write everywhere.
    @Test(.enabled(if: geteuid() != 0 || SmallDisk.isPossible, "root is not refused by permissions"))
    func aFileOfAnEarlierSchemaThatCannotBeWrittenIsRefused() async throws {
        let folder = try TemporaryFolder()
        let disk = geteuid() == 0 ? try SmallDisk(kilobytes: 1024) : nil
        let path = disk?.path("hub.sqlite") ?? folder.path("hub.sqlite")
        try await DatabaseQueue(path: path).write { try $0.execute(sql: SchemaTests.past[1]) }
        try await disk?.makeReadOnly()
        if disk == nil { chmod(path, 0o444) }
        #expect(throws: StoreError(.readOnly, path: path)) { try SQLiteStreamStore(path: path) }
    }
}
#endif
