import SluiceJSON
import SluiceStreams
import Testing

@Suite struct DropLastTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"dropLast": {"count": 1}}]"#, gives: "---1#")
        try expect("--|", #"[{"dropLast": {"count": 1}}]"#, gives: "--|")
        try expect("---", #"[{"dropLast": {"count": 1}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"dropLast": {"count": 1}}]"#, gives: "---1", leaving: 5)
    }

    @Test func countsToOneWhereNothingIsSaid() throws {
        try expect("-1-2-|", #"[{"skipLast": {}}]"#, gives: "---1-|")
        try expect("-1-2-|", #"[{"skipLast": {"count": 0}}]"#, gives: "-1-2-|")
        try expect("-1-2-|", #"[{"skipLast": {"count": 9}}]"#, gives: "-----|")
    }

    @Test func whatItHoldsIsCounted() {
        let limits = StreamLimits(heldItems: 10)
        let events = text(Flow.range(0..<12).dropLast(11).virtualEvents(limits: limits))
        #expect(events == ["0# operators hold back more than 10 items"])
        #expect(text(Flow.range(0..<12).dropLast(10).virtualEvents(limits: limits)) == ["0:0", "0:1", "0|"])
    }

    @Test func isData() throws {
        try expect(.dropLast(2), isText: #"{"dropLast":{"count":2}}"#)
    }
}
