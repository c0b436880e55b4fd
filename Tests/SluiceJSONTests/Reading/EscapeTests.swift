import SluiceJSON
import Testing

/// Tests that escapes are read as the characters that they stand for, wherever they are.
@Suite struct EscapeTests {
    @Test(arguments: 0..<4)
    func onlyHexadecimalDigitsAreTaken(place: Int) throws {
        for byte in UInt8.min...UInt8.max {
            var digits = Array("0041".utf8)
            digits[place] = byte
            let text = Array("[\"a\\u".utf8) + digits + Array("b\"]".utf8)
            let value = String(decoding: digits, as: UTF8.self)
            guard let number = UInt32(value, radix: 16), !value.contains("+"), let scalar = UnicodeScalar(number) else {
                #expect(throws: JSONError.self, "\(byte)") { try JSONDocument(parsing: text) }
                continue
            }
            #expect(try JSON(parsing: text) == [.string("a\(scalar)b")], "\(byte)")
        }
    }

    @Test func escapesAndTheTextBetweenThemGiveTheString() throws {
        var random = SeededGenerator(seed: 151)
        let scalars = Array("aZ \"\\/\u{8}\n\t\u{0}é中😊\u{7FF}\u{800}\u{FFFF}\u{10000}".unicodeScalars)
        for _ in 0..<5000 * scale {
            var (value, text) = (String.UnicodeScalarView(), "")
            for _ in 0..<Int.random(in: 0..<40, using: &random) {
                let scalar = scalars.randomElement(using: &random) ?? "a"
                value.append(scalar)
                let isPlain = scalar.value >= 0x20 && scalar != "\"" && scalar != "\\"
                if isPlain, Int.random(in: 0..<3, using: &random) > 0 {
                    text.unicodeScalars.append(scalar)
                } else {
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16, uppercase: .random(using: &random))
                        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                }
            }
            let string = String(value)
            try #require(try JSON(parsing: "\"\(text)\"") == .string(string))
            try #require(try SluiceJSONDecoder().decode([String].self, from: "[\"\(text)\"]") == [string])
        }
    }
}
