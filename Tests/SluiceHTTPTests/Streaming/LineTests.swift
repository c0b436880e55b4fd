#if HTTP
import Foundation
import SluiceHTTP
import Testing

/// Returns bytes in chunks of any size.
func stream(_ bytes: [UInt8], by size: Int) -> ByteStream {
    ByteStream {
        var rest = bytes[...]
        return {
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(size)
            return chunk.isEmpty ? nil : Array(chunk)
        }
    }
}

func stream(_ text: String, by size: Int) -> ByteStream { stream(Array(text.utf8), by: size) }

extension AsyncSequence {
    func all() async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self { elements.append(element) }
        return elements
    }
}

@Suite struct LineTests {
    @Test(arguments: [1, 2, 3, 100])
    func everyBreakAtEveryBorder(_ size: Int) async throws {
        let text = "one\ntwo\r\nthree\rfour\n\n\r\n\r\rzwölf\r\nlast"
        #expect(
            try await stream(text, by: size).lines.all()
                == ["one", "two", "three", "four", "", "", "", "", "zwölf", "last"]
        )
    }

    @Test func breakAtTheEndMakesNoLine() async throws {
        #expect(try await stream("one\n", by: 9).lines.all() == ["one"])
        #expect(try await stream("one\r", by: 9).lines.all() == ["one"])
        #expect(try await stream("", by: 9).lines.all() == [])
        #expect(try await stream("\n", by: 9).lines.all() == [""])
    }

    @Test func bytesThatAreNotUTF8() async throws {
        let error = await #expect(throws: LineError.self) {
            try await stream(Array("one\n".utf8) + [0xFF, 0x0A], by: 3).lines.all()
        }
        #expect(error == .invalidUTF8(line: 2))
        #expect(error?.description == "line 2: not UTF-8")
    }

    @Test(arguments: [1, 7, 64])
    func lineThatIsTooLong(_ size: Int) async throws {
        #expect(try await stream("12345\n1234\n", by: size).lines(upTo: 5).all() == ["12345", "1234"])
        let error = await #expect(throws: LineError.self) {
            try await stream("12345\n123456\n", by: size).lines(upTo: 5).all()
        }
        #expect(error?.description == "line 2: longer than 5 bytes")
    }

    @Test func lineIsThereWithItsBreak() async throws {
        // A CR is a line break even if an LF may follow in the next chunk.
        let (chunks, source) = AsyncStream<[UInt8]>.makeStream()
        var lines = chunks.lines.makeAsyncIterator()
        source.yield(Array("one\r".utf8))
        #expect(try await lines.next() == "one")
        source.yield(Array("\ntwo\n".utf8))
        #expect(try await lines.next() == "two")
    }
}

@Suite struct JSONLineTests {
    struct Point: Codable, Equatable {
        let x: Int
    }

    @Test(arguments: [1, 5, 100])
    func modelALine(_ size: Int) async throws {
        let text = "{\"x\":1}\n\r\n{\"x\":\r2}\r\n\n {\"x\":3}"
        #expect(
            try await stream(text, by: size).jsonLines(Point.self).all() == [Point(x: 1), Point(x: 2), Point(x: 3)]
        )
    }

    @Test func errorsSayTheLine() async throws {
        var models = stream("{\"x\":1}\n{\"x\":}\n{\"x\":\"a\"}\n{}\n{\"x\":4}\n", by: 4)
            .jsonLines(Point.self)
            .makeAsyncIterator()
        #expect(try await models.next() == Point(x: 1))
        var texts: [String] = []
        for _ in 0..<3 {
            let error = await #expect(throws: JSONLineError.self) { try await models.next() }
            texts.append(error?.description ?? "")
        }
        #expect(texts[0].hasPrefix("line 2, column 6: "))
        #expect(texts[1].hasPrefix("line 3"))
        #expect(texts[2].hasPrefix("line 4"))
        #expect(try await models.next() == Point(x: 4))
        #expect(try await models.next() == nil)
    }

    @Test func lineThatIsTooLong() async throws {
        let error = await #expect(throws: LineError.self) {
            try await stream("[1,2,3,4]", by: 2).jsonLines([Int].self, upTo: 5).all()
        }
        #expect(error == .tooLong(line: 1, limit: 5))
    }
}
#endif
