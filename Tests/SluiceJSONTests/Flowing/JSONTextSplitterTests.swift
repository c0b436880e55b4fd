import SluiceJSON
import Testing

struct JSONTextSplitterTests {
    /// Texts as the splitter gives them, from chunks of `size` bytes.
    private func texts(_ flow: String, _ framing: JSONFraming, _ size: Int) throws -> [String] {
        var splitter = JSONTextSplitter(framing: framing)
        var texts: [String] = []
        let bytes = Array(flow.utf8)
        var at = 0
        while at < bytes.count {
            splitter.append(bytes[at..<min(at + size, bytes.count)])
            at += size
            while let document = try splitter.next() { texts.append(document.root.sourceText) }
        }
        splitter.finish()
        while let document = try splitter.next() { texts.append(document.root.sourceText) }
        return texts
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func bordersMakeNoDifference(_ size: Int) throws {
        #expect(
            try texts("{\"a\":\"}\\\"\\n\"}\n\n [1] \r\n\"x\"\ntrue", .lines, size)
                == ["{\"a\":\"}\\\"\\n\"}", "[1]", "\"x\"", "true"]
        )
        #expect(
            try texts("{\"a\":\"}\\\"{\"}[[1],\n2]1 2\"x\"\"é\"\n null[true]-1.5e3", .concatenated, size)
                == ["{\"a\":\"}\\\"{\"}", "[[1],\n2]", "1", "2", "\"x\"", "\"é\"", "null", "[true]", "-1.5e3"]
        )
    }

    /// A byte order mark, with which programs of Windows begin files, is no text of its own.
    @Test(arguments: [1, 2, 3, 4, 1000])
    func aByteOrderMarkBeginsTheFlow(_ size: Int) throws {
        for framing in [JSONFraming.lines, .concatenated] {
            #expect(try texts("\u{FEFF}{\"a\":1}\n2", framing, size) == ["{\"a\":1}", "2"], "\(framing)")
            #expect(try texts("\u{FEFF}12\n3", framing, size) == ["12", "3"], "\(framing)")
            #expect(try texts("\u{FEFF} \n\n[1]", framing, size) == ["[1]"], "\(framing)")
            #expect(try texts("\u{FEFF}", framing, size) == [], "\(framing)")
        }
        #expect(throws: JSONError.self) { try texts("1\n\u{FEFF}2", .concatenated, size) }
    }

    @Test func aBadLineDoesNotHideTheNext() throws {
        var splitter = JSONTextSplitter()
        splitter.append("[1]\n{\"a\" 1}\n[2".utf8)
        #expect(try splitter.next()?.root[0]?.int == 1)
        let error = #expect(throws: JSONError.self) { try splitter.next() }
        #expect(error?.description == "2:6: expected \":\" after the key, found \"1\"")
        #expect(error?.offset == 9)
        #expect(try splitter.next() == nil)
        splitter.append("]\n".utf8)
        #expect(try splitter.next()?.root[0]?.int == 2)
        splitter.finish()
        #expect(try splitter.next() == nil)
    }

    @Test func positionsAreCountedFromTheStartOfTheFlow() throws {
        var splitter = JSONTextSplitter(framing: .concatenated)
        splitter.append("[1] {\n \"a\":1}  {\"é\":\n  }".utf8)
        #expect(try splitter.next() != nil)
        #expect(try splitter.next() != nil)
        let error = #expect(throws: JSONError.self) { try splitter.next() }
        #expect(error?.description == "3:3: a value is missing: found \"}\"")
        #expect(error?.offset == 24)
        splitter.append("[1]".utf8)
        #expect(try splitter.next() == nil)
    }

    @Test func memoryIsBounded() throws {
        var lines = JSONTextSplitter(framing: .lines, limits: JSONLimits(maximumByteCount: 100))
        lines.append([UInt8](repeating: UInt8(ascii: "["), count: 101))
        let error = #expect(throws: JSONError.self) { try lines.next() }
        #expect(error?.description == "1:1: a text of more than 100 bytes (raise maximumByteCount in JSONLimits)")
        for _ in 0..<1000 {
            lines.append([UInt8](repeating: UInt8(ascii: "["), count: 100))
            #expect(try lines.next() == nil)
        }
        lines.append("]\n[7]\n".utf8)
        #expect(try lines.next()?.root[0]?.int == 7)

        var texts = JSONTextSplitter(framing: .concatenated, limits: JSONLimits(maximumByteCount: 100))
        texts.append("\"".utf8)
        texts.append([UInt8](repeating: UInt8(ascii: "a"), count: 101))
        #expect(throws: JSONError.self) { try texts.next() }
        #expect(try texts.next() == nil)
    }

    @Test func anUnfinishedTextIsAnErrorAtTheEnd() throws {
        var splitter = JSONTextSplitter(framing: .concatenated)
        splitter.append("[1".utf8)
        #expect(try splitter.next() == nil)
        splitter.finish()
        let error = #expect(throws: JSONError.self) { try splitter.next() }
        #expect(error?.code == .unexpectedEnd)
        #expect(try splitter.next() == nil)
    }

    /// Random texts, cut at random: what comes out is what went in.
    @Test func randomChunksGiveTheSameTexts() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 * scale {
            let values = (0..<Int.random(in: 0...5, using: &random)).map { _ in JSON.random(&random, depth: 3) }
            for framing in [JSONFraming.lines, .concatenated] {
                let flow = Array(values.map(\.description).joined(separator: "\n").utf8)
                var splitter = JSONTextSplitter(framing: framing)
                var found: [JSON] = []
                var rest = flow[...]
                while !rest.isEmpty {
                    let size = Int.random(in: 1...9, using: &random)
                    splitter.append(rest.prefix(size))
                    rest = rest.dropFirst(size)
                    while let document = try splitter.next() { found.append(try document.root.json()) }
                }
                splitter.finish()
                while let document = try splitter.next() { found.append(try document.root.json()) }
                #expect(found == values)
            }
        }
    }
}
