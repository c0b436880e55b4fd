import SluiceJSON
import SluiceStreams
import Testing

@Suite struct LastWhereTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"lastWhere": {"expression": "x < 3"}}]"#, gives: "--#")
        try expect("--|", #"[{"lastWhere": {"expression": "x < 3"}}]"#, gives: "--#")
        try expect("---", #"[{"lastWhere": {"expression": "x < 3"}}]"#, gives: "---")
        try expect("-1-|", #"[{"lastWhere": {"expression": "x < 3"}}]"#, gives: "", leaving: 3)
    }

    @Test func comesAtTheCompletion() throws {
        try expect("-1-2-3-|", #"[{"lastWhere": {"expression": "x < 3"}}]"#, gives: "-------(2|)")
    }

    @Test func aDefaultStandsInForNone() throws {
        try expect("-5|", #"[{"lastWhere": {"expression": "x < 3", "default": 0}}]"#, gives: "--(0|)")
        #expect(
            try failure(of: "5", #"[{"lastWhere": {"expression": "x < 3"}}]"#)
                == "operators[0].lastWhere: the stream completed without a value that is looked for"
        )
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-|", #"[{"lastWhere": {"expression": "4 / x > 1"}}]"#, gives: "---#")
        try expect("-1-0-|", #"[{"lastWhere": {"expression": "4 / x > 1", "onError": "drop"}}]"#, gives: "-----(1|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).last { $0 < 3 }.virtualEvents()) == ["0:2", "0|"])
        #expect(text(Flow.values(5).last(default: 9) { $0 < 3 }.virtualEvents()) == ["0:9", "0|"])
    }

    @Test func isData() throws {
        try expect(
            .lastWhere("x > 1", onError: .drop),
            isText: #"{"lastWhere":{"expression":"x > 1","onError":"drop"}}"#
        )
    }
}
