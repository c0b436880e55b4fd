import SluiceJSON
import Testing

/// The text of every error of syntax, with its place.
struct JSONErrorTests {
    static let cases: [(String, String)] = [
        ("", "1:1: the text is empty: expected a value"),
        ("  \n ", "2:2: the text is empty: expected a value"),
        ("[", "1:2: the text ends where a value was expected"),
        ("[1", "1:3: the text ends before \"]\" (the array begins at 1:1)"),
        ("{\"a\": 1", "1:8: the text ends before \"}\" (the object begins at 1:1)"),
        ("[1,]", "1:4: a value is missing: found \"]\" (remove the comma before it)"),
        ("[1,,2]", "1:4: a value is missing: found \",\" (remove one comma or put a value before it)"),
        ("[1 2]", "1:4: expected \",\" or \"]\" after the element, found \"2\""),
        ("{\"a\":1 \"b\":2}", "1:8: expected \",\" or \"}\" after the member, found a string"),
        ("{\"a\":1,}", "1:8: a key is missing: found \"}\" where a string was expected (remove the comma before it)"),
        ("{a:1}", "1:2: a key is missing: found \"a\" where a string was expected (keys stand in double quotes)"),
        ("{\"a\" 1}", "1:6: expected \":\" after the key, found \"1\""),
        ("{\"a\":}", "1:6: a value is missing: found \"}\""),
        ("['a']", "1:2: strings stand in double quotes: found \"'\""),
        ("[True]", "1:2: expected a value, found \"T\" (write true)"),
        ("[undefined]", "1:2: expected a value, found \"u\" (write null)"),
        ("[NaN]", "1:2: expected a value, found \"N\" (JSON has no NaN and no infinities)"),
        ("[word]", "1:2: expected a value, found \"w\" (strings stand in double quotes)"),
        ("// a\n1", "1:1: expected a value, found \"/\" (JSON has no comments)"),
        ("[+1]", "1:2: a number starts with a digit or a minus sign: found \"+\""),
        ("[01]", "1:3: a number may not begin with 0 and go on (remove the zero)"),
        ("[1.]", "1:4: expected a digit, found \"]\""),
        ("[1e", "1:4: the text ends inside a number"),
        ("[-x]", "1:3: expected a digit, found \"x\""),
        ("1 2", "1:3: expected the end of the text, found \"2\""),
        ("[1]é", "1:4: expected the end of the text, found \"é\""),
        ("\"a", "1:3: the text ends inside a string (the string begins at 1:1)"),
        ("[\"é\n\"]", "1:4: a line break inside a string (write it as an escape)"),
        ("[\"\t\"]", "1:3: byte 0x09 inside a string (write it as an escape)"),
        ("[\"\\x\"]", "1:3: unknown escape: found \"x\" after a backslash"),
        ("[\"\\u12G4\"]", "1:3: \"\\u\" needs four hexadecimal digits"),
        ("[\"\\uD800\"]", "1:3: half of a surrogate pair without the other half: not a character"),
        ("[\"\\uDC00\"]", "1:3: half of a surrogate pair without the other half: not a character"),
        ("[\"\\uD800\\u0041\"]", "1:3: half of a surrogate pair without the other half: not a character"),
        ("{\"a\":1,\n \"b\":2, \"a\":3}", "2:9: the key \"a\" occurs twice in one object (remove one of the two)"),
        ("{\"\\u0061\":1,\"a\":3}", "1:13: the key \"a\" occurs twice in one object (remove one of the two)"),
        ("\u{0}1", "1:1: the text is not UTF-8 but looks like UTF-16 or UTF-32 (convert it to UTF-8)"),
    ]

    @Test(arguments: cases)
    func isClear(_ text: String, _ description: String) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: text) }
        #expect(error?.description == description, "\(text)")
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], "1:2"), ([0x22, 0x41, 0xC0, 0xAF, 0x22], "1:3"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2"),
            ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2"), ([0x22, 0xE2, 0x82], "1:2"),
            ([0x22, 0xC3, 0xA9, 0x80, 0x22], "1:3"),
        ] as [([UInt8], String)]
    )
    func refusesWhatIsNotUTF8(_ bytes: [UInt8], _ place: String) {
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: bytes) }
        #expect(error?.description == "\(place): the bytes here are not UTF-8")
        #expect(error?.code == .invalidUTF8)
    }

    @Test func linesEndInThreeWays() {
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: "[\r\n1,\r2,\n\r\n  ?") }
        #expect(error?.line == 5)
        #expect(error?.column == 3)
        #expect(error?.offset == 13)
        #expect(error?.code == .unexpectedCharacter)
    }

    @Test func aSnippetShowsTheLineAround() throws {
        let long = String(repeating: "é", count: 100)
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: "[1,\n\"\(long)\" 2, \"\(long)\"]\n]") }
        #expect(error?.snippet == String(long.prefix(14)) + "\" 2, \"" + String(long.prefix(18)))
        #expect(error?.line == 2)
        let short = #expect(throws: JSONError.self) { try JSONDocument(parsing: "{\n  \"a\": nope\n}") }
        #expect(short?.snippet == "  \"a\": nope")
        #expect((try? JSONDocument(parsing: "")) == nil)
    }

    @Test func isPrintedAsCompilersDo() throws {
        let error = #expect(throws: JSONError.self) { try JSONDocument(parsing: "[1,]") }
        #expect(
            error?.diagnostic(file: "a.json") == """
                a.json:1:4: error: a value is missing: found "]"
                  hint: remove the comma before it
                """
        )
    }
}
