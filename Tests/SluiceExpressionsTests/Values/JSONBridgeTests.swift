import SluiceExpressions
import SluiceJSON
import Testing

struct JSONBridgeTests {
    @Test(arguments: [
        ("null", "null"), (#"{"a":[1,2.0,"x",true,null],"b":{}}"#, #"{"a":[1,2.0,"x",true,null],"b":{}}"#),
        ("[1e2, -0.5, 1E-2]", "[100.0,-0.5,0.01]"), (#""é\n\"""#, #""é\n\"""#),
        ("9223372036854775807", "9223372036854775807"),
    ])
    func aDocumentBecomesAValueAndItsText(_ text: String, _ canonical: String) throws {
        let node = try JSONDocument(parsing: text).root
        let value = try CELValue(node)
        #expect(value == (try CELValue(JSON(parsing: text))))
        #expect(value == (try CELValue(parsing: text)))
        #expect(try value.jsonText() == canonical)
        #expect(try value.json().text() == canonical)
    }

    @Test(arguments: [
        (
            #"{"a": [1, 9223372036854775808]}"#,
            "1:11 at a[1]: the integer 9223372036854775808 does not fit into 64 bits with sign"
        ),
        (#"{"a": [1e999]}"#, "1:8 at a[0]: the number 1e999 is beyond the largest double"),
    ])
    func aNumberThatDoesNotFitHasItsPlace(_ text: String, _ message: String) throws {
        let node = try JSONDocument(parsing: text).root
        let error = #expect(throws: CELError.self) { try CELValue(node) }
        #expect(error?.issues.first?.message == message)
    }

    @Test func aDeepDocumentIsRefused() throws {
        let text = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let node = try JSONDocument(parsing: text, limits: JSONLimits(maximumDepth: 1000)).root
        let error = #expect(throws: CELError.self) { try CELValue(node) }
        #expect(error?.issues.first?.message == "1:513: more than 512 levels of nesting")
    }

    @Test func keysThatRepeatCountAsTheDocumentSays() throws {
        let text = #"{"a": 1, "b": 2, "a": 3, "a": 4}"#
        let first = try CELValue(JSONDocument(parsing: text, duplicateKeys: .firstWins).root)
        let last = try CELValue(JSONDocument(parsing: text, duplicateKeys: .lastWins).root)
        #expect(first == ["a": 1, "b": 2])
        #expect(last == ["a": 4, "b": 2])
    }

    @Test(arguments: [
        (
            "[duration('1.5s'), 0.0 / 0.0, type(1), 1u, 18446744073709551615u]",
            #"["1.5s","NaN","int",1,18446744073709551615]"#
        ),
        ("{1: 'a', true: optional.of(2), 'x': optional.none()}", #"{"1":"a","true":2,"x":null}"#),
        (
            "[timestamp(0), b'hi', ip('::1'), cidr('10.0.0.0/8')]",
            #"["1970-01-01T00:00:00Z","aGk=","::1","10.0.0.0/8"]"#
        ),
    ])
    func everyTypeHasItsText(_ text: String, _ expected: String) throws {
        let value = try CELExpression(text).evaluate()
        #expect(try value.jsonText() == expected)
        #expect(try value.json().text() == expected)
    }

    @Test func whatHasNoTextIsAnError() throws {
        let twice = try CELExpression("{1: 'a', '1': 'b'}").evaluate()
        let keys = #expect(throws: CELError.self) { try twice.jsonText() }
        #expect(keys?.issues.first?.message == #"two keys of a map have the text "1""#)
        let many = try CELExpression("lists.range(10)").evaluate()
        let count = #expect(throws: CELError.self) { try many.jsonText(maximumCount: 10) }
        #expect(count?.issues.first?.message == "the answer has too many values for JSON")
    }
}
