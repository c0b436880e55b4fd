import SluiceJSON
import SluiceStreams
import Testing

struct ThrowIfEmptyTests {
    @Test func failsWithoutAValue() throws {
        try expect("--|", #"[{"throwIfEmpty": {}}]"#, gives: "--#")
        try expect("-1-|", #"[{"throwIfEmpty": {}}]"#, gives: "-1-|")
        try expect("-1-#", #"[{"throwIfEmpty": {}}]"#, gives: "-1-#")
        try expect("--#", #"[{"throwIfEmpty": {}}]"#, gives: "--#")
    }

    @Test func namesItsPlace() throws {
        let text = try #require(try failure(of: nil, #"[{"throwIfEmpty": {"message": "no reading"}}]"#))
        #expect(text == "operators[0].throwIfEmpty: no reading")
        #expect(
            try failure(of: nil, #"[{"throwIfEmpty": {}}]"#) == "operators[0].throwIfEmpty: the stream has no value"
        )
    }

    @Test func ofNativeStreams() {
        #expect(Array(Flow<Int>.empty.throwIfEmpty().virtualEvents()).last?.isLast == true)
        #expect(Flow.values(1).throwIfEmpty().virtualEvents().compactMap(\.value) == [1])
    }

    @Test func isData() throws {
        try expect(.throwIfEmpty(), isText: #"{"throwIfEmpty":{}}"#)
        try expect(.throwIfEmpty("none"), isText: #"{"throwIfEmpty":{"message":"none"}}"#)
    }
}
