import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MaterializeTests {
    static let operators = #"[{"materialize": {}}]"#

    @Test func theEndIsAValue() throws {
        try expect("-1#", Self.operators, gives: #"-'{"value": 1}'('{"error": "error"}'|)"#)
        try expect("--|", Self.operators, gives: #"--('{"completed": true}'|)"#)
        try expect("---", Self.operators, gives: "---")
        try expect("-1-2-|", Self.operators, gives: #"-'{"value": 1}'"#, leaving: 3)
    }

    @Test func whoHasEnoughGetsNoMore() throws {
        try expect(
            "-1#",
            #"[{"materialize": {}}, {"prefix": {"count": 2}}]"#,
            gives: #"-'{"value": 1}'('{"error": "error"}'|)"#
        )
        try expect("-1#", #"[{"materialize": {}}, {"prefix": {"count": 1}}]"#, gives: #"-('{"value": 1}'|)"#)
    }

    @Test func isNative() {
        let kinds = Flow.values(1).materialize().virtualEvents().compactMap(\.value)
        #expect(kinds == [.value(1), .completed])
        let failed = Flow<Int>.fail(StreamError(message: "broke")).materialize().virtualEvents().compactMap(\.value)
        #expect(failed == [.failed(StreamError(message: "broke"))])
    }

    @Test func isData() throws {
        try expect(.materialize, isText: #"{"materialize":{}}"#)
    }
}
