import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ScanTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"scan": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "-1-3#")
        try expect("--|", #"[{"scan": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "--|")
        try expect("---", #"[{"scan": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"scan": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "-1-3", leaving: 5)
    }

    @Test func withoutAnInitialValueTheFirstPassesAsItIs() throws {
        try expect("-2-3-|", #"[{"scan": {"expression": "acc * x"}}]"#, gives: "-2-6-|")
        try expect("--|", #"[{"scan": {"expression": "acc * x"}}]"#, gives: "--|")
    }

    @Test func theStateStaysWhereAnItemFails() throws {
        let operators = #"[{"scan": {"initialValue": 1, "expression": "acc + 4 / x", "onError": "drop"}}]"#
        try expect("-2-0-4-|", operators, gives: "-3---4-|")
    }

    /// The first item is an int, the second makes the state a double.
    @Test func theStateMayChangeItsType() throws {
        try expect("-1-'1.5'-|", #"[{"scan": {"initialValue": 0, "expression": "acc + x"}}]"#, gives: "-1-'2.5'-|")
    }

    @Test func eachSubscriptionBeginsAfresh() throws {
        let operators = #"[{"scan": {"initialValue": 0, "expression": "acc + x"}}, {"retry": {"count": 1}}]"#
        try expect("-1-2#", operators, gives: "-1-3-1-3#")
    }

    /// Each step nests the state in another list, map or optional; freeing a deep one would need as deep a stack.
    @Test(arguments: ["[acc]", "{'a': acc}", "optional.of(acc)", "[[[[acc]]]]"])
    func theStateStaysShallow(_ expression: String) throws {
        let operators =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, "#
            + #"{"scan": {"initialValue": 0, "expression": "\#(expression)"}}]"#
        #expect(
            try failure(of: "0", operators)
                == "operators[1].scan.expression: the value is nested more than \(JSONLimits.deepestValue) deep"
        )
        let dropping =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, "#
            + #"{"scan": {"initialValue": 0, "expression": "\#(expression)", "onError": "drop"}}, {"count": {}}]"#
        #expect(try failure(of: "0", dropping) == nil)
    }

    /// Little memory, and two to the power of 2,000 values.
    @Test func theStateStaysSmall() throws {
        let operators =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, {"scan": {"initialValue": 0, "expression": "[acc, acc]"}}]"#
        #expect(
            try failure(of: "0", operators) == "operators[1].scan.expression: the value holds more than 1000000 others"
        )
    }

    @Test func isNative() {
        let flow = Flow.values(1, 2, 3).scan("") { $0 + "\($1)" }
        #expect(flow.virtualEvents().compactMap(\.value) == ["1", "12", "123"])
    }

    @Test func isData() throws {
        try expect(.scan(nil, "acc + x"), isText: #"{"scan":{"expression":"acc + x"}}"#)
        try expect(
            .scan(0, "acc + x", onError: .report),
            isText: #"{"scan":{"initialValue":0,"expression":"acc + x","onError":"report"}}"#
        )
    }
}
