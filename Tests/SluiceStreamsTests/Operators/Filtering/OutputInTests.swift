import SluiceJSON
import SluiceStreams
import Testing

@Suite struct OutputInTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"outputIn": {"from": 1, "count": 2}}]"#, gives: "---2#")
        try expect("--|", #"[{"outputIn": {"from": 1, "count": 2}}]"#, gives: "--|")
        try expect("---", #"[{"outputIn": {"from": 1, "count": 2}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"outputIn": {"from": 1, "count": 2}}]"#, gives: "---2", leaving: 5)
    }

    @Test func completesWithTheLast() throws {
        try expect("-1-2-3#", #"[{"outputIn": {"from": 1, "count": 1}}]"#, gives: "---(2|)")
        try expect("-1-2-3-|", #"[{"outputIn": {"from": 2}}]"#, gives: "-----3-|")
        try expect("-1-|", #"[{"outputIn": {"from": 0, "count": 0}}]"#, gives: "|")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3, 4).output(in: 1..<3).virtualEvents()) == ["0:2", "0:3", "0|"])
        #expect(text(Flow.values(1).output(in: 0..<0).virtualEvents()) == ["0|"])
    }

    @Test func isData() throws {
        try expect(.outputIn(from: 1, count: 2), isText: #"{"outputIn":{"from":1,"count":2}}"#)
        try expect(.outputIn(from: 1), isText: #"{"outputIn":{"from":1}}"#)
    }
}
