import SluiceJSON
import SluiceStreams
import Testing

@Suite struct IgnoreOutputTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"ignoreOutput": {}}]"#, gives: "--#")
        try expect("--|", #"[{"ignoreOutput": {}}]"#, gives: "--|")
        try expect("---", #"[{"ignoreOutput": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"ignoreOutput": {}}]"#, gives: "", leaving: 3)
    }

    @Test func isNative() { #expect(text(Flow.values(1, 2).ignoreOutput().virtualEvents()) == ["0|"]) }

    @Test func isData() throws {
        try expect(.ignoreOutput, isText: #"{"ignoreOutput":{}}"#)
    }
}
