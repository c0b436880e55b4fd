import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CollectTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"collect": {}}]"#, gives: "----#")
        try expect("--|", #"[{"collect": {}}]"#, gives: "--('[]'|)")
        try expect("---", #"[{"collect": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"collect": {}}]"#, gives: "", leaving: 5)
    }

    @Test func endsByCount() throws {
        try expect("-1-2-3#", #"[{"collect": {"count": 2}}]"#, gives: "---'[1, 2]'--#")
        try expect("--|", #"[{"collect": {"count": 2}}]"#, gives: "--|")
        try expect("---", #"[{"collect": {"count": 2}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"collect": {"count": 2}}]"#, gives: "---'[1, 2]'", leaving: 5)
    }

    @Test func listsMayOverlap() throws {
        let operators = #"[{"bufferCount": {"count": 3, "every": 2}}]"#
        try expect("-1-2-3-4-5-6-|", operators, gives: "-----'[1,2,3]'---'[3,4,5]'---('[5,6]'|)")
        try expect(
            "-1-2-3-|",
            #"[{"bufferCount": {"count": 3, "every": 1}}]"#,
            gives: "-----'[1,2,3]'-('[2,3]' '[3]'|)"
        )
    }

    @Test func valuesMayBeInNone() throws {
        let operators = #"[{"bufferCount": {"count": 2, "every": 3}}]"#
        try expect("-1-2-3-4-5-6-|", operators, gives: "---'[1,2]'-----'[4,5]'---|")
        try expect("-1-2-3-4-|", operators, gives: "---'[1,2]'-----('[4]'|)")
    }

    @Test func whoHasEnoughGetsNoMore() throws {
        let operators = #"[{"collect": {"count": 3, "every": 1}}, {"prefix": {"count": 1}}]"#
        try expect("-1-2-|", operators, gives: "-----('[1,2]'|)")
    }

    @Test func everyNeedsACount() {
        #expect(
            errors(#"[{"collect": {"every": 2}}]"#)
                == ["operators[0].collect.every: collect begins a list every so often where it has a count"]
        )
    }

    @Test func whatItHoldsIsCounted() {
        let limits = StreamLimits(heldItems: 10)
        let held = ["0# operators hold back more than 10 items"]
        #expect(text(Flow.range(0..<11).collect().virtualEvents(limits: limits)) == held)
        #expect(text(Flow.range(0..<11).collect(11).virtualEvents(limits: limits)) == held)
        #expect(text(Flow.range(0..<30).collect(10).virtualEvents(limits: limits)).count == 4)
    }

    /// A list of 2,000 at each of 2,000 items would be 4 million copies; they count as 42,000 events.
    @Test func overlappingListsCost() {
        let flow = Flow.range(0..<4000).collect(2000, every: 1).ignoreOutput()
        #expect(
            text(flow.virtualEvents(limits: StreamLimits(eventsPerInstant: 40_000)))
                == ["0# more than 40000 events at one instant: does something repeat without a delay?"]
        )
    }

    @Test func isNative() {
        #expect(Flow.values(1, 2, 3).collect().virtualEvents().compactMap(\.value) == [[1, 2, 3]])
        #expect(Flow.values(1, 2, 3).collect(2).virtualEvents().compactMap(\.value) == [[1, 2], [3]])
        #expect(Flow.values(1, 2, 3).collect(1, every: 2).virtualEvents().compactMap(\.value) == [[1], [3]])
    }

    @Test func isData() throws {
        try expect(.collect, isText: #"{"collect":{}}"#)
        try expect(.collect(3, every: 2), isText: #"{"collect":{"count":3,"every":2}}"#)
    }
}
