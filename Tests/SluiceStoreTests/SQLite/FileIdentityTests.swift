#if SQLite
import Foundation
import SluiceStreams
import Testing

@testable import SluiceStore

/// The file of a store is deleted, moved, or replaced while it is open.
@Suite(.timeLimit(.minutes(30))) struct FileIdentityTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("hub.sqlite")
    }

    /// Returns the reason that every write and the check give; `nil` where they succeed.
    private func reason(_ store: SQLiteStreamStore, _ id: String) async -> String? {
        let reasons = await reasons(store, id)
        #expect(Set(reasons).count == 1, "\(reasons)")
        return reasons[0]
    }

    private func reasons(_ store: SQLiteStreamStore, _ id: String) async -> [String?] {
        var reasons: [String?] = []
        let writes: [@Sendable () async throws -> Void] = [
            { try await store.create([StreamDraft(id)], by: nil) },
            { try await store.createGroup(id) },
            { try await store.forgetRun(of: "a") },
            { try await store.check() },
        ]
        for write in writes {
            do {
                try await write()
                reasons.append(nil)
            } catch let error as StoreError {
                #expect(error.path == path)
                reasons.append(error.reason)
            } catch {
                reasons.append("\(error)")
            }
        }
        return reasons
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func whatIsNotThereIsNotWritten(_ suffix: String) async throws {
        let manager = FileManager.default
        let store = try SQLiteStreamStore(path: path)
        try await store.create([StreamDraft("a")], by: nil)
        #expect(await reason(store, "b") == nil)
        let (file, aside) = (path + suffix, folder.path("aside"))

        try manager.moveItem(atPath: file, toPath: aside)
        let text = "so nothing can be stored: save the streams (GET /export), stop this process, put the file back"
        // A connection that SQLite opens meanwhile makes a new log, which takes the place of the old one.
        let verbs = suffix == "-wal" ? ["deleted or moved", "replaced"] : ["deleted or moved"]
        for gone in await reasons(store, "c") {
            let isSaid = verbs.contains {
                gone?.hasPrefix("the file hub.sqlite\(suffix) was \($0) while it was open, \(text)") == true
            }
            #expect(isSaid, "\(gone ?? "no error")")
        }

        try? manager.removeItem(atPath: file)
        try manager.copyItem(atPath: aside, toPath: file)
        let replaced = await reason(store, "c")
        #expect(replaced?.hasPrefix("the file hub.sqlite\(suffix) was replaced while it was open, \(text)") == true)

        // Nothing is read from a file that took its place.
        await #expect(throws: StoreError.self) { try await store.list() }

        // Where the file is put back, all goes on.
        try manager.removeItem(atPath: file)
        try manager.moveItem(atPath: aside, toPath: file)
        #expect(await reason(store, "c") == nil)
        #expect(try await SQLiteStreamStore(path: path).list().map(\.id) == ["a", "b", "c"])
    }

    /// Writes of one transaction all fail.
    @Test func writesThatComeTogetherFailTogether() async throws {
        let store = try SQLiteStreamStore(path: path)
        try FileManager.default.removeItem(atPath: path)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask { (try? await store.create([StreamDraft("\(number)")], by: nil)) == nil }
            }
            for await isRefused in group { #expect(isRefused) }
        }
    }

    @Test func checkingWhatIsThereSucceeds() async throws {
        let stores: [any StreamStore] = [MemoryStreamStore(), try SQLiteStreamStore(path: path)]
        for store in stores { try await store.check() }
        // Another opens and closes it, and writes what the log holds into the file.
        let store = try SQLiteStreamStore(path: path)
        for number in 0..<300 {
            try await SQLiteStreamStore(path: path).create([StreamDraft("\(number)")], by: nil)
            try await store.check()
        }
    }

    /// Documents may have secrets in them: no other user of the machine reads what is created.
    @Test func onlyTheOwnerReadsIt() async throws {
        let before = umask(0o000)
        defer { umask(before) }
        let store = try SQLiteStreamStore(path: path, isExclusive: true)
        try await store.create([StreamDraft("a")], by: nil)
        for suffix in ["", "-wal", "-shm", "-lock"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
        }
        try await store.check()
    }

    /// A file that is there keeps the mode that its owner gave it.
    @Test func theModeOfAFileThatIsThereStays() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        try await SQLiteStreamStore(path: path).create([StreamDraft("a")], by: nil)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    }
}
#endif
