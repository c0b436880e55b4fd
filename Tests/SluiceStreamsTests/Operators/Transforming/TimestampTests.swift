import SluiceJSON
import SluiceStreams
import Testing

@Suite struct TimestampTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"timestamp": {}}]"#, gives: "-'[1, 1]'#")
        try expect("--|", #"[{"timestamp": {}}]"#, gives: "--|")
        try expect("---", #"[{"timestamp": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"timestamp": {}}]"#, gives: "-'[1, 1]'", leaving: 3)
    }

    @Test func theTimeIsThatOfTheRun() throws {
        let operators = #"[{"delay": {"seconds": 2}}, {"timestamp": {}}]"#
        try expect("-1-|", operators, gives: "---('[1, 3]'|)")
        try expect("-1#", #"[{"timestamp": {}}, {"retry": {"count": 1}}]"#, gives: "-'[1, 1]'-'[1, 3]'#")
    }

    /// A whole number of seconds is a double too: halves are exact.
    @Test func secondsAreDoubles() throws {
        try expect("-1-|", #"[{"timestamp": {}}, {"map": {"expression": "x[1] / 2"}}]"#, gives: "-'0.5'-|")
    }

    @Test func isNative() throws {
        let second = try #require(StreamTime(seconds: 1))
        let stamped = Flow.values("a").delay(for: .seconds(1)).timestamp().virtualEvents().compactMap(\.value)
        #expect(stamped.map(\.value) == ["a"])
        #expect(stamped.map(\.time) == [second])
    }

    @Test func isData() throws {
        try expect(.timestamp, isText: #"{"timestamp":{}}"#)
    }
}
