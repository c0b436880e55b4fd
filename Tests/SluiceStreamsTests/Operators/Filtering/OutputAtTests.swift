import SluiceJSON
import SluiceStreams
import Testing

@Suite struct OutputAtTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"outputAt": {"index": 1}}]"#, gives: "--#")
        try expect("--|", #"[{"outputAt": {"index": 1}}]"#, gives: "--#")
        try expect("---", #"[{"outputAt": {"index": 1}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"outputAt": {"index": 1}}]"#, gives: "", leaving: 3)
    }

    @Test func leavesItsInput() throws {
        try expect("-1-2#", #"[{"elementAt": {"index": 1}}]"#, gives: "---(2|)")
        try expect("-1-2#", #"[{"elementAt": {"index": 0}}]"#, gives: "-(1|)")
    }

    @Test func aDefaultStandsInForNone() throws {
        try expect("-1-|", #"[{"outputAt": {"index": 1, "default": 7}}]"#, gives: "---(7|)")
        #expect(
            try failure(of: "1", #"[{"outputAt": {"index": 3}}]"#)
                == "operators[0].outputAt: the stream has no value at index 3"
        )
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).output(at: 1).virtualEvents()) == ["0:2", "0|"])
        #expect(text(Flow.values(1).output(at: 1, default: 0).virtualEvents()) == ["0:0", "0|"])
        #expect(
            text(Flow.values(1).output(at: 1).virtualEvents())
                == ["0# the stream completed without a value that is looked for"]
        )
    }

    @Test func isData() throws {
        try expect(.outputAt(2, default: "none"), isText: #"{"outputAt":{"index":2,"default":"none"}}"#)
    }
}
