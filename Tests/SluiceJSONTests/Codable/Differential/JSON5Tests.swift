import Foundation
import SluiceJSON
import Testing

/// JSON5, trailing commas, and top-level members without braces, beside Foundation's.
struct JSON5Tests {
    private func both(json5: Bool) -> SideBySide {
        var both = SideBySide()
        both.theirDecoder.allowsJSON5 = json5
        both.decoder.allowsJSON5 = json5
        return both
    }

    @Test(arguments: [true, false])
    func generatedTextsAreReadAsByFoundation(_ json5: Bool) throws {
        let both = both(json5: json5)
        var generator = JSON5Text(random: SeededGenerator(seed: 134), isJSON5: json5)
        for _ in 0..<5000 * scale {
            let text = "[\(generator.value(4))]"
            let (theirs, ours) = both.decoded(Loose.self, Data(text.utf8))
            try #require(theirs == ours, "\(text)")
            #expect(theirs != "dataCorrupted", "\(text)")
        }
    }

    @Test(arguments: [true, false])
    func generatedMembersAreReadAsByFoundation(_ json5: Bool) throws {
        // Foundation traps for some of these texts without braces: it gets the braces.
        let both = both(json5: json5)
        var members = both.decoder
        members.assumesTopLevelDictionary = true
        var generator = JSON5Text(random: SeededGenerator(seed: 135), isJSON5: json5)
        for _ in 0..<5000 * scale {
            let text = generator.members()
            let theirs = both.decoded(Loose.self, Data("{\(text)}".utf8)).theirs
            let ours = try "\(members.decode(Loose.self, from: text))"
            try #require(theirs == ours, "\(text)")
        }
    }

    /// Foundation traps for some damaged texts, so that they are read by our decoder alone: it ends, with a value or an
    /// error that has a place in the text.
    @Test(arguments: [true, false])
    func damagedTextsAreSurvived(_ json5: Bool) throws {
        var decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = json5
        var generator = JSON5Text(random: SeededGenerator(seed: 138), isDamaged: true, isJSON5: json5)
        var refused = 0
        for _ in 0..<5000 * scale {
            let text = generator.value(4)
            do { _ = try decoder.decode(Loose.self, from: text) } catch let error as DecodingError {
                refused += 1
                let place = try #require(error.jsonError, "\(text)")
                #expect(place.line >= 1 && place.column >= 1 && place.offset <= text.utf8.count, "\(text)")
            }
        }
        #expect(refused > 100 * scale)
    }

    /// Numbers of every spelling as numbers of every type.
    @Test(
        arguments: [
            "0x10", "-0x10", "+0x10", "0x7f", "0xff", "0x80", "-0x80", "0xFFFFFFFFFFFFFFFF", "-0x8000000000000000",
            "5.",
            "+5", ".5", "-.5", "5.0e1", "Infinity", "-Infinity", "+Infinity", "NaN", "-NaN", "1e400", "1e-400", "300",
            "-1", "18446744073709551615", "0", "-0", "+0", "'1'",
        ]
    )
    func numbersAreDecodedAsByFoundation(_ text: String) {
        let both = both(json5: true)
        func check<T: Codable & CustomStringConvertible>(_ type: T.Type) {
            for text in ["[\(text)]", "{a:\(text)}"] {
                let (theirs, ours) =
                    text.hasPrefix("[")
                    ? both.decoded([T].self, Data(text.utf8)) { "\($0)".replacingOccurrences(of: "-nan", with: "nan") }
                    : both.decoded([String: T?].self, Data(text.utf8)) {
                        "\($0)".replacingOccurrences(of: "-nan", with: "nan")
                    }
                // Foundation refuses a hexadecimal number that no double equals, and takes what is less than every double
                // for the whole number 0.
                if text.contains("0xFFFFFFFFFFFFFFFF"), theirs == "dataCorrupted" { continue }
                if text.contains("1e-400"), ours == "dataCorrupted" { continue }
                #expect(theirs == ours, "\(T.self) from \(text)")
            }
        }
        check(Int.self)
        check(Int8.self)
        check(UInt8.self)
        check(Int64.self)
        check(UInt64.self)
        check(Int128.self)
        check(UInt128.self)
        check(Double.self)
        check(Float.self)
        check(Decimal.self)
        check(String.self)
    }

    /// Texts that neither accepts, and texts that Foundation accepts, or traps for, and that we reject: they aren't
    /// JSON5.
    @Test(
        arguments: [
            "1e+", "1e", "0x", "0xg", "+", "-", ".", "+.", "1.e", "00", "01", "-01", "1..2", "1+2", "1-", "0x1.8",
            "--1", "+-1",
            "Infinit", "Infinity1", "NaNs", "+NaN-", "1 2", "truefalse", "[1 2]", "[,]", "{,}", "[1,,]", "{a}", "{a:}",
            "{a 1}",
            "{1:2}", "{'a' 'b'}", "{a:1 b:2}", "'a", "\"a'", "'\\q'", "'\\v'", "'\\0'", "'\\x4'", "'\\xzz'", "'\\x00'",
            "'\\u0000'",
            "'\\u12'", "'\\ud800'", "'a\nb'", "'\u{1}'", "/* a", "/", "1 /", "// a", "", " ", "#", "{\\u0031:1}",
            "{\\x61:1}",
            "undefined", "[tru\\u0065]", "\u{A0}1", "\u{2028}1", "\u{FEFF}\u{FEFF}1", "{-a:1}", "{a-b:1}",
            "'\\\u{2028}'",
        ]
    )
    func whatIsNotJSON5IsRefused(_ text: String) {
        var decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = true
        #expect(throws: DecodingError.self) { try decoder.decode(Loose.self, from: text) }
        #expect(throws: DecodingError.self) { try decoder.decode(Loose.self, from: "[\(text)") }
    }

    @Test func strictTextsStayStrictByDefault() {
        let decoder = SluiceJSONDecoder()
        for text in [
            "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "+1", ".5", "5.", "0x1", "NaN", "Infinity", "[1]//", "\"a\":1",
            "/**/1",
        ] {
            #expect(throws: DecodingError.self) { try decoder.decode(Loose.self, from: text) }
            #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
            #expect(throws: JSONError.self) { try JSON(parsing: text) }
        }
        var json5 = SluiceJSONDecoder()
        json5.allowsJSON5 = true
        var commas = SluiceJSONDecoder()
        commas.allowsTrailingCommas = true
        for text in [
            "[,]", "{,}", "[1,,]", "{\"a\":1,,}", "[1,", "{\"a\":1,", ",", "1,", "[1,}", "{\"a\":1,]", "{\"a\":,}",
            "{\"a\",}",
        ] {
            #expect(throws: DecodingError.self, "\(text)") { try json5.decode(Loose.self, from: text) }
            #expect(throws: DecodingError.self, "\(text)") { try commas.decode(Loose.self, from: text) }
        }
    }

    @Test func trailingCommasCountAsNoMember() throws {
        var decoder = SluiceJSONDecoder(limits: JSONLimits(maximumMemberCount: 2))
        decoder.allowsTrailingCommas = true
        #expect(try decoder.decode([[Int]].self, from: "[[1,2 , ],[],\n]") == [[1, 2], []])
        #expect(try decoder.decode([String: [String: Int]].self, from: #"{"a":{"b":1,},}"#) == ["a": ["b": 1]])
        #expect(throws: DecodingError.self) { try decoder.decode([Int].self, from: "[1,2,3,]") }
        #expect(try decoder.decode(direct: [Int].self, from: "[1,2,]".utf8) == [1, 2])
    }

    private func place(_ decoder: SluiceJSONDecoder, _ text: String) throws -> String? {
        try #require(throws: DecodingError.self) { try decoder.decode([String: [Int]].self, from: text) }.jsonError?
            .description
    }

    @Test func errorsHaveTheirPlacesInTheText() throws {
        var decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = true
        #expect(
            try place(decoder, "{ // é\n  a: [0x10, /* b */ 'x\\\n']}") == "2:21: a[1]: Expected Int, found a string."
        )
        #expect(
            try place(decoder, "{\n 'a': [1,, 2]}")
                == "2:10: a value is missing: found \",\" (remove one comma or put a value before it)"
        )
        #expect(try place(decoder, "{\n a: [1, 0xZ]}") == "2:9: an invalid number")
        #expect(
            try place(decoder, "{\n a: [1, '\\q']}")
                == "2:10: an unknown escape (write the character without a backslash)"
        )
        #expect(try place(decoder, "{a:\n /* b") == "2:2: the comment that begins here has no end (close it with */)")
        #expect(try place(decoder, "{a: [\n1") == "2:2: the text ends before \"]\" (the array begins at 1:5)")
        #expect(try place(decoder, "{a: b}") == "1:5: expected a value, found \"b\" (strings stand in double quotes)")
        #expect(
            try place(decoder, "{\u{FEFF}a:1}")
                == "1:2: a key is missing: found \"\u{FEFF}\" where a string was expected (keys stand in double quotes)"
        )
        decoder.allowsJSON5 = false
        decoder.assumesTopLevelDictionary = true
        #expect(try place(decoder, "\"a\": [1],\n\"b\": [true]") == "2:7: b[0]: Expected Int, found true or false.")
        #expect(try place(decoder, "\"a\": [1],\n\"b\" 1") == "2:5: expected \":\" after the key, found \"1\"")
    }

    @Test func numbersThatStrictTextsDoNotHave() throws {
        var decoder = SluiceJSONDecoder()
        decoder.allowsJSON5 = true
        let json = try decoder.decode(JSON.self, from: "[NaN, -Infinity, 0xff, 1e400]")
        #expect(json[0]?.double?.isNaN == true)
        #expect(json[1] == .double(-.infinity))
        #expect(json[2] == 255)
        #expect(json[3]?.description == "1e400")
        #expect(try decoder.decode(direct: [Double].self, from: "[Infinity]".utf8) == [.infinity])
        #expect(throws: DecodingError.self) { try decoder.decode(direct: [Double].self, from: "[1e400]".utf8) }
        #expect(try decoder.decode(UInt128.self, from: "0xffffffffffffffffffffffffffffffff") == .max)
        #expect(throws: DecodingError.self) {
            try decoder.decode(UInt128.self, from: "0x100000000000000000000000000000000")
        }
        // Foundation keeps the escape as it is written.
        #expect(try decoder.decode([String: Int].self, from: "{\\u0061b: 1}") == ["ab": 1])
    }

    @Test func limitsHoldForTheTranslationToo() {
        var decoder = SluiceJSONDecoder(
            limits: JSONLimits(maximumByteCount: 20, maximumDepth: 2),
            duplicateKeys: .refused
        )
        decoder.allowsJSON5 = true
        for text in ["[[[1]]]", "{a:1,'a':2}", "[\(String(repeating: " ", count: 20))]"] {
            #expect(throws: DecodingError.self) { try decoder.decode(Loose.self, from: text) }
        }
        decoder.limits = .default
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: DecodingError.self) { try decoder.decode(Loose.self, from: deep) }
    }
}
