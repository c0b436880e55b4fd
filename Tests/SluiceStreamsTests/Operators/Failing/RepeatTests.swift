import SluiceStreams
import Testing

@Suite struct RepeatTests {
    @Test func subscribesAgain() throws {
        try expect("-1|", #"[{"repeat": {"count": 3}}]"#, gives: "-1-1-1|")
        try expect("-1|", #"[{"repeat": {"count": 1}}]"#, gives: "-1|")
        try expect("-1|", #"[{"repeat": {"count": 0}}]"#, gives: "|")
        try expect("-1|", #"[{"repeat": {}}]"#, gives: "-1-1-1-", leaving: 7)
        try expect("-1|", #"[{"repeat": {"seconds": 2}}]"#, gives: "-1---1-", leaving: 7)
    }

    @Test func otherEnds() throws {
        try expect("-1#", #"[{"repeat": {"count": 3}}]"#, gives: "-1#")
        try expect("|", #"[{"repeat": {"count": 3}}]"#, gives: "|")
        try expect("|", #"[{"repeat": {"count": 3, "seconds": 1}}]"#, gives: "--|")
        try expect("-", #"[{"repeat": {"count": 3}}]"#, gives: "-", leaving: 9)
    }

    /// The operators above begin afresh.
    @Test func stateBeginsAfresh() throws {
        try expect("12|", #"[{"scan": {"expression": "acc + x"}}, {"repeat": {"count": 2}}]"#, gives: "1313|")
    }

    @Test func native() {
        #expect(text(Flow.values(1, 2).repeat(2).virtualEvents()) == ["0:1", "0:2", "0:1", "0:2", "0|"])
        #expect(text(Flow.values(1).repeat(-1).virtualEvents()) == ["0|"])
        let second = Duration.seconds(1)
        #expect(text(Flow.values(1).repeat(2, delay: second).virtualEvents()) == ["0:1", "1:1", "1|"])
    }
}
