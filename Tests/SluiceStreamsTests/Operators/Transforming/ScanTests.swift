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

    /// A list to which each step appends is the same value for everything that holds an earlier one.
    @Test(arguments: ["scan", "reduce"]) func aListThatGrowsChangesNoEarlierOne(_ name: String) throws {
        let operators =
            #"[{"\#(name)": {"initialValue": [9], "expression": "acc + [x, i, size(acc)]"}}, {"collect": {}}]"#
        let last = "[9,5,0,1,6,1,4,7,2,7]"
        let all = name == "scan" ? "[9,5,0,1],[9,5,0,1,6,1,4],\(last)" : last
        try expect("-5-6-7-|", operators, gives: "-------('[\(all)]'|)")
        try expect(
            "-1-2-|",
            #"[{"scan": {"initialValue": [0], "expression": "acc + acc + [acc]"}}]"#,
            gives: "-'[0,0,[0]]'-'[0,0,[0],0,0,[0],[0,0,[0]]]'-|"
        )
    }

    /// An append has the bounds and the errors of every other expression, and a list that is refused stays as it was.
    @Test func aListThatGrowsIsBounded() throws {
        let failing = #"[{"scan": {"initialValue": [], "expression": "acc + [4 / x]", "onError": "drop"}}]"#
        try expect("-2-0-4-|", failing, gives: "-'[2]'---'[2,1]'-|")
        let other = #"[{"scan": {"initialValue": [], "expression": "acc + x", "onError": "drop"}}]"#
        try expect("-'[1]'-2-'[3]'-|", other, gives: "-'[1]'---'[1,3]'-|")
        let deep =
            #"[{"flatMap": {"to": {"range": {"count": 2000}}}}, "#
            + #"{"scan": {"initialValue": [], "expression": "acc + [acc]"}}]"#
        #expect(
            try failure(of: "0", deep) == "operators[1].scan.expression: the value holds more than 1000000 others"
        )
    }

    /// A state that the list is appended to is saved and restored as any other.
    @Test func aListThatGrowsIsRestored() throws {
        let text =
            #"{"source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"initialValue": [], "expression": "acc + [x]"}}]}"#
        let document = try StreamDocument(parsing: text)
        let run = try StreamRun(document)
        run.advance(to: try #require(StreamTime(seconds: 3)))
        while run.next() != nil {}
        let restored = try StreamRun(document, from: run.checkpoint())
        restored.advance(to: try #require(StreamTime(seconds: 5)))
        var lists: [String] = []
        while let event = restored.next() { if case .value(let value) = event.kind { lists.append(value.text()) } }
        #expect(lists == ["[0,1,2,3]", "[0,1,2,3,4]"])
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
