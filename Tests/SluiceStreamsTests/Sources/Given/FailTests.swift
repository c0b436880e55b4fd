import SluiceStreams
import Testing

@Suite struct FailTests {
    @Test func saysWhy() throws {
        let operators = #"[{"flatMap": {"to": {"throwError": "no such sensor"}}}]"#
        #expect(try failure(of: "1", operators) == "no such sensor")
        let long = #"[{"flatMap": {"to": {"fail": {"message": "no such sensor"}}}}]"#
        #expect(try failure(of: "1", long) == "no such sensor")
    }

    @Test func isNative() {
        #expect(text(Flow<Int>.fail(StreamError(message: "broke")).virtualEvents()) == ["0# broke"])
    }
}
