import SluiceJSON
import SluiceStreams
import Testing

@Suite struct FirstWhereTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"firstWhere": {"expression": "x > 1"}}]"#, gives: "--#")
        try expect("--|", #"[{"firstWhere": {"expression": "x > 1"}}]"#, gives: "--#")
        try expect("---", #"[{"firstWhere": {"expression": "x > 1"}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"firstWhere": {"expression": "x > 1"}}]"#, gives: "", leaving: 3)
    }

    @Test func leavesItsInput() throws {
        try expect("-1-2#", #"[{"find": {"expression": "i == 1"}}]"#, gives: "---(2|)")
    }

    @Test func aDefaultStandsInForNone() throws {
        try expect("-1-|", #"[{"firstWhere": {"expression": "x > 1", "default": null}}]"#, gives: "---('null'|)")
        #expect(
            try failure(of: "1", #"[{"firstWhere": {"expression": "x > 1"}}]"#)
                == "operators[0].firstWhere: the stream completed without a value that is looked for"
        )
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-0-1-|", #"[{"firstWhere": {"expression": "4 / x > 1"}}]"#, gives: "-#")
        try expect("-0-1-|", #"[{"firstWhere": {"expression": "4 / x > 1", "onError": "drop"}}]"#, gives: "---(1|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).first { $0 > 1 }.virtualEvents()) == ["0:2", "0|"])
        #expect(text(Flow.values(1).first(default: 9) { $0 > 1 }.virtualEvents()) == ["0:9", "0|"])
        #expect(
            text(Flow.values(1).first { $0 > 1 }.virtualEvents())
                == ["0# the stream completed without a value that is looked for"]
        )
    }

    @Test func isData() throws {
        try expect(.firstWhere("x > 1", default: 0), isText: #"{"firstWhere":{"expression":"x > 1","default":0}}"#)
    }
}
