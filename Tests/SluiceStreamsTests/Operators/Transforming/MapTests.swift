import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MapTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"map": {"expression": "x + 1"}}]"#, gives: "-2-3#")
        try expect("--|", #"[{"map": {"expression": "x + 1"}}]"#, gives: "--|")
        try expect("---", #"[{"map": {"expression": "x + 1"}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"map": {"expression": "x + 1"}}]"#, gives: "-2-3", leaving: 5)
    }

    @Test func seesTheIndex() throws {
        try expect("-5-5-5-|", #"[{"map": {"expression": "x * 10 + i"}}]"#, gives: "-'50'-'51'-'52'-|")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-2-|", #"[{"map": {"expression": "4 / x"}}]"#, gives: "-4-#")
        try expect("-1-0-2-|", #"[{"map": {"expression": "4 / x", "onError": "drop"}}]"#, gives: "-4---2-|")
    }

    /// Values of expressions are walked and freed recursively: no chain of operators makes them deep, or large by
    /// copies.
    @Test func valuesHaveAnExtent() throws {
        let deep = String(repeating: "[", count: 20) + "x" + String(repeating: "]", count: 20)
        let step = #"{"map": {"expression": "\#(deep)"}}"#
        let chain = "[" + Array(repeating: step, count: 200).joined(separator: ", ") + "]"
        #expect(
            try failure(of: "0", chain)?.hasSuffix("the value is nested more than \(JSONLimits.deepestValue) deep")
                == true
        )
        let twice =
            "[" + Array(repeating: #"{"map": {"expression": "[x, x]"}}"#, count: 200).joined(separator: ", ") + "]"
        #expect(try failure(of: "0", twice)?.hasSuffix("the value holds more than 1000000 others") == true)
    }

    @Test func isNative() {
        #expect(Flow.values(1, 2).map { "\($0 * 2)" }.virtualEvents().compactMap(\.value) == ["2", "4"])
    }

    @Test func throwingFails() {
        let flow = Flow.values(1, 2, 3).map { (value: Int) in
            if value == 2 { throw StreamError(message: "two") }
            return value
        }
        #expect(text(flow.virtualEvents()) == ["0:1", "0# two"])
    }

    @Test func isData() throws {
        try expect(.map("x + 1", onError: .drop), isText: #"{"map":{"expression":"x + 1","onError":"drop"}}"#)
    }
}
