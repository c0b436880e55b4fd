import SluiceJSON
import SluiceStreams
import Testing

@Suite struct FilterTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"filter": {"expression": "x % 2 == 0"}}]"#, gives: "---2#")
        try expect("--|", #"[{"filter": {"expression": "x % 2 == 0"}}]"#, gives: "--|")
        try expect("---", #"[{"filter": {"expression": "x % 2 == 0"}}]"#, gives: "---")
        try expect("-2-4-6-|", #"[{"filter": {"expression": "x % 2 == 0"}}]"#, gives: "-2-4", leaving: 5)
    }

    @Test func seesTheIndex() throws {
        try expect("-5-6-7-|", #"[{"filter": {"expression": "i != 1"}}]"#, gives: "-5---7-|")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-2-|", #"[{"filter": {"expression": "4 / x > 1"}}]"#, gives: "-1-#")
        try expect("-1-0-2-|", #"[{"filter": {"expression": "4 / x > 1", "onError": "drop"}}]"#, gives: "-1---2-|")
    }

    @Test func theExpressionAnswersABool() {
        #expect(
            errors(#"[{"filter": {"expression": "1 + 1"}}]"#)
                == ["operators[0].filter.expression: the expression answers int, bool is wanted"]
        )
    }

    @Test func isNative() {
        #expect(Flow.values(1, 2, 3).filter { $0 != 2 }.virtualEvents().compactMap(\.value) == [1, 3])
    }

    @Test func isData() throws {
        try expect(.filter("x > 1"), isText: #"{"filter":{"expression":"x > 1"}}"#)
    }
}
