import SluiceJSON
import SluiceStreams
import Testing

@Suite struct DecodeTests {
    @Test func ends() throws {
        try expect("-'aGk='#", #"[{"decode": {"format": "base64"}}]"#, gives: "-'hi'#")
        try expect("--|", #"[{"decode": {"format": "base64"}}]"#, gives: "--|")
        try expect("---", #"[{"decode": {"format": "base64"}}]"#, gives: "---")
        try expect("-'aGk='-'aG8='-|", #"[{"decode": {"format": "base64"}}]"#, gives: "-'hi'", leaving: 3)
    }

    @Test func whatWasEncodedComesBack() throws {
        for format in ["json", "base64"] {
            let operators = #"[{"encode": {"format": "\#(format)"}}, {"decode": {"format": "\#(format)"}}]"#
            #expect(try output(of: #""a \"b\" é""#, operators) == #"a "b" é"#)
        }
        let operators = #"[{"encode": {"format": "json"}}, {"decode": {"format": "json"}}]"#
        #expect(try output(of: #"{"a": [1, 2.5, null, true]}"#, operators) == ["a": [1, 2.5, nil, true]])
    }

    @Test func paddingMayBeLeftOut() throws {
        #expect(try output(of: #""aGk""#, #"[{"decode": {"format": "base64"}}]"#) == "hi")
    }

    @Test(arguments: [
        ("json", "1", "expected a string, found int"),
        ("json", #""[1""#, "the string isn't JSON: "),
        ("json", #""99999999999999999999""#, "the integer 99999999999999999999 does not fit into 64 bits with sign"),
        ("base64", "null", "expected a string, found null_type"),
        ("base64", #""a b!""#, "the string isn't base64"),
        ("base64", #""/w==""#, "the base64 is of no UTF-8; for bytes map with base64.decode(x)"),
    ])
    func whatIsNoTextOfTheFormatIsAnError(_ format: String, _ value: String, _ message: String) throws {
        let found = try failure(of: value, #"[{"decode": {"format": "\#(format)"}}]"#)
        #expect(found?.hasPrefix("operators[0].decode: " + message) == true, "\(found ?? "")")
        let operators = #"[{"decode": {"format": "\#(format)", "onError": "drop"}}]"#
        #expect(try failure(of: value, operators) == nil)
    }

    @Test func deepTextIsAnError() throws {
        let deep =
            #"[{"map": {"expression": "\"[[[[[[[[[[[[[[[[\".replace(\"[\", \"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\")"}}, {"decode": {"format": "json"}}]"#
        #expect(try failure(of: "1", deep)?.hasPrefix("operators[1].decode: the string isn't JSON: ") == true)
    }

    @Test func isData() throws {
        try expect(.decode(.json, onError: .report), isText: #"{"decode":{"format":"json","onError":"report"}}"#)
    }
}
