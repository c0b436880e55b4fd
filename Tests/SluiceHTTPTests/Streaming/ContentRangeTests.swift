#if HTTP
import Testing

@testable import SluiceHTTP

@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-0/1", 0...0, 1), ("bytes 42-1233/1234", 42...1233, 1234), ("BYTES 42-1233/*", 42...1233, nil),
            ("bytes */1234", nil, 1234),
        ] as [(String, ClosedRange<Int>?, Int?)]
    )
    func whatItSays(_ text: String, _ range: ClosedRange<Int>?, _ total: Int?) throws {
        let read = try #require(ContentRange(text))
        #expect(read.range == range)
        #expect(read.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 1-2", "bytes 2-1/5", "bytes 0-5/5", "bytes -1-2/5", "bytes 1-/5", "bytes */*",
        "items 1-2/5", "bytes 1-2/5/6", "bytes 1-2-3/5", "bytes +1-2/5", "bytes 0-99999999999999999999/*",
        "bytes ٣-٤/٥",
    ])
    func whatItCannotBe(_ text: String) { #expect(ContentRange(text) == nil) }
}
#endif
