import SluiceJSON
import SluiceStreams
import Testing

@Suite struct LastTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"last": {}}]"#, gives: "--#")
        try expect("--|", #"[{"last": {}}]"#, gives: "--#")
        try expect("---", #"[{"last": {}}]"#, gives: "---")
        try expect("-1-|", #"[{"last": {}}]"#, gives: "", leaving: 3)
    }

    @Test func comesAtTheCompletion() throws { try expect("-1-2-|", #"[{"last": {}}]"#, gives: "-----(2|)") }

    @Test func aDefaultStandsInForNone() throws {
        try expect("--|", #"[{"last": {"default": 7}}]"#, gives: "--(7|)")
        try expect("-1|", #"[{"last": {"default": 7}}]"#, gives: "--(1|)")
        #expect(try failure(of: nil, #"[{"last": {}}]"#) == "operators[0].last: the stream completed without a value")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2).last().virtualEvents()) == ["0:2", "0|"])
        #expect(text(Flow<Int>.empty.last().virtualEvents()) == ["0# the stream completed without a value"])
        #expect(text(Flow<Int>.empty.last(default: 5).virtualEvents()) == ["0:5", "0|"])
    }

    @Test func isData() throws {
        try expect(.last(default: 0), isText: #"{"last":{"default":0}}"#)
    }
}
