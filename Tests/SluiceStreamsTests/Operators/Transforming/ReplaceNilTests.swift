import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ReplaceNilTests {
    @Test func ends() throws {
        try expect("-1-'null'#", #"[{"replaceNil": {"value": 0}}]"#, gives: "-1-0#")
        try expect("--|", #"[{"replaceNil": {"value": 0}}]"#, gives: "--|")
        try expect("---", #"[{"replaceNil": {"value": 0}}]"#, gives: "---")
        try expect("-1-'null'-3-|", #"[{"replaceNil": {"value": 0}}]"#, gives: "-1", leaving: 3)
    }

    @Test func whatIsNoNullPasses() throws {
        try expect("-0-'false'-''-|", #"[{"replaceNil": {"value": 1}}]"#, gives: "-0-'false'-''-|")
    }

    @Test func isNative() {
        let flow = Flow<Int?>.values(1, nil, 3).replaceNil(with: 0)
        #expect(flow.virtualEvents().compactMap(\.value) == [1, 0, 3])
    }

    @Test func isData() throws {
        try expect(.replaceNil(0), isText: #"{"replaceNil":{"value":0}}"#)
    }
}
