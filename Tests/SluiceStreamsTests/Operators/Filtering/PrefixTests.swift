import SluiceJSON
import SluiceStreams
import Testing

@Suite struct PrefixTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"prefix": {"count": 2}}]"#, gives: "-1#")
        try expect("--|", #"[{"prefix": {"count": 2}}]"#, gives: "--|")
        try expect("---", #"[{"prefix": {"count": 2}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"prefix": {"count": 2}}]"#, gives: "-1", leaving: 3)
    }

    @Test func completesWithTheLast() throws {
        try expect("-1-2#", #"[{"take": {"count": 2}}]"#, gives: "-1-(2|)")
        try expect("-1-|", #"[{"take": {"count": 2}}]"#, gives: "-1-|")
        try expect("#", #"[{"prefix": {"count": 0}}]"#, gives: "|")
    }

    @Test func aMillionAreLeftAtOnce() {
        #expect(text(Flow.range(0..<1_000_000).prefix(2).virtualEvents()) == ["0:0", "0:1", "0|"])
    }

    @Test func isData() throws {
        try expect(.prefix(2), isText: #"{"prefix":{"count":2}}"#)
    }
}
