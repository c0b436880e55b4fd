import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CompactMapTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "-1--#")
        try expect("--|", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "--|")
        try expect("---", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"compactMap": {"expression": "x == 2 ? null : x"}}]"#, gives: "-1", leaving: 5)
    }

    @Test func optionalsAreOpened() throws {
        let items = #"-'{"a": 5}'-'{"b": 6}'-'{"a": null}'-|"#
        try expect(items, #"[{"compactMap": {"expression": "x.?a"}}]"#, gives: "-5---'null'-|")
    }

    @Test func itemsMayHaveAType() throws {
        let operators =
            #"[{"map": {"expression": "size(x)"}}, {"compactMap": {"expression": "x == 2 ? dyn(null) : x"}}]"#
        try expect("-'a'-'bb'-|", operators, gives: "-1---|")
        try expect("-'a'-'bb'-|", operators.replacing("dyn(null)", with: "null"), gives: "-1---|")
        #expect(
            errors(#"[{"map": {"expression": "1"}}, {"compactMap": {"expression": "x == 2 ? 'a' : 1"}}]"#) == [
                "operators[1].compactMap.expression: both answers of ?: are of one type, found string and int "
                    + "(use dyn(…) around one of them)"
            ]
        )
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-2-|", #"[{"compactMap": {"expression": "4 / x"}}]"#, gives: "-4-#")
        try expect("-1-0-2-|", #"[{"compactMap": {"expression": "4 / x", "onError": "drop"}}]"#, gives: "-4---2-|")
    }

    @Test func isNative() {
        #expect(Flow.values("1", "b", "3").compactMap { Int($0) }.virtualEvents().compactMap(\.value) == [1, 3])
    }

    @Test func isData() throws {
        try expect(.compactMap("x.?a"), isText: #"{"compactMap":{"expression":"x.?a"}}"#)
    }
}
