import SluiceStreams
import Testing

@Suite struct RetryTests {
    @Test func subscribesAgain() throws {
        try expect("-1#", #"[{"retry": {"count": 2}}]"#, gives: "-1-1-1#")
        try expect("-1#", #"[{"retry": {"count": 0}}]"#, gives: "-1#")
        try expect("-1#", #"[{"retry": {"count": 1, "seconds": 2}}]"#, gives: "-1---1#")
        try expect("-1#", #"[{"retry": {"count": 9, "seconds": 2}}]"#, gives: "-1---1", leaving: 6)
    }

    @Test func aValueSetsTheCountBack() throws {
        let json = #"[{"retry": {"count": 1, "resetOnSuccess": true}}, {"prefix": {"count": 3}}]"#
        try expect("-1#", json, gives: "-1-1-(1|)")
        try expect("-#", json, gives: "--#")
    }

    @Test func otherEnds() throws {
        try expect("-1|", #"[{"retry": {"count": 2}}]"#, gives: "-1|")
        try expect("|", #"[{"retry": {"count": 2}}]"#, gives: "|")
        try expect("-", #"[{"retry": {"count": 2}}]"#, gives: "-", leaving: 9)
    }

    /// A hot source that has failed fails for all later subscribers.
    @Test func aHotSourceStaysFailed() throws { try expect("^1#", #"[{"retry": {"count": 3}}]"#, gives: "-1#") }

    @Test func native() {
        let flow = Flow.values(1).append(.fail(StreamError(message: "x"))).retry(1)
        #expect(text(flow.virtualEvents()) == ["0:1", "0:1", "0# x"])
    }
}
