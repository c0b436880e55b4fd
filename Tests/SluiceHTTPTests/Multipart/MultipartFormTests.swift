#if HTTP
import Foundation
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

@Suite struct MultipartFormTests {
    /// Returns the bytes that are sent, and their predicted length.
    static func bytes(of form: MultipartForm) async throws -> (bytes: [UInt8], count: Int?) {
        let body = try await form.body()
        return (try await bytes(of: body), body.count)
    }

    static func bytes(of body: RequestBody) async throws -> [UInt8] {
        if let bytes = body.bytes { return bytes }
        var bytes: [UInt8] = []
        for try await chunk in try await chunks(of: body) { bytes += chunk }
        return bytes
    }

    static func chunks(of body: RequestBody) async throws -> ByteStream {
        guard case .stream(let stream) = body else { throw CocoaError(.featureUnsupported) }
        return try await stream.chunks()
    }

    func text(of form: MultipartForm) async throws -> String {
        let (bytes, count) = try await Self.bytes(of: form)
        #expect(count == bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    func stream(_ chunks: [[UInt8]], count: Int? = nil, isReplayable: Bool = true) -> RequestStream {
        RequestStream(count: count, isReplayable: isReplayable) {
            ByteStream(
                AsyncStream { continuation in
                    for chunk in chunks { continuation.yield(chunk) }
                    continuation.finish()
                }
            )
        }
    }

    @Test func partsInTheirOrder() async throws {
        let folder = try TemporaryFolder()
        var form = try MultipartForm(boundary: "B")
        form.append("title", "Été\n")
        form.append("photo", .bytes([0, 1, 255], filename: "a.PNG"))
        form.append("json", bytes: Array("{}".utf8), contentType: "application/json")
        form.append("doc", .file(try folder.write("my notes.txt", Array("hi".utf8))))
        form.append("none", "")
        let (bytes, count) = try await Self.bytes(of: form)
        var expected = Array("--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nÉté\n\r\n".utf8)
        expected += "--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.PNG\"\r\n".utf8
        expected += "Content-Type: image/png\r\n\r\n".utf8 + [0, 1, 255] + "\r\n".utf8
        expected += "--B\r\nContent-Disposition: form-data; name=\"json\"\r\n".utf8
        expected += "Content-Type: application/json\r\n\r\n{}\r\n".utf8
        expected += "--B\r\nContent-Disposition: form-data; name=\"doc\"; filename=\"my notes.txt\"\r\n".utf8
        expected += "Content-Type: text/plain\r\n\r\nhi\r\n".utf8
        expected += "--B\r\nContent-Disposition: form-data; name=\"none\"\r\n\r\n\r\n--B--\r\n".utf8
        #expect(bytes == expected)
        #expect(count == expected.count)
        #expect(form.contentType == "multipart/form-data; boundary=B")
        #expect(form.isReplayable)
    }

    @Test func noParts() async throws {
        #expect(try await text(of: MultipartForm(boundary: "B")) == "--B--\r\n")
    }

    @Test(arguments: [
        ("plain", "plain", "plain"), ("a\"b", "a%22b", "a%22b"), ("é漢😀", "é漢😀", "é漢😀"),
        ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("\r\r\n\n\r", "%0D%0A%0D%0A%0D%0A%0D%0A", "%0D%0D%0A%0A%0D"), ("a%22;b=c", "a%22;b=c", "a%22;b=c"),
        ("C:\\x\\", "C:\\x%5C", "C:\\x%5C"), ("\\\\", "%5C%5C", "%5C%5C"), ("a\\\"b", "a\\%22b", "a\\%22b"),
        ("x\"\r\nX-Evil: 1\r\n\r\n", "x%22%0D%0AX-Evil: 1%0D%0A%0D%0A", "x%22%0D%0AX-Evil: 1%0D%0A%0D%0A"),
        ("", "", ""),
    ])
    func names(_ name: String, _ written: String, _ filename: String) async throws {
        var form = try MultipartForm(boundary: "B")
        form.append(name, .bytes([], filename: name, contentType: "x/y"))
        #expect(
            try await text(of: form) == "--B\r\nContent-Disposition: form-data; name=\"\(written)\"; "
                + "filename=\"\(filename)\"\r\nContent-Type: x/y\r\n\r\n\r\n--B--\r\n"
        )
    }

    @Test func aTypeBeginsNoLine() async throws {
        var form = try MultipartForm(boundary: "B")
        form.append("a", bytes: [], contentType: "x/y\r\nX-Evil: 1")
        #expect(try await text(of: form).contains("Content-Type: x/y  X-Evil: 1\r\n\r\n"))
    }

    // MARK: The boundary

    @Test func boundariesAreDrawn() throws {
        #expect(MultipartForm(random: RandomSource(seed: 42)).boundary == "sluice-bdd732262feb6e9528efe333b266f103")
        #expect(MultipartForm(random: RandomSource { 7 }).boundary == "sluice-00000000000000070000000000000007")
        #expect(MultipartForm().boundary != MultipartForm().boundary)
        for boundary in ["", "a b", "é", "a\r\n", "a\"", "~", String(repeating: "a", count: 71)] {
            let error = #expect(throws: MultipartError.self) { try MultipartForm(boundary: boundary) }
            #expect(
                error?.description
                    == "a boundary is 1 to 70 letters, digits, - _ and .: \(boundary.debugDescription)"
            )
        }
        #expect(try MultipartForm(boundary: String(repeating: "a", count: 70)).boundary.count == 70)
    }

    @Test func aBoundaryThatStandsInTheBytes() async throws {
        var form = try MultipartForm(boundary: "B")
        form.append("a", "x\r\n--B--")
        let error = await #expect(throws: MultipartError.self) { try await form.body() }
        #expect(error?.description == "a: the boundary occurs in its bytes: choose another")
    }

    // MARK: Lengths, and sending again

    @Test func streams() async throws {
        var form = try MultipartForm(boundary: "B")
        form.append("s", .stream(stream([[1, 2], [], [3, 4, 5]], count: 5), filename: "s.bin"))
        let body = try await form.body()
        #expect(body.isReplayable)
        let first = try await Self.bytes(of: body)
        #expect(body.count == first.count)
        #expect(try await Self.bytes(of: body) == first)
        form.append("u", .stream(stream([[6]], isReplayable: false), filename: "u.bin"))
        let second = try await form.body()
        #expect(!second.isReplayable)
        #expect(second.count == nil)
        #expect(try await Self.bytes(of: second).count > first.count)
    }

    @Test func bytesWhereAllIsInMemory() async throws {
        var form = MultipartForm()
        form.append("a", "b")
        form.append("large", .bytes([UInt8](repeating: 1, count: 1 << 20), filename: "x"))
        #expect(try await form.body().bytes?.count ?? 0 > 1 << 20)
    }

    @Test(arguments: [(3, "s: the stream has more than 3 bytes, not 3"), (6, "s: the stream has 5 bytes, not 6")])
    func aStreamOfAnotherLength(_ count: Int, _ message: String) async throws {
        var form = MultipartForm()
        form.append("s", .stream(stream([[1, 2], [3, 4, 5]], count: count), filename: "s"))
        let error = await #expect(throws: MultipartError.self) { try await Self.bytes(of: form) }
        #expect(error?.description == message)
    }

    @Test func aStreamThatFails() async throws {
        struct Broken: Error {}
        var form = MultipartForm()
        let broken = AsyncThrowingStream<[UInt8], any Error> { $0.finish(throwing: Broken()) }
        form.append("s", .stream(RequestStream(broken), filename: "s"))
        await #expect(throws: Broken.self) { try await Self.bytes(of: form) }
    }

    // MARK: Files

    @Test func filesThatAreNone() async throws {
        let folder = try TemporaryFolder()
        let pipe = "\(folder.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let faults = [
            ("\(folder.path)/none", "\(folder.path)/none: No such file or directory"),
            (folder.path, "\(folder.path): a folder"), (pipe, "\(pipe): not a regular file"),
        ]
        for (path, message) in faults {
            var form = MultipartForm()
            form.append("a", .file(path))
            let error = await #expect(throws: MultipartError.self) { try await form.body() }
            #expect(error?.description == message)
        }
    }

    @Test func aFileThatChanges() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("a", [1, 2, 3])
        var form = MultipartForm()
        form.append("a", .file(path))
        let body = try await form.body()
        _ = try folder.write("a", [1, 2, 3, 4])
        var iterator = try await Self.chunks(of: body).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        let error = await #expect(throws: MultipartError.self) { _ = try await iterator.next() }
        #expect(error?.description == "\(path): the file changed before it was sent")
        // A file that shrinks while it is read.
        let long = try folder.write("long", [UInt8](repeating: 7, count: 200_000))
        form = MultipartForm()
        form.append("a", .file(long))
        iterator = try await Self.chunks(of: form.body()).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
        #expect(try await iterator.next()?.count == 65_536)
        #expect(truncate(long, 100_000) == 0)
        #expect(try await iterator.next()?.count == 34_464)
        let shrunk = await #expect(throws: MultipartError.self) { _ = try await iterator.next() }
        #expect(shrunk?.description == "\(long): the file changed before it was sent")
    }

    @Test func cancelling() async throws {
        let folder = try TemporaryFolder()
        var form = MultipartForm()
        form.append("a", .file(try folder.write("a", [1])))
        let body = try await form.body()
        let task = Task {
            var iterator = try await Self.chunks(of: body).makeAsyncIterator()
            _ = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            return try await iterator.next()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    #if os(Linux)
    /// The variable of the process that only reads a large body: tests in the same process would count too.
    private static let alone = "SLUICE_TESTS_MEMORY"

    @Test func memoryDoesNotGrowWithTheFile() async throws {
        if ProcessInfo.processInfo.environment[Self.alone] != nil { return try await readLargeBody() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "--testing-library", "swift-testing", "--filter", "MultipartFormTests/memoryDoesNotGrowWithTheFile",
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([Self.alone: "1"]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        #expect(status == 0, "what it says: \(Self.alone)=1 swift test --filter memoryDoesNotGrowWithTheFile")
    }

    /// Reads a sparse file of 512 MB in pieces of 64 KiB.
    private func readLargeBody() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("large", [])
        let size = 512 << 20
        #expect(truncate(path, size) == 0)
        var form = MultipartForm()
        form.append("a", .file(path))
        let body = try await form.body()
        let before = try Self.residentBytes()
        var sum = 0
        var largest = 0
        var peak = before
        for try await chunk in try await Self.chunks(of: body) {
            sum += chunk.count
            largest = max(largest, chunk.count)
            if sum % (16 << 20) < 65_536 { peak = max(peak, try Self.residentBytes()) }
        }
        #expect(sum == body.count)
        #expect(largest == 65_536)
        #expect(peak - before < 128 << 20)
    }

    private static func residentBytes() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
    #endif

    // MARK: Types of files

    @Test(arguments: [
        ("a.jpg", "image/jpeg"), ("A.JPEG", "image/jpeg"), ("b.tar.gz", "application/gzip"),
        ("c.pdf", "application/pdf"),
        ("d.unknown", "application/octet-stream"), ("none", "application/octet-stream"),
        ("dot.", "application/octet-stream"),
        (".json", "application/json"), ("é.webp", "image/webp"),
    ])
    func types(_ name: String, _ type: String) {
        #expect(MultipartFile.bytes([], filename: name).contentType == type)
        #expect(MultipartFile.file("/folder/\(name)").contentType == type)
        #expect(MultipartFile.file("/folder/\(name)").filename == name)
        #expect(MultipartFile.file("/x", filename: name, contentType: "x/y").contentType == "x/y")
    }

    @Test func fileURLs() throws {
        let file = MultipartFile.file(URL(fileURLWithPath: "/folder/a b%20.png"))
        #expect(file.filename == "a b%20.png")
        guard case .file("/folder/a b%20.png") = file.content else { throw CocoaError(.fileNoSuchFile) }
    }
}
#endif
