import SluiceJSON
import SluiceStreams
import Testing

@Suite struct AverageTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"average": {}}]"#, gives: "----#")
        try expect("--|", #"[{"average": {}}]"#, gives: "--|")
        try expect("---", #"[{"average": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"average": {}}]"#, gives: "", leaving: 5)
    }

    @Test func isADouble() throws {
        try expect("-1-2-|", #"[{"average": {}}]"#, gives: "-----('1.5'|)")
        try expect("-2-4-|", #"[{"average": {}}, {"map": {"expression": "x / 2"}}]"#, gives: "-----('1.5'|)")
        try expect("-1-'2.5'-|", #"[{"average": {"expression": "x * 2"}}]"#, gives: "-----('3.5'|)")
    }

    @Test func whatIsNoNumberIsAnError() throws {
        #expect(
            try failure(of: "[1]", #"[{"average": {}}]"#) == "operators[0].average: expected a number, found list"
        )
        try expect("-1-'a'-3-|", #"[{"average": {"onError": "drop"}}]"#, gives: "-------(2|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2).average().virtualEvents()) == ["0:1.5", "0|"])
        #expect(text(Flow.values(0.5, 1).average().virtualEvents()) == ["0:0.75", "0|"])
        #expect(text(Flow<Double>.empty.average().virtualEvents()) == ["0|"])
    }

    @Test func isData() throws {
        try expect(.average(), isText: #"{"average":{}}"#)
    }
}
