#if Hub
import Foundation
import SluiceJSON
import Testing

@testable import SluiceConnect

/// The fields of forms that are sent to webhooks.
@Suite struct WebhookFormTests {
    private func form(_ body: some Sequence<UInt8>) throws -> JSON {
        try WebhookBody.item(Array(body), "application/x-www-form-urlencoded")
    }

    @Test(arguments: [
        ("", "{}"), ("&&", "{}"), ("a", #"{"a":""}"#), ("=", #"{"":""}"#), ("a==b", #"{"a":"=b"}"#),
        ("a=1&b=2&a=3&a", #"{"a":["1","3",""],"b":"2"}"#), ("a+b=%2B%26%3d", #"{"a b":"+&="}"#),
        ("é=%C3%a9", #"{"é":"é"}"#),
    ])
    func fieldsAreDecoded(_ body: String, _ item: String) throws {
        #expect(try form(body.utf8).text() == item)
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%C3", "%=1", "a=%+1", "a=% 1"]) func othersAreRefused(_ body: String) {
        #expect(throws: WebhookBody.Failure.self) { try form(body.utf8) }
    }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: WebhookBody.Failure.self) { try form([0x61, 0x3D, 0xFF]) }
    }

    /// Foundation is the oracle.
    @Test func randomTextsAreThoseThatFoundationDecodes() throws {
        let pieces = ["a", "%41", "+", "%2B", "%c3%A9", "%C3", "é", "%", "%4", "=", "%00", "🙂"]
        for _ in 0..<2000 {
            let value = (0..<Int.random(in: 0...6)).map { _ in pieces.randomElement() ?? "" }.joined()
            let expected = value.replacing("+", with: " ").removingPercentEncoding
            #expect((try? form("a=\(value)".utf8)["a"]?.string) == expected, "\(value)")
        }
    }
}
#endif
