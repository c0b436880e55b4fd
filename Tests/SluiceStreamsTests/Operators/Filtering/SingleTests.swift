import SluiceJSON
import SluiceStreams
import Testing

@Suite struct SingleTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"single": {}}]"#, gives: "--#")
        try expect("--|", #"[{"single": {}}]"#, gives: "--#")
        try expect("---", #"[{"single": {}}]"#, gives: "---")
        try expect("-1-|", #"[{"single": {}}]"#, gives: "", leaving: 3)
    }

    @Test func aSecondFailsAtOnce() throws { try expect("-1-2-|", #"[{"single": {}}]"#, gives: "---#") }

    @Test func isNative() {
        #expect(text(Flow.values(1).single().virtualEvents()) == ["0:1", "0|"])
        #expect(text(Flow.values(1, 2).single().virtualEvents()) == ["0# the stream has more than one value"])
        #expect(text(Flow<Int>.empty.single().virtualEvents()) == ["0# the stream completed without a value"])
    }

    @Test func itsErrorsBearThePath() throws {
        #expect(
            try failure(of: nil, #"[{"single": {}}]"#) == "operators[0].single: the stream completed without a value"
        )
        #expect(
            try failure(of: "1", #"[{"compactMap": {"expression": "x"}}, {"single": {}}]"#) == nil
        )
    }

    @Test func isData() throws {
        try expect(.single, isText: #"{"single":{}}"#)
    }
}
