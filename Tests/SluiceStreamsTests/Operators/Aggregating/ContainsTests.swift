import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ContainsTests {
    @Test func ends() throws {
        try expect("-1#", #"[{"contains": {"value": 2}}]"#, gives: "--#")
        try expect("--|", #"[{"contains": {"value": 2}}]"#, gives: "--('false'|)")
        try expect("---", #"[{"contains": {"value": 2}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"contains": {"value": 2}}]"#, gives: "", leaving: 3)
    }

    @Test func leavesItsInput() throws { try expect("-1-2#", #"[{"includes": {"value": 2}}]"#, gives: "---('true'|)") }

    @Test func equalIsAsInExpressions() throws {
        try expect("-1-|", #"[{"contains": {"value": 1.0}}]"#, gives: "-('true'|)")
        try expect("-1-|", #"[{"contains": {"value": "1"}}]"#, gives: "---('false'|)")
        try expect("-'[1]'-|", #"[{"contains": {"value": [1]}}]"#, gives: "-('true'|)")
    }

    @Test func isNative() {
        #expect(text(Flow.values(1, 2).contains(2).virtualEvents()) == ["0:true", "0|"])
        #expect(text(Flow.values(1, 2).contains(3).virtualEvents()) == ["0:false", "0|"])
    }

    @Test func isData() throws {
        try expect(.contains([1, 2]), isText: #"{"contains":{"value":[1,2]}}"#)
    }
}
