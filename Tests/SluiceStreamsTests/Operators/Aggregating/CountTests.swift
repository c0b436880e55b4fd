import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CountTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"count": {}}]"#, gives: "----#")
        try expect("--|", #"[{"count": {}}]"#, gives: "--(0|)")
        try expect("---", #"[{"count": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"count": {}}]"#, gives: "", leaving: 5)
    }

    @Test func isNative() { #expect(text(Flow.values("a", "b").count().virtualEvents()) == ["0:2", "0|"]) }

    @Test func isData() throws {
        try expect(.count, isText: #"{"count":{}}"#)
    }
}
