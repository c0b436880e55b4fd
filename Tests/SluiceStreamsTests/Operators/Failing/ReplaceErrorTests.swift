import SluiceStreams
import Testing

@Suite struct ReplaceErrorTests {
    let zero = #"[{"replaceError": {"value": 0}}]"#

    @Test func givesAValueInstead() throws {
        try expect("-1#", zero, gives: "-1(0|)")
        try expect("-1|", zero, gives: "-1|")
        try expect("|", zero, gives: "|")
        try expect("-", zero, gives: "-", leaving: 9)
        try expect("-1#", zero, gives: "-1", leaving: 2)
    }

    /// Its value passes the operators after it.
    @Test func theValueIsAValue() throws {
        try expect("-1#", #"[{"replaceError": {"value": 0}}, {"map": {"expression": "x + 5"}}]"#, gives: "-6(5|)")
        try expect("-1#", #"[{"replaceError": {"value": 0}}, {"prefix": {"count": 2}}]"#, gives: "-1(0|)")
    }

    @Test func native() {
        let flow = Flow<Int>.fail(StreamError(message: "x")).replaceError(with: 7)
        #expect(text(flow.virtualEvents()) == ["0:7", "0|"])
    }
}
