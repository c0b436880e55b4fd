import SluiceJSON
import SluiceStreams
import Testing

@Suite struct FirstTests {
    @Test func ends() throws {
        try expect("-#", #"[{"first": {}}]"#, gives: "-#")
        try expect("--|", #"[{"first": {}}]"#, gives: "--#")
        try expect("---", #"[{"first": {}}]"#, gives: "---")
        try expect("--1-|", #"[{"first": {}}]"#, gives: "", leaving: 2)
    }

    @Test func leavesItsInput() throws { try expect("-1#", #"[{"first": {}}]"#, gives: "-(1|)") }

    @Test func aDefaultStandsInForNone() throws {
        try expect("--|", #"[{"first": {"default": 7}}]"#, gives: "--(7|)")
        try expect("--|", #"[{"first": {"default": null}}]"#, gives: "--('null'|)")
        try expect("-1-|", #"[{"first": {"default": 7}}]"#, gives: "-(1|)")
        try expect("--#", #"[{"first": {"default": 7}}]"#, gives: "--#")
        #expect(
            try failure(of: nil, #"[{"first": {}}]"#) == "operators[0].first: the stream completed without a value"
        )
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2).first().virtualEvents()) == ["0:1", "0|"])
        #expect(text(Flow<Int>.empty.first().virtualEvents()) == ["0# the stream completed without a value"])
        #expect(text(Flow<Int>.empty.first(default: 5).virtualEvents()) == ["0:5", "0|"])
    }

    @Test func isData() throws {
        try expect(.first(), isText: #"{"first":{}}"#)
        try expect(.first(default: nil as JSON), isText: #"{"first":{"default":null}}"#)
    }
}
