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

    @Test func isNative() {
        let flow = Flow.values(1, 2, 3).scan("") { $0 + "\($1)" }
        #expect(flow.virtualEvents().compactMap(\.value) == ["1", "12", "123"])
    }
}
