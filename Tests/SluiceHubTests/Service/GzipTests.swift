#if Hub
import HTTPTypes
import NIOCore
import Testing

@testable import SluiceHub

/// The files of the page, compressed.
@Suite struct GzipTests {
    @Test(arguments: [
        ("gzip", true), ("br, gzip;q=0.5", true), ("GZIP", true), ("*", true), ("gzip; q=0", false),
        ("gzip;q=0.0", false),
        ("br", false), ("", false),
    ])
    func aRequestMayRefuseIt(_ field: String, _ isAccepted: Bool) { #expect(Gzip.isAccepted(by: field) == isAccepted) }

    @Test func thePageIsSmallOnTheWire() async throws {
        let hub = try await Hub()
        let plain = try await hub.ask(.get, "/page/page.js")
        let small = try await hub.ask(.get, "/page/page.js", nil, ["Accept-Encoding": "gzip"])
        #expect(plain.headers[.contentEncoding] == nil && small.headers[.contentEncoding] == "gzip")
        #expect(small.headers[.vary] == "Accept-Encoding" && plain.headers[.vary] == "Accept-Encoding")
        let bytes = try #require(Gzip.compressed(Array(plain.text.utf8)))
        #expect(bytes.readableBytes * 2 < plain.text.utf8.count)
        #expect(Array(bytes.readableBytesView.prefix(2)) == [0x1f, 0x8b])
    }

    @Test func aFileThatTheBrowserHasIsNotSentAgain() async throws {
        let hub = try await Hub()
        let first = try await hub.ask(.get, "/page/page.js")
        let tag = try #require(first.headers[.eTag])
        #expect(try await hub.ask(.get, "/page/page.js", nil, ["Accept-Encoding": "gzip"]).headers[.eTag] == tag)
        let again = try await hub.ask(.get, "/page/page.js", nil, ["If-None-Match": "\"other\", \(tag)"])
        #expect(again.status == .notModified && again.text.isEmpty && again.headers[.eTag] == tag)
        #expect(again.headers[.cacheControl] == "no-cache")
        let other = try await hub.ask(.get, "/page/tunnel.js", nil, ["If-None-Match": tag])
        #expect(other.status == .ok && other.headers[.eTag] != tag)
    }
}
#endif
