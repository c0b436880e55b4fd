import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MapToTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"mapTo": {"value": 7}}]"#, gives: "-7-7#")
        try expect("--|", #"[{"mapTo": {"value": 7}}]"#, gives: "--|")
        try expect("---", #"[{"mapTo": {"value": 7}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"mapTo": {"value": 7}}]"#, gives: "-7-7", leaving: 5)
    }

    @Test func theValueIsAnything() throws {
        try expect("-1-2-|", #"[{"mapTo": {"value": null}}]"#, gives: "-'null'-'null'-|")
        try expect("-1-|", #"[{"mapTo": {"value": [1]}}, {"map": {"expression": "x[0]"}}]"#, gives: "-1-|")
    }

    @Test func isNative() {
        #expect(Flow.values(1, 2).mapTo("a").virtualEvents().compactMap(\.value) == ["a", "a"])
    }

    @Test func isData() throws {
        try expect(.mapTo(["a": 1]), isText: #"{"mapTo":{"value":{"a":1}}}"#)
    }
}
