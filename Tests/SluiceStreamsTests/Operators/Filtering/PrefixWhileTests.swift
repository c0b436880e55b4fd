import SluiceJSON
import SluiceStreams
import Testing

@Suite struct PrefixWhileTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"prefixWhile": {"expression": "x < 3"}}]"#, gives: "-1#")
        try expect("--|", #"[{"prefixWhile": {"expression": "x < 3"}}]"#, gives: "--|")
        try expect("---", #"[{"prefixWhile": {"expression": "x < 3"}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"prefixWhile": {"expression": "x < 3"}}]"#, gives: "-1", leaving: 3)
    }

    @Test func completesAtTheFirstThatDoesNotHold() throws {
        try expect("-1-3-1-|", #"[{"takeWhile": {"expression": "x < 3"}}]"#, gives: "-1-|")
        try expect("-1-3#", #"[{"takeWhile": {"expression": "x < 3", "inclusive": true}}]"#, gives: "-1-(3|)")
        try expect("-7-7-|", #"[{"takeWhile": {"expression": "i < 1"}}]"#, gives: "-7-|")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-2-|", #"[{"prefixWhile": {"expression": "4 / x > 1"}}]"#, gives: "-1-#")
        try expect("-1-0-2-|", #"[{"prefixWhile": {"expression": "4 / x > 1", "onError": "drop"}}]"#, gives: "-1---2-|")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).prefix { $0 < 2 }.virtualEvents()) == ["0:1", "0|"])
        #expect(text(Flow.values(1, 2, 3).prefix(inclusive: true) { $0 < 2 }.virtualEvents()) == ["0:1", "0:2", "0|"])
    }

    @Test func isData() throws {
        try expect(
            .prefixWhile("x < 3", inclusive: true),
            isText: #"{"prefixWhile":{"expression":"x < 3","inclusive":true}}"#
        )
        try expect(.prefixWhile("x < 3"), isText: #"{"prefixWhile":{"expression":"x < 3"}}"#)
    }
}
