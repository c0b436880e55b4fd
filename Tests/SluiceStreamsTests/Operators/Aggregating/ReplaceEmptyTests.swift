import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ReplaceEmptyTests {
    @Test func ends() throws {
        try expect("--#", #"[{"replaceEmpty": {"value": 0}}]"#, gives: "--#")
        try expect("--|", #"[{"replaceEmpty": {"value": 0}}]"#, gives: "--(0|)")
        try expect("---", #"[{"replaceEmpty": {"value": 0}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"replaceEmpty": {"value": 0}}]"#, gives: "-1", leaving: 3)
    }

    @Test func valuesPass() throws { try expect("-1-|", #"[{"defaultIfEmpty": {"value": 0}}]"#, gives: "-1-|") }

    @Test func isNative() {
        #expect(text(Flow<Int>.empty.replaceEmpty(with: 5).virtualEvents()) == ["0:5", "0|"])
        #expect(text(Flow.values(1).replaceEmpty(with: 5).virtualEvents()) == ["0:1", "0|"])
    }

    @Test func isData() throws {
        try expect(.replaceEmpty(0), isText: #"{"replaceEmpty":{"value":0}}"#)
    }
}
