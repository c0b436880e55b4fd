import SluiceJSON
import SluiceStreams
import Testing

@Suite struct DropWhileTests {
    @Test func ends() throws {
        try expect("-1-3#", #"[{"dropWhile": {"expression": "x < 3"}}]"#, gives: "---3#")
        try expect("--|", #"[{"dropWhile": {"expression": "x < 3"}}]"#, gives: "--|")
        try expect("---", #"[{"dropWhile": {"expression": "x < 3"}}]"#, gives: "---")
        try expect("-3-4-|", #"[{"dropWhile": {"expression": "x < 3"}}]"#, gives: "-3", leaving: 3)
    }

    @Test func passesAllFromTheFirstThatDoesNotHold() throws {
        try expect("-1-3-1-|", #"[{"skipWhile": {"expression": "x < 3"}}]"#, gives: "---3-1-|")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-9-0-|", #"[{"dropWhile": {"expression": "4 / x > 1"}}]"#, gives: "---#")
        let operators = #"[{"dropWhile": {"expression": "4 / x > 1", "onError": "drop"}}]"#
        try expect("-1-0-9-0-|", operators, gives: "-----9-0-|")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 1).drop { $0 < 2 }.virtualEvents()) == ["0:2", "0:1", "0|"])
    }

    @Test func isData() throws {
        try expect(.dropWhile("x < 3"), isText: #"{"dropWhile":{"expression":"x < 3"}}"#)
    }
}
