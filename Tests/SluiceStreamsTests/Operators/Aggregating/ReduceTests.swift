import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ReduceTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"reduce": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "----#")
        try expect("--|", #"[{"reduce": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "--(0|)")
        try expect("---", #"[{"reduce": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"reduce": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "", leaving: 5)
    }

    @Test func withoutAnInitialValueTheFirstIsThat() throws {
        try expect("-3-2-|", #"[{"reduce": {"expression": "acc - x"}}]"#, gives: "-----(1|)")
        try expect("-3-|", #"[{"reduce": {"expression": "acc - x"}}]"#, gives: "---(3|)")
        try expect("--|", #"[{"reduce": {"expression": "acc - x"}}]"#, gives: "--|")
    }

    @Test func aNullIsAValue() throws {
        let operators = #"[{"reduce": {"initialValue": null, "expression": "acc == null ? x : acc + x"}}]"#
        try expect("-1-2-|", operators, gives: "-----(3|)")
        try expect("--|", operators, gives: "--('null'|)")
    }

    @Test func theStateStaysWhereAnItemFails() throws {
        let operators = #"[{"reduce": {"initialValue": 1, "expression": "acc + 4 / x", "onError": "drop"}}]"#
        try expect("-2-0-4-|", operators, gives: "-------(4|)")
        try expect("-2-0-4-|", #"[{"reduce": {"initialValue": 1, "expression": "acc + 4 / x"}}]"#, gives: "---#")
    }

    /// Each step nests the state in another list, map or optional; freeing a deep one would need as deep a stack.
    @Test(arguments: ["[acc]", "{'a': acc}", "optional.of(acc)", "[[[[acc]]]]"])
    func theStateStaysShallow(_ expression: String) throws {
        let operators =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, "#
            + #"{"reduce": {"initialValue": 0, "expression": "\#(expression)"}}]"#
        #expect(
            try failure(of: "0", operators)
                == "operators[1].reduce.expression: the value is nested more than \(JSONLimits.deepestValue) deep"
        )
        let dropping =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, "#
            + #"{"reduce": {"initialValue": 0, "expression": "\#(expression)", "onError": "drop"}}, {"count": {}}]"#
        #expect(try failure(of: "0", dropping) == nil)
    }

    /// Little memory, and two to the power of 2,000 values.
    @Test func theStateStaysSmall() throws {
        let operators =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, {"reduce": {"initialValue": 0, "expression": "[acc, acc]"}}]"#
        #expect(
            try failure(of: "0", operators)
                == "operators[1].reduce.expression: the value holds more than 1000000 others"
        )
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).reduce("") { $0 + "\($1)" }.virtualEvents()) == ["0:123", "0|"])
    }

    @Test func isData() throws {
        try expect(.reduce(0, "acc + x"), isText: #"{"reduce":{"initialValue":0,"expression":"acc + x"}}"#)
    }
}
