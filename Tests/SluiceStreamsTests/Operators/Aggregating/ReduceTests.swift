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

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).reduce("") { $0 + "\($1)" }.virtualEvents()) == ["0:123", "0|"])
    }
}
