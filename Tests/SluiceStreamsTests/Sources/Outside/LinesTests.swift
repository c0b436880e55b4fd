import Foundation
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

@Suite struct LinesTests {
    func lines(of bytes: [UInt8], format: String = "text") async throws -> [JSON] {
        let file = FileManager.default.temporaryDirectory.appending(path: "lines-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await lines(path: file.path, format: format)
    }

    func lines(path: String, format: String = "text") async throws -> [JSON] {
        var host = StreamHost()
        host.registerLines()
        let path = JSON.string(path)
        let document = try StreamDocument(
            parsing: #"{"source": {"lines": {"path": \#(path), "format": "\#(format)"}}}"#
        )
        var seen: [JSON] = []
        for try await line in try document.values(host: host, clock: TestClock()) { seen.append(line) }
        return seen
    }

    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\n\r\nb\r\n", ["a", "", "b"]),
        ("\n\n", ["", ""]), ("é\n🦆\n", ["é", "🦆"]), ("a\rb\n", ["a\rb"]),
    ])
    func aLineIsATextWithoutItsEnd(_ text: String, _ expected: [String]) async throws {
        #expect(try await lines(of: Array(text.utf8)) == expected.map { .string($0) })
    }

    /// Longer than a read: borders of reads make no difference.
    @Test func linesLieAcrossReads() async throws {
        let expected = (0..<30_000).map { "line \($0)" }
        let seen = try await lines(of: Array(expected.joined(separator: "\n").utf8))
        #expect(seen == expected.map { .string($0) })
    }

    @Test func linesOfJSONAreValues() async throws {
        #expect(try await lines(of: Array("1\n{\"a\": [2]}\n\n\"x\"".utf8), format: "json") == [1, ["a": [2]], "x"])
    }

    @Test func whatIsNoJSONIsAnErrorWithItsLine() async throws {
        do {
            _ = try await lines(of: Array("1\n{,}\n".utf8), format: "json")
            Issue.record("no error")
        } catch let error as JSONError {
            #expect(error.position.line == 2)
        }
    }

    @Test func whatIsNotUTF8IsAnErrorWithItsLine() async throws {
        await #expect(throws: StreamError(message: "line 2 is not UTF-8")) {
            try await lines(of: [0x61, 0x0A, 0xFF, 0x0A])
        }
    }

    @Test(arguments: [[UInt8](), [0x0A]])
    func aLineTooLongIsAnError(_ end: [UInt8]) async throws {
        let bytes = [0x61, 0x0A] + [UInt8](repeating: 0x61, count: LineSplitter.longestLine + 1) + end
        await #expect(throws: StreamError(message: "line 2 has more than 1048576 bytes")) {
            try await lines(of: bytes)
        }
    }

    @Test(arguments: [
        ("/nonexistent/a.txt", "cannot read /nonexistent/a.txt: No such file or directory"),
        ("/", "cannot read /: Is a directory"), ("", "cannot read : No such file or directory"),
    ])
    func whatCannotBeReadIsNamed(_ path: String, _ message: String) async throws {
        await #expect(throws: StreamError(message: message)) { try await lines(path: path) }
    }

    @Test func aPathWithAZeroIsNoPath() async throws {
        await #expect(throws: StreamError.self) { try await lines(path: "/etc/passwd\0.txt") }
    }

    /// A pipe into which nobody writes: the reader leaves, and the thread that waits is let go.
    @Test func leavingEndsAWaitForInput() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "pipe-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        let task = Task {
            let file = try ReadableFile(path)
            start.finish()
            do { for try await _ in file {} } catch { end.yield(error is CancellationError) }
        }
        for await _ in started {}
        task.cancel()
        var isCanceled = ended.makeAsyncIterator()
        #expect(await isCanceled.next() == true)
    }

    @Test func itemsAreTexts() throws {
        #expect {
            try StreamDocument(
                parsing: #"{"source": {"lines": "a"}, "operators": [{"filter": {"expression": "x > 1"}}]}"#
            )
        } throws: {
            "\($0)".contains("string")
        }
    }
}
