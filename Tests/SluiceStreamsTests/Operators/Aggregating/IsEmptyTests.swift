import SluiceJSON
import SluiceStreams
import Testing

@Suite struct IsEmptyTests {
    @Test func ends() throws {
        try expect("-#", #"[{"isEmpty": {}}]"#, gives: "-#")
        try expect("--|", #"[{"isEmpty": {}}]"#, gives: "--('true'|)")
        try expect("---", #"[{"isEmpty": {}}]"#, gives: "---")
        try expect("--1-|", #"[{"isEmpty": {}}]"#, gives: "", leaving: 2)
    }

    @Test func leavesItsInput() throws { try expect("-1#", #"[{"isEmpty": {}}]"#, gives: "-('false'|)") }

    @Test func isNative() {
        #expect(text(Flow.values(1).isEmpty().virtualEvents()) == ["0:false", "0|"])
        #expect(text(Flow<Int>.empty.isEmpty().virtualEvents()) == ["0:true", "0|"])
    }

    @Test func isData() throws {
        try expect(.isEmpty, isText: #"{"isEmpty":{}}"#)
    }
}
