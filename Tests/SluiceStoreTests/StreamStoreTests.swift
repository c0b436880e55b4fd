import Foundation
import SluiceStore
import Testing

@Suite struct StreamStoreTests {
    let a = StoredStream(id: "a", revision: 1, name: "A", text: #"{"id": "a", "stream": []}"#)
    let b = StoredStream(id: "b", revision: 3, name: nil, text: "{}")

    func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID()).sqlite").path
    }

    @Test func keepsWhatItIsGiven() async throws {
        let store = try StreamStore()
        try await store.create([b, a])
        #expect(try await store.list() == [b, a])
        #expect(try await store.read("a") == a)
        #expect(try await store.read("c") == nil)
    }

    @Test func keepsItThroughARestart() async throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await StreamStore(path: path).create([a])
        #expect(try await StreamStore(path: path).list() == [a])
    }

    @Test func createsAllOrNone() async throws {
        let store = try StreamStore()
        try await store.create([a])
        await #expect(throws: StoreError.self) { try await store.create([b, a]) }
        #expect(try await store.list() == [a])
    }

    @Test func fileThatIsNoDatabaseIsAnError() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: path))
        #expect {
            try StreamStore(path: path)
        } throws: { error in
            "\(error)".hasPrefix(path + ": ") && "\(error)".contains("file is not a database")
        }
    }

    @Test func placeThatCannotBeWrittenIsAnError() {
        #expect(throws: StoreError.self) { try StreamStore(path: "/proc/sluice/hub.sqlite") }
    }
}
