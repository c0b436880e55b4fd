import SluiceJSON
import SluiceStreams
import Testing

@Suite struct AllSatisfyTests {
    @Test func ends() throws {
        try expect("-2#", #"[{"allSatisfy": {"expression": "x > 1"}}]"#, gives: "--#")
        try expect("--|", #"[{"allSatisfy": {"expression": "x > 1"}}]"#, gives: "--('true'|)")
        try expect("---", #"[{"allSatisfy": {"expression": "x > 1"}}]"#, gives: "---")
        try expect("-2-1-|", #"[{"allSatisfy": {"expression": "x > 1"}}]"#, gives: "", leaving: 3)
    }

    @Test func leavesItsInput() throws {
        try expect("-2-1#", #"[{"every": {"expression": "x > 1"}}]"#, gives: "---('false'|)")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-0-1-|", #"[{"allSatisfy": {"expression": "4 / x > 1"}}]"#, gives: "-#")
        let operators = #"[{"allSatisfy": {"expression": "4 / x > 1", "onError": "drop"}}]"#
        try expect("-0-1-|", operators, gives: "-----('true'|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2).allSatisfy { $0 > 0 }.virtualEvents()) == ["0:true", "0|"])
        #expect(text(Flow.values(1, 2).allSatisfy { $0 > 1 }.virtualEvents()) == ["0:false", "0|"])
    }

    @Test func isData() throws {
        try expect(.allSatisfy("x > 1"), isText: #"{"allSatisfy":{"expression":"x > 1"}}"#)
    }
}
