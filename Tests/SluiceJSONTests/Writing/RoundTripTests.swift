import Foundation
import SluiceJSON
import Testing

struct RoundTripTests {
    @Test func valuesSurviveEveryStyle() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1000 * scale {
            let value = JSON.random(&random, depth: 4)
            for style in [JSON.TextStyle.canonical, .pretty] {
                let text = value.text(style)
                let back = try JSON(parsing: text)
                #expect(back == value)
                #expect(back.hashValue == value.hashValue)
                #expect(back.text(style) == text)
            }
            #expect(try SluiceJSONDecoder().decode(JSON.self, from: SluiceJSONEncoder().encode(value)) == value)
        }
    }

    /// Values are built by recursion or without it, as the text is shallow or deep: the same either way.
    @Test func deepTextsGiveTheSameValues() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<200 * scale {
            let value = JSON.random(&random, depth: 4)
            let around = (0..<40).reduce(value) { inner, level in
                level % 2 == 0 ? [nil, inner, [], [:]] : ["a": [:], "b": inner, "c": []]
            }
            let back = try JSON(parsing: around.text())
            #expect(back == around)
            #expect(back.text(.pretty) == around.text(.pretty))
        }
        let text = String(repeating: "[", count: 40) + #"{"a":1,"a":2}"# + String(repeating: "]", count: 40)
        let first = try JSON(parsing: text, duplicateKeys: .firstWins)
        #expect(first == (0..<40).reduce(["a": 1]) { inner, _ in .array([inner]) })
        let last = try JSON(parsing: text, duplicateKeys: .lastWins)
        #expect(last == (0..<40).reduce(["a": 2]) { inner, _ in .array([inner]) })
    }

    @Test func whatIsPassedThroughStaysByteForByte() throws {
        let text = "{ \"known\": 1,  \"x\\u0061\" : [ 1.50,\t{\"a\" :\n \"\\/\" } , 1e2 ] }"
        let root = try JSONDocument(parsing: text).root
        var writer = JSONWriter()
        writer.object {
            $0.member("known", 2)
            for member in root.members where member.key != "known" { $0.member(key: member.key, member.value) }
        }
        #expect(writer.text == "{\"known\":2,\"xa\":[ 1.50,\t{\"a\" :\n \"\\/\" } , 1e2 ]}")
        #expect(String(decoding: root.source, as: UTF8.self) == text)
        #expect(root.document.bytes == Array(text.utf8))
    }

    @Test func stringsOfEveryScalarSurvive() throws {
        var text = ""
        for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
            if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
        }
        for value in UInt32(0)...0x200 { text.unicodeScalars.append(Unicode.Scalar(value) ?? " ") }
        #expect(try JSON(parsing: JSON.string(text).description).string == text)
        let escaped = text.utf16.map { unit in
            let hex = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }.joined()
        #expect(try JSON(parsing: "\"\(escaped)\"").string == text)
        #expect(try JSONDecoder().decode([String].self, from: SluiceJSONEncoder().encode([text])) == [text])
    }

    @Test func stringsAreFoundAtEveryOffset() throws {
        // The scan reads eight bytes at a time: what is of interest may stand at any of them.
        for length in 0..<40 {
            for at in 0...length {
                for piece in ["\\\"", "\\\\", "é", "😀", "\\u00e9", "\u{7F}"] {
                    let content = String(repeating: "a", count: at) + piece + String(repeating: "b", count: length - at)
                    let document = try JSONDocument(parsing: "[\"\(content)\",1]")
                    #expect(document.root.count == 2)
                    #expect(document.root[0]?.sourceText == "\"\(content)\"")
                }
                let broken = String(repeating: "a", count: at) + "\n" + String(repeating: "b", count: length - at)
                let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: "[\"\(broken)\"]") }
                #expect(error?.offset == at + 2)
            }
        }
    }
}
