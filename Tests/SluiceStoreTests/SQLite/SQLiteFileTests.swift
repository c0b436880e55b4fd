#if SQLite
import Foundation
import GRDB
import SluiceStreams
import Testing

@testable import SluiceStore

@Suite(.timeLimit(.minutes(30))) struct SQLiteFileTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("hub.sqlite")
    }

    func reason(_ path: String) -> String? {
        do {
            _ = try SQLiteStreamStore(path: path)
            return nil
        } catch let error as StoreError {
            return error.path == path ? error.reason : "\(error)"
        } catch {
            return "\(type(of: error))"
        }
    }

    @Test func keepsItThroughARestart() async throws {
        let draft = StreamDraft("a", #"{"id": "a", "stream": []}"#, name: "A")
        try await SQLiteStreamStore(path: path).create([draft], by: nil)
        #expect(try await SQLiteStreamStore(path: path).list().map(\.draft) == [draft])
    }

    @Test func whatIsCommittedIsOnTheDisk() async throws {
        let store = try SQLiteStreamStore(path: path)
        let settings = try await store.file.database.writeWithoutTransaction { database in
            try ["synchronous", "journal_mode", "foreign_keys"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(settings == ["2", "wal", "1"])  // 2 is FULL
    }

    @Test func makesTheFolder() async throws {
        let deep = folder.path("a/b/hub.sqlite")
        try await SQLiteStreamStore(path: deep).create([StreamDraft("a")], by: nil)
        #expect(FileManager.default.fileExists(atPath: deep))
    }

    @Test(arguments: ["file:x?mode=memory", ":memory:", "a?b#c%20d;e.sqlite", "ü 'ö'.sqlite"])
    func aNameIsANameAndNothingElse(_ name: String) async throws {
        try await SQLiteStreamStore(path: folder.path(name)).create([StreamDraft("a")], by: nil)
        #expect(FileManager.default.fileExists(atPath: folder.path(name)))
        #expect(try await SQLiteStreamStore(path: folder.path(name)).list().map(\.id) == ["a"])
    }

    @Test func aFolderIsNoStore() {
        for folder in ["/", folder.path("")] { #expect(reason(folder) == "is a folder: name a file in it") }
    }

    @Test func anEmptyFileBecomesAStore() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try await SQLiteStreamStore(path: path).list().isEmpty)
    }

    @Test func fileThatIsNoDatabaseIsRefused() throws {
        let text = Data(repeating: 65, count: 5000)
        try text.write(to: URL(fileURLWithPath: path))
        #expect(reason(path) == "is not a Sluice store (file is not a database): choose another file")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == text)
    }

    @Test(arguments: [
        "CREATE TABLE note (text TEXT)", "CREATE TABLE stream (id TEXT); PRAGMA user_version = 1",
        "CREATE TABLE stream (id TEXT); CREATE TABLE grdb_migrations (identifier TEXT)",
        "PRAGMA application_id = 1", "PRAGMA user_version = 7",
    ])
    func databaseOfAnotherProgramIsRefusedAndLeftAlone(_ sql: String) throws {
        try DatabaseQueue(path: path).writeWithoutTransaction { try $0.execute(sql: sql) }
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(reason(path) == "is not a Sluice store (it is another program's database): choose another file")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test(arguments: ["/proc/sluice/hub.sqlite", "/dev/null/hub.sqlite"])
    func placeThatCannotBeWrittenIsAnError(_ path: String) {
        #expect(
            reason(path) == "cannot be opened: it has to be a file in a folder that is there and can be written"
        )
    }

    @Test func damageIsSaid() async throws {
        let text = String(repeating: "x", count: 100_000)
        do {
            let store = try SQLiteStreamStore(path: path)
            try await store.create((0..<10).map { StreamDraft("\($0)", text) }, by: nil)
            try await store.file.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try handle.seekToEnd()
        // The second page, and every tenth.
        for page in stride(from: 1, to: size / 4096, by: 10) {
            try handle.seek(toOffset: page * 4096)
            try handle.write(contentsOf: Data(repeating: 0xAA, count: 4096))
        }
        try handle.close()
        let error = await #expect(throws: StoreError.self) { try await SQLiteStreamStore(path: path).list() }
        #expect(error?.path == path)
        #expect(
            error?.reason
                == "is damaged (database disk image is malformed): take a copy, and recover it with sqlite3's .recover"
        )
    }

    @Test func aFieldOfAnotherTypeIsDamage() async throws {
        let store = try SQLiteStreamStore(path: path)
        try await store.create([StreamDraft("a")], by: nil)
        try await store.commit(RunCommit(isNew: true, inputs: [StreamInput(1)], outputs: [StoredOutput(1)]))
        let damages = [
            ("UPDATE outputChunk SET entry = x'01ff'", "an entry of the log can't be read"),
            (
                "UPDATE input SET item = '[1'",
                "an input of the journal: 1:3: the text ends before \"]\" (the array begins at 1:1)"
            ),
            ("UPDATE run SET speed = 'fast'", "speed is not a number"),
            ("UPDATE revision SET time = 'noon'", "time is not an integer"),
            ("UPDATE revision SET text = x'FF'", "text is not a text"),
        ]
        for (sql, expected) in damages {
            try await store.file.database.write { try $0.execute(sql: sql) }
            var reasons: [String] = []
            do { _ = try await store.outputs(of: "a", run: nil, after: 0, limit: 1) } catch {
                reasons.append("\(error)")
            }
            do { _ = try await store.journal(of: "a") } catch { reasons.append("\(error)") }
            do { _ = try await store.runs() } catch { reasons.append("\(error)") }
            do { _ = try await store.list() } catch { reasons.append("\(error)") }
            let text = StoreError(.damaged(reason: expected), path: path).description
            #expect(reasons.contains(text), "\(sql): \(reasons)")
        }
    }

    @Test func whoFindsItLockedIsTold() async throws {
        let store = try SQLiteStreamStore(path: path, patience: .milliseconds(1))
        try await store.create([StreamDraft("a")], by: nil)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        await #expect(throws: StoreError(.busy, path: path)) { try await store.create([StreamDraft("b")], by: nil) }
        #expect(try await store.list().map(\.id) == ["a"])
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await store.create([StreamDraft("b")], by: nil)
    }

    @Test func twoProcessesSeeEachOthersWrites() async throws {
        let (first, second) = (try SQLiteStreamStore(path: path), try SQLiteStreamStore(path: path))
        try await first.create([StreamDraft("a")], by: nil)
        try await second.replace(with: StreamDraft("a", "2"), ifRevision: 1, by: nil)
        #expect(try await first.read("a")?.text == "2")
        await #expect(throws: StoreError.self) {
            try await first.replace(with: StreamDraft("a", "lost"), ifRevision: 1, by: nil)
        }
    }

    @Test func oneAtATimeHasItToHimself() async throws {
        var first: SQLiteStreamStore? = try SQLiteStreamStore(path: path, isExclusive: true)
        try await first?.create([StreamDraft("a")], by: nil)
        #expect(throws: StoreError(.busy, path: path)) {
            try SQLiteStreamStore(path: path, isExclusive: true, patience: .zero)
        }
        // A reader is not affected.
        #expect(try await SQLiteStreamStore(path: path).list().count == 1)
        first = nil
        // Programs that other tests start at this moment may have the lock until they begin.
        let second = try SQLiteStreamStore(path: path, isExclusive: true, patience: .seconds(60))
        #expect(try await second.list().count == 1)
    }
}
#endif
