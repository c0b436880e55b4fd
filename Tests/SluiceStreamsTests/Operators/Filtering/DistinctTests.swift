import SluiceJSON
import SluiceStreams
import Testing

@Suite struct DistinctTests {
    @Test func ends() throws {
        try expect("-1-1#", #"[{"distinct": {}}]"#, gives: "-1--#")
        try expect("--|", #"[{"distinct": {}}]"#, gives: "--|")
        try expect("---", #"[{"distinct": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"distinct": {}}]"#, gives: "-1", leaving: 3)
    }

    @Test func equalIsAsInExpressions() throws {
        let items = #"-1-'{"a": 1, "b": [2]}'-'1.0'-'"1"'-'{"b": [2.0], "a": 1}'-'null'-'0'-'-0.0'-'false'-|"#
        let kept = #"-1-'{"a": 1, "b": [2]}'---'"1"'---'null'-'0'---'false'-|"#
        try expect(items, #"[{"distinct": {}}]"#, gives: kept)
    }

    /// 2^53 and 2^53 + 1 differ, and the double between them equals both.
    @Test func largeNumbersAreAsInExpressions() throws {
        let (even, odd, double) = ("'9007199254740992'", "'9007199254740993'", "'9007199254740992.0'")
        try expect("\(even) \(odd) \(double)|", #"[{"distinct": {}}]"#, gives: "\(even) \(odd)-|")
        try expect("\(double) \(odd) \(even)|", #"[{"distinct": {}}]"#, gives: "\(double)--|")
    }

    @Test func nanEqualsNothing() throws {
        let operators =
            #"[{"map": {"expression": "x == 1 ? 0.0 / 0.0 : double(x)"}}, {"distinct": {"limit": 1}}, {"count": {}}]"#
        try expect("-1-1-1-2-2-|", operators, gives: "-----------(4|)")
    }

    @Test func aKeyIsComparedInPlaceOfTheValue() throws {
        try expect("-1-3-4-6-5-|", #"[{"distinct": {"expression": "x % 2"}}]"#, gives: "-1---4-----|")
    }

    @Test func aFullMemoryFailsOrForgets() throws {
        try expect("-1-2-1-3-|", #"[{"distinct": {"limit": 2}}]"#, gives: "-1-2---#")
        #expect(
            try failure(of: "[1, 2]", #"[{"flatMap": {"to": {"values": [1, 2]}}}, {"distinct": {"limit": 1}}]"#)
                == "operators[1].distinct: distinct remembers 1 values already; raise its limit or let it drop the oldest"
        )
        let operators = #"[{"distinct": {"limit": 2, "whenFull": "dropOldest"}}]"#
        try expect("-1-2-2-3-2-1-|", operators, gives: "-1-2---3---1-|")
    }

    @Test func theLimitOfTheRunHoldsToo() {
        let limits = StreamLimits(heldItems: 10)
        let events = text(Flow.range(0..<20).distinct().virtualEvents(limits: limits))
        #expect(events.count == 11)
        #expect(events.last == "0# operators hold back more than 10 items")
        let forgetting = Flow.range(0..<20).distinct(limit: 10, whenFull: .dropOldest)
        #expect(text(forgetting.virtualEvents(limits: limits)).last == "0|")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-2-|", #"[{"distinct": {"expression": "4 / x"}}]"#, gives: "-1-#")
        try expect("-1-0-2-|", #"[{"distinct": {"expression": "4 / x", "onError": "drop"}}]"#, gives: "-1---2-|")
    }

    @Test func whatIsTooLargeIsNotCompared() throws {
        let pairs = Array(repeating: #"{"pairwise": {}}"#, count: 24).joined(separator: ", ")
        let operators = #"[{"flatMap": {"to": {"range": {"count": 30}}}}, \#(pairs), {"distinct": {}}]"#
        #expect(
            try failure(of: "0", operators) == "operators[25].distinct: the value holds more than 1000000 others"
        )
    }

    @Test func isNative() {
        #expect(Flow.values(1, 2, 1, 3).distinct().virtualEvents().compactMap(\.value) == [1, 2, 3])
        #expect(Flow.values("a", "bb", "c").distinct(by: \.count).virtualEvents().compactMap(\.value) == ["a", "bb"])
    }

    @Test func isData() throws {
        try expect(.distinct(), isText: #"{"distinct":{}}"#)
        try expect(
            .distinct("x.id", limit: 9, whenFull: .dropOldest),
            isText: #"{"distinct":{"expression":"x.id","limit":9,"whenFull":"dropOldest"}}"#
        )
    }
}
