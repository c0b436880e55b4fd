import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ContainsWhereTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"containsWhere": {"expression": "x > 1"}}]"#, gives: "--#")
        try expect("--|", #"[{"containsWhere": {"expression": "x > 1"}}]"#, gives: "--('false'|)")
        try expect("---", #"[{"containsWhere": {"expression": "x > 1"}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"containsWhere": {"expression": "x > 1"}}]"#, gives: "", leaving: 3)
    }

    @Test func leavesItsInput() throws {
        try expect("-1-2#", #"[{"some": {"expression": "x > 1"}}]"#, gives: "---('true'|)")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-0-1-|", #"[{"containsWhere": {"expression": "4 / x > 1"}}]"#, gives: "-#")
        let operators = #"[{"containsWhere": {"expression": "4 / x > 1", "onError": "drop"}}]"#
        try expect("-0-1-|", operators, gives: "---('true'|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2).contains { $0 > 1 }.virtualEvents()) == ["0:true", "0|"])
        #expect(text(Flow.values(1, 2).contains { $0 > 2 }.virtualEvents()) == ["0:false", "0|"])
    }

    @Test func isData() throws {
        try expect(.containsWhere("x > 1"), isText: #"{"containsWhere":{"expression":"x > 1"}}"#)
    }
}
