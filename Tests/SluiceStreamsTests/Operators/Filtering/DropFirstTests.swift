import SluiceJSON
import SluiceStreams
import Testing

@Suite struct DropFirstTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"dropFirst": {"count": 1}}]"#, gives: "---2#")
        try expect("--|", #"[{"dropFirst": {"count": 1}}]"#, gives: "--|")
        try expect("---", #"[{"dropFirst": {"count": 1}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"dropFirst": {"count": 1}}]"#, gives: "---2", leaving: 5)
    }

    @Test func countsToOneWhereNothingIsSaid() throws {
        try expect("-1-2-|", #"[{"skip": {}}]"#, gives: "---2-|")
        try expect("-1-2-|", #"[{"skip": {"count": 0}}]"#, gives: "-1-2-|")
        try expect("-1-2-|", #"[{"skip": {"count": 9}}]"#, gives: "-----|")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2, 3).dropFirst(2).virtualEvents()) == ["0:3", "0|"])
    }

    @Test func isData() throws {
        try expect(.dropFirst(), isText: #"{"dropFirst":{"count":1}}"#)
    }
}
