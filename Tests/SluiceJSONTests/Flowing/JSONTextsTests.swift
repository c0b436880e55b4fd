import SluiceJSON
import Testing

struct JSONTextsTests {
    private func chunks(_ texts: String...) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Array(text.utf8)) }
            continuation.finish()
        }
    }

    @Test func textsComeFromChunks() async throws {
        var found: [JSON] = []
        for try await document in chunks("{\"a\"", ":1}\n[", "2]").jsonTexts() {
            found.append(try document.root.json())
        }
        #expect(found == [["a": 1], [2]])
    }

    @Test func textsComeFromBytes() async throws {
        let bytes = AsyncStream<UInt8> { continuation in
            for byte in "1 \"é\"[]".utf8 { continuation.yield(byte) }
            continuation.finish()
        }
        var found: [JSON] = []
        for try await document in bytes.jsonTexts(framing: .concatenated) { found.append(try document.root.json()) }
        #expect(found == [1, "é", []])
    }

    @Test func anIteratorGoesOnAfterABadLine() async throws {
        var iterator = chunks("[1]\n[\n[2]\n").jsonTexts().makeAsyncIterator()
        #expect(try await iterator.next()?.root[0]?.int == 1)
        do {
            _ = try await iterator.next()
            Issue.record("the line is not complete")
        } catch let error as JSONError {
            #expect(error.line == 2)
        }
        #expect(try await iterator.next()?.root[0]?.int == 2)
        #expect(try await iterator.next() == nil)
    }

    @Test func linesAreWrittenInChunks() async throws {
        var chunks: [String] = []
        var writer = JSONLineWriter(chunkSize: 10) { chunks.append(String(decoding: $0, as: UTF8.self)) }
        try await writer.write(["a": 1] as JSON)
        #expect(chunks.isEmpty)
        try await writer.encode([1, 2])
        #expect(chunks == ["{\"a\":1}\n[1,2]\n"])
        try await writer.write("x\n")
        try await writer.finish()
        #expect(chunks.last == "\"x\\n\"\n")
    }
}
