import SluiceStreams
import Testing

struct CollectByTimeTests {
    static let collect = #"[{"collectByTime": {"seconds": 3}}]"#
    static let counted = #"[{"collectByTime": {"seconds": 3, "count": 2}}]"#

    @Test func anArrayForEachSpan() throws {
        try expect("12-------3|", Self.collect, gives: "---'[1,2]'--'[]'--'[3]' ('[]'|)")
    }

    @Test func aFullSpanEndsEarly() throws {
        try expect("1-2-3---|", Self.counted, gives: "--'[1,2]'--'[3]'--('[]'|)")
        try expect("(123)---|", Self.counted, gives: "'[1,2]'--'[3]'--'[]'-('[]'|)")
    }

    @Test func anErrorDropsTheSpan() throws { try expect("12#", Self.collect, gives: "--#") }

    @Test func emptyAndNever() throws {
        try expect("|", Self.collect, gives: "('[]'|)")
        try expect("-", Self.collect, gives: "---'[]'--'[]'", leaving: 9)
    }

    @Test func leaving() throws {
        try expect("12---3", Self.collect, gives: "---'[1,2]'", leaving: 6)
        try expect("12---3", #"[{"collectByTime": {"seconds": 3}}, {"prefix": {"count": 1}}]"#, gives: "---('[1,2]'|)")
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        #expect(
            text(Flow.values(1, 2, 3).collect(every: second, count: 2).virtualEvents()) == ["0:[1, 2]", "0:[3]", "0|"]
        )
    }

    @Test func whatIsCollectedIsLimited() throws {
        let second = Duration.seconds(1)
        let flow = Flow.values(contentsOf: Array(0..<11)).collect(every: second)
        let events = text(flow.virtualEvents(limits: StreamLimits(heldItems: 10)))
        #expect(events == ["0# operators hold back more than 10 items"])
    }
}
