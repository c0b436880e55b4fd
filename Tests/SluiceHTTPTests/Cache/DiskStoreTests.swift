#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

/// A directory that is removed after the test.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

@Suite struct DiskStoreTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    func entry(_ key: String = "https://example.com/a", _ body: [UInt8] = [1], vary: String? = nil) -> CacheEntry {
        CacheEntry(
            key: key,
            vary: vary.map { [CacheEntry.VaryField(name: .accept, value: $0)] } ?? [],
            status: HTTPResponse.Status(code: 203, reasonPhrase: "Ünïcode"),
            headers: [.contentType: "text/plain", .setCookie: "a=b"],
            body: body,
            requestTime: 1.25,
            responseTime: 2.5
        )
    }

    func open(_ limit: Int = 1 << 20, _ check: @escaping DiskStore.Check = { _ in }) throws -> DiskStore {
        try DiskStore(directory: directory.path, limit: limit, check: check)
    }

    @Test func survivesTheProcess() async throws {
        let store = try open()
        await store.store(entry(), replacing: { _ in true })
        await store.store(entry(vary: "x"), replacing: { _ in false })
        let again = try open()
        #expect(await again.entries("https://example.com/a") == [entry(), entry(vary: "x")])
        #expect(await again.entries("https://example.com/b") == [])
        #expect(await again.byteCount == store.byteCount)
        await again.store(entry(vary: "y"), replacing: { !$0.vary.isEmpty })
        #expect(await again.entries("https://example.com/a") == [entry(), entry(vary: "y")])
        await again.remove("https://example.com/a")
        #expect(try directory.files == [])
        #expect(await again.byteCount == 0)
    }

    @Test func throughTheFilter() async throws {
        for expected in [1, 0] {
            let cache = CacheFixture(cache: try HTTPCache(directory: directory.path)) { _, _ in
                .of(200, .control("max-age=60"), "1")
            }
            #expect(try await cache.text() == "1")
            #expect(cache.sent == expected)
        }
    }

    @Test func oldestGoFirst() async throws {
        let size = EntryCoding.encode(entry("1")).count
        let store = try open(3 * size)
        for key in ["1", "2", "3"] { await store.store(entry(key), replacing: { _ in true }) }
        _ = await store.entries("1")
        await store.store(entry("4"), replacing: { _ in true })
        #expect(await store.entries("2") == [])
        for key in ["1", "3", "4"] { #expect(await store.entries(key).count == 1) }
        #expect(await store.byteCount == 3 * size)
        #expect(try directory.files.count == 3)
        await store.store(entry("1", Array(repeating: 0, count: 4 * size)), replacing: { _ in true })
        #expect(await store.entries("1") == [])
        // A smaller limit applies from the opening on.
        #expect(await (try open(size)).byteCount == size)
        #expect(try directory.files.count == 1)
        await store.removeAll()
    }

    /// A writer that dies at any point leaves the complete old entry or the complete new one, and no remnant after the
    /// next start.
    @Test func diesAtEachStep() async throws {
        struct Dead: Error {}
        let (old, new) = (entry(), entry("https://example.com/a", Array(repeating: 7, count: 200_000)))
        var outcomes: [Int] = []
        for steps in 0..<20 {
            await (try open()).removeAll()
            await (try open()).store(old, replacing: { _ in true })
            let count = Counter()
            let dying = try open(1 << 20) { _ in if count.next() > steps { throw Dead() } }
            await dying.store(new, replacing: { _ in true })
            let survivor = try open()
            let found = await survivor.entries(old.key)
            // The last of them counts.
            #expect(found.last == old || found.last == new)
            #expect(found.allSatisfy { $0 == old || $0 == new })
            #expect(try directory.files.allSatisfy { $0.hasSuffix(".entry") })
            outcomes.append(found.last == new ? 1 : 0)
            if count.value <= steps { break }
        }
        // The steps are create, four chunks, and rename: after six the new file exists, and after seven the old one is
        // removed.
        #expect(outcomes == [0, 0, 0, 0, 0, 0, 1, 1])
    }

    /// A full disk is not an error, and leaves no files.
    @Test func failsToWrite() async throws {
        struct Full: Error {}
        let store = try open(1 << 20) { if case .write = $0 { throw Full() } }
        await store.store(entry(), replacing: { _ in true })
        #expect(await store.entries(entry().key) == [])
        #expect(try directory.files == [])
    }

    /// A file that is truncated anywhere, or has a wrong bit, is invalid and is removed.
    @Test func damagedFiles() async throws {
        let bytes = EntryCoding.encode(entry(vary: "x"))
        #expect(EntryCoding.decode(bytes) == entry(vary: "x"))
        for length in 0..<bytes.count { #expect(EntryCoding.decode(Array(bytes.prefix(length))) == nil) }
        #expect(EntryCoding.decode(bytes + [0]) == nil)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(EntryCoding.decode(changed) == nil, "byte \(index)")
        }
        let store = try open()
        await store.store(entry(), replacing: { _ in true })
        let name = try #require(try directory.files.first)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: directory.path + "/" + name))
        #expect(await store.entries(entry().key) == [])
        #expect(try directory.files == [])
        #expect(await store.byteCount == 0)
    }

    /// A valid checksum doesn't make false lengths acceptable.
    @Test func hostileFiles() {
        func file(_ content: [UInt8]) -> [UInt8] {
            let sum = Checksum.of(content[...])
            return Array("sluice.cache/2\n".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64($0 * 8)) }
                + content
        }
        let honest = Array(EntryCoding.encode(entry(vary: "x")).dropFirst(23))
        #expect(EntryCoding.decode(file(honest)) == entry(vary: "x"))
        for index in stride(from: 0, to: honest.count - 8, by: 1) {
            for value in [UInt8](arrayLiteral: 0, 0x7F, 0xFF) {
                var lie = honest
                for offset in 0..<8 { lie[index + offset] = value }
                _ = EntryCoding.decode(file(lie))
            }
        }
        #expect(EntryCoding.decode(file([])) == nil)
        #expect(EntryCoding.decode(file(Array(repeating: 0xFF, count: 100))) == nil)
    }

    @Test func foreignFilesStay() throws {
        let path = directory.path + "/notes.txt"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        try Data([1]).write(to: URL(fileURLWithPath: directory.path + "/a-1.entry"))
        _ = try open(0)
        #expect(try directory.files == ["a-1.entry", "notes.txt"])
    }

    @Test func directoryThatCannotBe() throws {
        let path = directory.path + "/file"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        #expect(throws: (any Error).self) { try HTTPCache(directory: path) }
    }
}

#if os(Linux)
/// Tests with a process that is killed while it writes entries.
@Suite struct KilledWriterTests {
    static let variable = "SLUICE_CACHE_WRITER"

    static func body(_ number: Int) -> [UInt8] { Array(repeating: UInt8(number % 251), count: 150_000 + number) }

    static func store(_ number: Int, in store: DiskStore) async {
        let entry = CacheEntry(
            key: "https://example.com/\(number % 3)",
            vary: [],
            status: .ok,
            headers: [:],
            body: body(number),
            requestTime: Double(number),
            responseTime: Double(number)
        )
        await store.store(entry, replacing: { _ in true })
    }

    /// The code of the other process; when run alone, it writes a few entries.
    @Test func writer() async throws {
        let path = ProcessInfo.processInfo.environment[Self.variable]
        let directory = try path == nil ? TemporaryDirectory() : nil
        let store = try DiskStore(directory: try #require(path ?? directory?.path), limit: 1 << 30)
        for number in 0..<(path == nil ? 10 : 1_000_000) { await Self.store(number, in: store) }
        for key in 0..<3 {
            let entry = try #require(await store.entries("https://example.com/\(key)").last)
            #expect(entry.body == Self.body(Int(entry.requestTime)))
        }
    }

    @Test func killed() async throws {
        for round in 0..<3 {
            let directory = try TemporaryDirectory()
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["--testing-library", "swift-testing", "--filter", "KilledWriterTests/writer"]
            var environment = ProcessInfo.processInfo.environment
            environment[Self.variable] = directory.path
            process.environment = environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let end = ContinuousClock.now + .seconds(600)
            var changes = 0
            var last: [String] = []
            while changes < 7 + 13 * round, ContinuousClock.now < end, process.isRunning {
                let files = try directory.files
                if files != last { changes += 1 }
                last = files
                await Task.yield()
            }
            #expect(changes == 7 + 13 * round, "the writer did not write")
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let store = try DiskStore(directory: directory.path, limit: 1 << 30)
            let files = try directory.files
            #expect(files.allSatisfy { $0.hasSuffix(".entry") })
            var found = 0
            for key in 0..<3 {
                for entry in await store.entries("https://example.com/\(key)") {
                    found += 1
                    #expect(entry.body == Self.body(Int(entry.requestTime)))
                }
            }
            // Every existing file is a complete entry.
            #expect(found == files.count)
            #expect(found >= 1)
        }
    }
}
#endif
#endif
