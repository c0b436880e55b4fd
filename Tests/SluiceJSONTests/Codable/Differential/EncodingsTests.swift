import Foundation
import SluiceJSON
import Testing

/// UTF-16 and UTF-32 texts, beside Foundation's decoder.
struct EncodingsTests {
    enum Form: String, CaseIterable {
        case utf8, utf16Big, utf16Little, utf32Big, utf32Little

        func bytes(_ text: String, hasMark: Bool) -> Data {
            let text = hasMark ? "\u{FEFF}" + text : text
            switch self {
            case .utf8: return Data(text.utf8)
            case .utf16Big: return Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
            case .utf16Little: return Data(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            case .utf32Big: return Data(text.unicodeScalars.flatMap { Form.bytes($0.value) })
            case .utf32Little: return Data(text.unicodeScalars.flatMap { Form.bytes($0.value).reversed() })
            }
        }

        private static func bytes(_ value: UInt32) -> [UInt8] {
            [UInt8(value >> 24), UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
        }
    }

    @Test(arguments: Form.allCases, [true, false])
    func generatedTextsAreReadAsByFoundation(_ form: Form, _ hasMark: Bool) throws {
        for json5 in [true, false] {
            var both = SideBySide()
            both.theirDecoder.allowsJSON5 = json5
            both.decoder.allowsJSON5 = json5
            var generator = JSON5Text(random: SeededGenerator(seed: 136), isJSON5: json5)
            for _ in 0..<500 * scale {
                let text = "[\(generator.value(3))]"
                // Foundation takes other bytes for the mark of UTF-32 in little endian, and refuses this one.
                let isRefused = form == .utf32Little && hasMark
                let theirs =
                    isRefused
                    ? both.decoded(Loose.self, Data(text.utf8)).theirs
                    : both.decoded(Loose.self, form.bytes(text, hasMark: hasMark)).theirs
                let ours = both.decoded(Loose.self, form.bytes(text, hasMark: hasMark)).ours
                // Without a mark a text of one string can begin with two characters of which Foundation knows but one.
                if theirs == "dataCorrupted", !hasMark, ours == both.decoded(Loose.self, Data(text.utf8)).theirs {
                    continue
                }
                try #require(theirs == ours, "\(text)")
            }
        }
    }

    @Test(arguments: Form.allCases, [true, false])
    func everyEncodingIsReadByEveryEntryPoint(_ form: Form, _ hasMark: Bool) throws {
        let text = #"{"a":["é","漢","😀"]}"#
        let value = ["a": ["é", "漢", "😀"]]
        let bytes = form.bytes(text, hasMark: hasMark)
        var decoder = SluiceJSONDecoder()
        #expect(try decoder.decode([String: [String]].self, from: bytes) == value)
        #expect(try decoder.decode([String: [String]].self, from: Array(bytes)) == value)
        #expect(try decoder.decode([String: [String]].self, from: AnySequence(bytes)) == value)
        #expect(try decoder.decode(direct: [String: [String]].self, from: bytes) == value)
        decoder.allowsJSON5 = true
        #expect(try decoder.decode([String: [String]].self, from: bytes) == value)
        decoder.assumesTopLevelDictionary = true
        #expect(try decoder.decode([String: [String]].self, from: bytes) == value)
        #expect(
            try decoder.decode([String: [String]].self, from: form.bytes("a: ['é', '漢', '😀'],", hasMark: hasMark))
                == value
        )
        let members = form.bytes(#""a": ["é", "漢", "😀"]"#, hasMark: hasMark)
        decoder.allowsJSON5 = false
        #expect(try decoder.decode([String: [String]].self, from: members) == value)
        if form != .utf8 { #expect(throws: JSONError.self) { try JSONDocument(parsing: bytes) } }
    }

    @Test func shortTexts() throws {
        let decoder = SluiceJSONDecoder()
        for form in Form.allCases {
            for text in ["1", "12", "[]", "\"漢\"", "\"\"", " 1"] {
                #expect(
                    try decoder.decode(JSON.self, from: form.bytes(text, hasMark: false)) == JSON(parsing: text),
                    "\(form) \(text)"
                )
            }
            for text in ["", "\u{FEFF}"] {
                #expect(throws: DecodingError.self) {
                    try decoder.decode(JSON.self, from: form.bytes(text, hasMark: false))
                }
            }
        }
        for bytes in [
            [0], [0, 0], [0, 0, 0], [0, 0, 0, 0], [0xFE], [0xFE, 0xFF], [0xFF, 0xFE, 0], [0, 0, 0xFE, 0xFF], [0x31, 0],
            [0, 0x31],
        ] as [[UInt8]] {
            let isOne = bytes.count == 2 && bytes.contains(0x31)
            #expect((try? decoder.decode(Int.self, from: bytes)) == (isOne ? 1 : nil), "\(bytes)")
        }
    }

    /// Halves of surrogate pairs, bytes that are left over, and what is no scalar.
    @Test(
        arguments: [
            [0xFE, 0xFF, 0, 0x22, 0xD8, 0x3D, 0, 0x22], [0xFE, 0xFF, 0, 0x22, 0xDE, 0, 0, 0x22],
            [0xFE, 0xFF, 0, 0x31, 0],
            [0xFF, 0xFE, 0x22, 0, 0x3D, 0xD8], [0, 0, 0, 0x22, 0, 0x11, 0, 0, 0, 0, 0, 0x22],
            [0, 0, 0, 0x22, 0, 0, 0xD8, 0, 0, 0, 0, 0x22],
            [0, 0, 0, 0x31, 0, 0, 0], [0x31, 0, 0, 0, 0x20],
        ] as [[UInt8]]
    )
    func whatIsNotValidIsRefused(_ bytes: [UInt8]) throws {
        let error = try #require(throws: DecodingError.self) { try SluiceJSONDecoder().decode(Loose.self, from: bytes) }
        #expect(error.jsonError?.code == .unsupportedEncoding)
    }

    @Test func errorsHaveTheirLines() throws {
        let bytes = Form.utf16Little.bytes("[1,\n \"😀\", x]", hasMark: true)
        let error = try #require(throws: DecodingError.self) { try SluiceJSONDecoder().decode([Int].self, from: bytes) }
        #expect(error.jsonError?.line == 2)
        #expect(error.jsonError?.column == 7)
    }
}
