#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

@Suite final class DownloadTests {
    static let text = String((0..<2000).map { "\($0) " }.joined().prefix(5000))

    let folder: URL
    var path: String { folder.appendingPathComponent("file").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("sluice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The contents of a server, and its faults.
    struct Store: Sendable {
        var text = DownloadTests.text
        var fields: HTTPFields = [.eTag: "\"v1\""]
        /// The number of bytes of an answer after which it breaks off.
        var breaksAfter: Int?
        var knowsRanges = true
        /// The Content-Range that replaces the correct one.
        var contentRange: String?
    }

    /// A server according to RFC 9110, 14, in this process.
    final class Server: Node {
        let store: Locked<Store>
        let asked = Locked<[TransportRequest]>([])

        init(_ store: Store) { self.store = Locked(store) }

        func process(_ request: TransportRequest) async throws -> TransportResponse {
            asked.withLock { $0.append(request) }
            let store = store.withLock { $0 }
            let bytes = Array(store.text.utf8)
            let same = [store.fields[.eTag], store.fields[.lastModified]].contains(request.headers[.ifRange])
            let from = request.headers[.range].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
            guard store.knowsRanges, same, let from else { return answer(.ok, store, bytes[...]) }
            guard from < bytes.count else {
                return TransportResponse(
                    status: .rangeNotSatisfiable,
                    headers: [.contentRange: "bytes */\(bytes.count)"]
                )
            }
            var response = answer(.partialContent, store, bytes[from...])
            response.headers[.contentRange] = store.contentRange ?? "bytes \(from)-\(bytes.count - 1)/\(bytes.count)"
            return response
        }

        func answer(_ status: HTTPResponse.Status, _ store: Store, _ bytes: ArraySlice<UInt8>) -> TransportResponse {
            var fields = store.fields
            fields[.contentLength] = "\(bytes.count)"
            let sent = Array(bytes.prefix(store.breaksAfter ?? .max))
            let isBroken = sent.count < bytes.count
            let body = ByteStream {
                var chunks = stream(sent, by: 700).makeAsyncIterator()
                return {
                    if let chunk = try await chunks.next() { return chunk }
                    if isBroken { throw HTTPError(.unreachable, "the answer broke off", request: nil) }
                    return nil
                }
            }
            return TransportResponse(status: status, headers: fields, body: body)
        }

        var ranges: [String?] { asked.withLock { $0.map { $0.headers[.range] } } }
        func change(_ body: (inout Store) -> Void) { store.withLock { body(&$0) } }
    }

    func job() throws -> Download<Server>.Job {
        .init(TransportRequest(.get, try #require(URL(string: "http://example.com/file?token=secret"))), to: path)
    }

    func run(_ server: Server) async throws -> Download<Server>.File { try await Download(over: server).process(job()) }

    /// The names of the files in the folder.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }
    var saved: String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func whole() async throws {
        let server = Server(Store())
        let file = try await run(server)
        #expect(file.count == 5000)
        #expect(file.resumedAt == 0)
        #expect(saved == Self.text)
        #expect(names == ["file"])
        #expect(server.asked.withLock { $0.first?.headers } == [.acceptEncoding: "identity"])
    }

    @Test func fileThatIsThereIsReplacedAtTheEnd() async throws {
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        let server = Server(Store(breaksAfter: 100))
        await #expect(throws: HTTPError.self) { try await run(server) }
        #expect(saved == "old")
        server.change { $0.breaksAfter = nil }
        _ = try await run(server)
        #expect(saved == Self.text)
    }

    @Test(
        arguments: [
            [.eTag: "\"v1\"", .lastModified: "Sat, 21 Nov 2026 18:00:00 GMT"],
            [.lastModified: "Sat, 21 Nov 2026 18:00:00 GMT", .date: "Sat, 21 Nov 2026 19:00:00 GMT"],
        ] as [HTTPFields]
    )
    func goesOnWhereItStopped(_ fields: HTTPFields) async throws {
        let server = Server(Store(fields: fields, breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        #expect(names == ["file.part", "file.part.json"])
        let note = try String(contentsOfFile: path + ".part.json", encoding: .utf8)
        #expect(!note.contains("secret"))
        await #expect(throws: HTTPError.self) { try await run(server) }
        server.change { $0.breaksAfter = nil }
        let file = try await run(server)
        #expect(file.resumedAt == 4000)
        #expect(file.count == 5000)
        #expect(saved == Self.text)
        #expect(names == ["file"])
        #expect(server.ranges == [nil, "bytes=2000-", "bytes=4000-"])
        #expect(server.asked.withLock { $0.last?.headers[.ifRange] } == (fields[.eTag] ?? fields[.lastModified]))
    }

    @Test func aRetryIsAFilter() async throws {
        let server = Server(Store(breaksAfter: 1500))
        let chain = RetryFilter(maxAttempts: 4).andThen(Download(over: server))
        #expect(try await chain.process(job()).resumedAt == 4500)
        #expect(saved == Self.text)
    }

    @Test func fileThatHasChanged() async throws {
        let server = Server(Store(breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        server.change { $0 = Store(text: "new", fields: [.eTag: "\"v2\""]) }
        #expect(try await run(server).resumedAt == 0)
        #expect(saved == "new")
        #expect(server.ranges == [nil, "bytes=2000-"])
    }

    @Test(arguments: ["bytes 1-4999/5000", "bytes 2000-4999/6000", "nonsense", "bytes */5000"])
    func partThatIsNotTheOneAskedFor(_ contentRange: String) async throws {
        let server = Server(Store(breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        server.change {
            $0.breaksAfter = nil
            $0.contentRange = contentRange
        }
        #expect(try await run(server).resumedAt == 0)
        #expect(saved == Self.text)
        #expect(server.ranges == [nil, "bytes=2000-", nil])
    }

    @Test func serverWithoutRanges() async throws {
        let server = Server(Store(breaksAfter: 2000, knowsRanges: false))
        await #expect(throws: HTTPError.self) { try await run(server) }
        server.change { $0.breaksAfter = nil }
        #expect(try await run(server).resumedAt == 0)
        #expect(saved == Self.text)
    }

    @Test(
        arguments: [
            [:], [.eTag: "W/\"v1\""], [.eTag: "\"v1\"", .acceptRanges: "none"],
            [.lastModified: "Sat, 21 Nov 2026 18:00:00 GMT", .date: "Sat, 21 Nov 2026 18:00:00 GMT"],
        ] as [HTTPFields]
    )
    func whatCannotBeResumedIsNotKept(_ fields: HTTPFields) async throws {
        let server = Server(Store(fields: fields, breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        #expect(names == [])
    }

    @Test func allThereButNotNamed() async throws {
        let server = Server(Store(breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        // The process ended between the last byte and the renaming.
        try Data(Self.text.utf8).write(to: URL(fileURLWithPath: path + ".part"))
        let file = try await run(server)
        #expect(file.resumedAt == 5000)
        #expect(saved == Self.text)
        #expect(names == ["file"])
    }

    @Test func rangeBehindTheEnd() async throws {
        let server = Server(Store(breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        server.change { $0 = Store(text: "short") }
        #expect(try await run(server).resumedAt == 0)
        #expect(saved == "short")
    }

    @Test(arguments: [
        "", "{", "[]", "{\"request\": 1}", "{\"request\": \"GET http://example.com/other\", \"validator\": \"x\"}",
    ])
    func noteThatIsNone(_ note: String) async throws {
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: path + ".part"))
        try Data(note.utf8).write(to: URL(fileURLWithPath: path + ".part.json"))
        let server = Server(Store())
        #expect(try await run(server).resumedAt == 0)
        #expect(saved == Self.text)
        #expect(names == ["file"])
    }

    @Test func statusThatIsNoSuccess() async throws {
        let node = AnyNode<TransportRequest, TransportResponse>("stub") { _ in
            TransportResponse(status: .notFound, body: stream("why", by: 1))
        }
        let request = try job().request
        let error = await #expect(throws: HTTPError.self) {
            try await Download(over: node).process(.init(request, to: path))
        }
        #expect(error?.code == .badStatus)
        #expect(error?.description == "GET http://example.com/file: 404 Not Found")
        #expect(error?.response?.body.bytes == Array("why".utf8))
    }

    @Test func folderThatIsNotThere() async throws {
        let request = try job().request
        let error = await #expect(throws: HTTPError.self) {
            try await Download(over: Server(Store())).process(.init(request, to: "/no/such/folder/file"))
        }
        #expect(error?.code == .failed)
        #expect(
            error?.message == "the file cannot be written: /no/such/folder/file: No such file or directory"
        )
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func diskThatIsFull() async throws {
        try FileManager.default.createSymbolicLink(atPath: path + ".part", withDestinationPath: "/dev/full")
        let part = try await PartialFile.opened(for: path)
        let error = await #expect(throws: PartialFile.Failure.self) { try await part.write([1], at: 0) }
        #expect(error?.description == "\(path): the disk is full")
    }

    #if canImport(Glibc)
    @Test func noRoomInTheMiddle() async {
        // This runs in a process of its own: the limit for files simulates a disk with room for 3000 more bytes.
        await #expect(processExitsWith: .success) {
            func limitFiles(to size: rlim_t?) {
                let kind = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                var limit = rlimit()
                getrlimit(kind, &limit)
                limit.rlim_cur = size ?? limit.rlim_max
                setrlimit(kind, &limit)
            }
            signal(SIGXFSZ, SIG_IGN)
            let tests = try DownloadTests()
            let server = Server(Store())
            limitFiles(to: 3000)
            let error = await #expect(throws: HTTPError.self) { try await tests.run(server) }
            limitFiles(to: nil)
            try #require(error?.message == "the file cannot be written: \(tests.path): File too large")
            try #require(error?.code == .failed)
            try #require(tests.names == ["file.part", "file.part.json"])
            // With enough room, it continues.
            try #require(try await tests.run(server).resumedAt == 3000)
            try #require(tests.saved == DownloadTests.text)
            try #require(server.ranges == [nil, "bytes=3000-"])
        }
    }
    #endif

    @Test func twoIntoOneFile() async throws {
        let (started, tell) = AsyncStream<Bool>.makeStream()
        let (gate, open) = AsyncStream<Bool>.makeStream()
        let node = AnyNode<TransportRequest, TransportResponse>("stub") { _ in
            tell.yield(true)
            for await _ in gate { break }
            return TransportResponse(body: "hi")
        }
        let (request, path) = (try job().request, path)
        let first = Task { try await Download(over: node).process(.init(request, to: path)).count }
        for await _ in started { break }
        let error = await #expect(throws: HTTPError.self) {
            try await Download(over: node).process(.init(request, to: path))
        }
        #expect(error?.message == "the file cannot be written: \(path): another download writes it")
        open.yield(true)
        #expect(try await first.value == 2)
        #expect(saved == "hi")
    }

    @Test func cancelLeavesWhatCanBeResumed() async throws {
        let (started, tell) = AsyncStream<Bool>.makeStream()
        let node = AnyNode<TransportRequest, TransportResponse>("stub") { _ in
            TransportResponse(
                headers: [.eTag: "\"v1\"", .contentLength: "10"],
                body: ByteStream {
                    var isFirst = true
                    return {
                        defer { isFirst = false }
                        if isFirst { return Array("hello".utf8) }
                        tell.yield(true)
                        try await untilCancelled()
                        return nil
                    }
                }
            )
        }
        let (request, path) = (try job().request, path)
        let download = Task { try await Download(over: node).process(.init(request, to: path)).count }
        for await _ in started { break }
        download.cancel()
        await #expect(throws: CancellationError.self) { try await download.value }
        #expect(names == ["file.part", "file.part.json"])
        #expect(try String(contentsOfFile: path + ".part", encoding: .utf8) == "hello")
    }

    @Test func progressGoesOnToo() async throws {
        let server = Server(Store(breaksAfter: 2000))
        await #expect(throws: HTTPError.self) { try await run(server) }
        server.change { $0.breaksAfter = nil }
        let (reports, tell) = AsyncStream<TransferProgress>.makeStream()
        let download = Download(over: server, every: .zero) { progress in
            tell.yield(progress)
            if progress.isComplete { tell.finish() }
        }
        _ = try await download.process(job())
        let told = await reports.reduce(into: []) { $0.append($1) }
        #expect(told.first.map { $0.completed > 2000 } == true)
        #expect(told.last == TransferProgress(completed: 5000, total: 5000, isComplete: true))
    }
}
#endif
