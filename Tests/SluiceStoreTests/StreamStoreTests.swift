import Foundation
import SluiceStore
import Testing

@Suite struct StreamStoreTests {
    let a = StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)
    let b = StreamDraft(id: "b", name: nil, text: "{}")

    func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID()).sqlite").path
    }

    @Test func keepsWhatItIsGiven() async throws {
        let store = try SQLiteStreamStore()
        try await store.create([b, a])
        #expect(try await store.list().map(\.draft) == [b, a])
        #expect(try await store.read("a")?.draft == a)
        #expect(try await store.read("c") == nil)
    }

    @Test func keepsItThroughARestart() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await SQLiteStreamStore(path: path).create([a])
        #expect(try await SQLiteStreamStore(path: path).list().map(\.draft) == [a])
    }

    @Test func createsAllOrNone() async throws {
        let store = try SQLiteStreamStore()
        try await store.create([a])
        await #expect(throws: StoreError.self) { try await store.create([b, a]) }
        #expect(try await store.list().map(\.draft) == [a])
    }

    @Test func fileThatIsNoDatabaseIsAnError() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: path))
        #expect {
            try SQLiteStreamStore(path: path)
        } throws: { error in
            "\(error)".hasPrefix(path + ": ") && "\(error)".contains("file is not a database")
        }
    }

    @Test func placeThatCannotBeWrittenIsAnError() {
        #expect(throws: StoreError.self) { try SQLiteStreamStore(path: "/proc/sluice/hub.sqlite") }
    }
}
