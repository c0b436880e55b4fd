import SluiceJSON
import SluiceStreams
import Testing

@Suite struct SuffixTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"suffix": {"count": 2}}]"#, gives: "----#")
        try expect("--|", #"[{"suffix": {"count": 2}}]"#, gives: "--|")
        try expect("---", #"[{"suffix": {"count": 2}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"suffix": {"count": 2}}]"#, gives: "", leaving: 5)
    }

    @Test func comesAtTheCompletion() throws {
        try expect("-1-2-3-|", #"[{"takeLast": {"count": 2}}]"#, gives: "-------(23|)")
        try expect("-1-|", #"[{"takeLast": {"count": 2}}]"#, gives: "---(1|)")
        try expect("#", #"[{"takeLast": {"count": 0}}]"#, gives: "|")
    }

    @Test func whoHasEnoughGetsNoMore() throws {
        try expect("-1-2-|", #"[{"suffix": {"count": 2}}, {"prefix": {"count": 1}}]"#, gives: "-----(1|)")
    }

    @Test func whatItHoldsIsCounted() {
        let limits = StreamLimits(heldItems: 10)
        #expect(
            text(Flow.range(0..<12).suffix(11).virtualEvents(limits: limits))
                == ["0# operators hold back more than 10 items"]
        )
        #expect(text(Flow.range(0..<99).suffix(2).virtualEvents(limits: limits)) == ["0:97", "0:98", "0|"])
    }

    @Test func isData() throws {
        try expect(.suffix(2), isText: #"{"suffix":{"count":2}}"#)
    }
}
