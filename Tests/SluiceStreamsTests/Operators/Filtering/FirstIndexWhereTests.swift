import SluiceJSON
import SluiceStreams
import Testing

@Suite struct FirstIndexWhereTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"firstIndexWhere": {"expression": "x > 1"}}]"#, gives: "--#")
        try expect("--|", #"[{"firstIndexWhere": {"expression": "x > 1"}}]"#, gives: "--('-1'|)")
        try expect("---", #"[{"firstIndexWhere": {"expression": "x > 1"}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"firstIndexWhere": {"expression": "x > 1"}}]"#, gives: "", leaving: 3)
    }

    @Test func leavesItsInput() throws {
        try expect("-1-2#", #"[{"findIndex": {"expression": "x > 1"}}]"#, gives: "---(1|)")
    }

    @Test func whatFailsHasItsIndex() throws {
        try expect("-0-1-|", #"[{"firstIndexWhere": {"expression": "4 / x > 1"}}]"#, gives: "-#")
        let operators = #"[{"firstIndexWhere": {"expression": "4 / x > 1", "onError": "drop"}}]"#
        try expect("-0-1-|", operators, gives: "---(1|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values("a", "b").firstIndex { $0 == "b" }.virtualEvents()) == ["0:1", "0|"])
        #expect(text(Flow<Int>.empty.firstIndex { $0 == 1 }.virtualEvents()) == ["0:-1", "0|"])
    }

    @Test func isData() throws {
        try expect(.firstIndexWhere("x > 1"), isText: #"{"firstIndexWhere":{"expression":"x > 1"}}"#)
    }
}
