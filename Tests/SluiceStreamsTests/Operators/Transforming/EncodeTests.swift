import SluiceJSON
import SluiceStreams
import Testing

@Suite struct EncodeTests {
    @Test func ends() throws {
        try expect("-'hi'#", #"[{"encode": {"format": "base64"}}]"#, gives: "-'aGk='#")
        try expect("--|", #"[{"encode": {"format": "base64"}}]"#, gives: "--|")
        try expect("---", #"[{"encode": {"format": "base64"}}]"#, gives: "---")
        try expect("-'hi'-'ho'-|", #"[{"encode": {"format": "base64"}}]"#, gives: "-'aGk='", leaving: 3)
    }

    @Test(arguments: [
        (#"{"b": [1, 2.5, null], "a": "x"}"#, #"{"b":[1,2.5,null],"a":"x"}"#), ("5", "5"), (#""5""#, #""5""#),
        ("true", "true"),
    ])
    func jsonIsText(_ value: String, _ text: String) throws {
        #expect(try output(of: value, #"[{"encode": {"format": "json"}}]"#) == .string(text))
    }

    @Test func bytesHaveBase64() throws {
        let operators = #"[{"map": {"expression": "bytes(x)"}}, {"encode": {"format": "base64"}}]"#
        #expect(try output(of: #""é""#, operators) == "w6k=")
    }

    @Test func anErrorGoesItsRoute() throws {
        #expect(
            try failure(of: "1", #"[{"encode": {"format": "base64"}}]"#)
                == "operators[0].encode: base64 is of a string or of bytes, found int"
        )
        try expect("-1-'a'-|", #"[{"encode": {"format": "base64", "onError": "drop"}}]"#, gives: "---'YQ=='-|")
    }

    @Test func theFormatIsKnown() {
        #expect(
            errors(#"[{"encode": {"format": "xml"}}]"#)
                == [#"operators[0].encode.format: "xml" is not allowed here (one of: json, base64)"#]
        )
    }

    @Test func isData() throws {
        try expect(.encode(.base64), isText: #"{"encode":{"format":"base64"}}"#)
    }
}
