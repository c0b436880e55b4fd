#if HTTP
import Foundation
import HTTPTypes
import Testing

@testable import SluiceHTTP

/// Tests of parts of a complete stored answer (RFC 9110, 14; RFC 9111, 3.3).
@Suite struct CacheRangeTests {
    private func cache(_ headers: HTTPFields = [:], status: Int = 200) async throws -> CacheFixture {
        let cache = CacheFixture { request, number in
            number == 1
                ? .of(status, .control("max-age=60", headers), "0123456789")
                : .of(request.headers[.range] == nil ? 200 : 206, [:], "network")
        }
        try await cache.get()
        return cache
    }

    @Test(arguments: [
        ("bytes=0-1", "01", "0-1"), ("bytes=2-4", "234", "2-4"), ("bytes=7-", "789", "7-9"), ("bytes=-3", "789", "7-9"),
        ("bytes=8-99", "89", "8-9"), ("bytes=-99", "0123456789", "0-9"), ("bytes=0-9", "0123456789", "0-9"),
        ("Bytes = 9-9 ", "9", "9-9"),
    ])
    func partOfAStoredAnswer(_ range: String, _ text: String, _ bounds: String) async throws {
        let cache = try await cache([.contentType: "text/plain", .contentLength: "10"])
        cache.advance(5)
        let response = try await cache.get([.range: range])
        #expect(response.status == .partialContent)
        #expect(try await response.text() == text)
        #expect(response.headers[.contentRange] == "bytes \(bounds)/10")
        #expect(response.headers[.contentLength] == "\(text.utf8.count)")
        #expect(response.headers[.contentType] == "text/plain")
        #expect(response.headers[.age] == "5")
        #expect(cache.sent == 1)
    }

    @Test(
        "What the cache can't cut the server answers",
        arguments: [
            "bytes=10-", "bytes=-0", "bytes=4-2", "bytes=0-1,3-4", "bytes=", "bytes=a-b", "bytes=-", "items=0-1",
            "bytes",
            "bytes=99999999999999999999-", "bytes=0--1",
        ]
    )
    func otherRanges(_ range: String) async throws {
        let cache = try await cache()
        let response = try await cache.get([.range: range])
        #expect(try await response.text() == "network")
        #expect(response.headers[.cacheStatus] == "sluice;fwd=bypass")
        #expect(cache.sent == 2)
    }

    @Test(arguments: [
        ("\"a\"", "01", 1), ("\"b\"", "0123456789", 1), ("W/\"a\"", "0123456789", 1),
        ("Sun, 06 Nov 1994 08:00:00 GMT", "01", 1), ("Sun, 06 Nov 1994 08:00:01 GMT", "0123456789", 1),
    ])
    func ifRange(_ validator: String, _ text: String, _ sent: Int) async throws {
        let cache = try await cache([.eTag: "\"a\"", .lastModified: "Sun, 06 Nov 1994 08:00:00 GMT"])
        #expect(try await cache.text([.range: "bytes=0-1", .ifRange: validator]) == text)
        #expect(cache.sent == sent)
    }

    @Test func staleOrEncodedOrOtherAnswersAreNotCut() async throws {
        let stale = try await cache()
        stale.advance(61)
        #expect(try await stale.text([.range: "bytes=0-1"]) == "network")
        let encoded = try await cache([.contentEncoding: "gzip"])
        #expect(try await encoded.text([.range: "bytes=0-1"]) == "network")
        let missing = try await cache(status: 404)
        #expect(try await missing.text([.range: "bytes=0-1"]) == "network")
        let conditional = try await cache()
        #expect(try await conditional.text([.range: "bytes=0-1", .ifNoneMatch: "\"a\""]) == "network")
        let reloaded = try await cache()
        #expect(try await reloaded.text([.range: "bytes=0-1", .cacheControl: "no-cache"]) == "network")
    }

    /// A part goes only to the user of the stored answer.
    @Test func usersAreKeptApart() async throws {
        let cache = CacheFixture { request, _ in
            .of(200, .control("max-age=60"), "for \(request.headers[.authorization] ?? "nobody")")
        }
        try await cache.get([.authorization: "a"])
        #expect(try await cache.text([.authorization: "b", .range: "bytes=0-4"]) == "for b")
        #expect(try await cache.text([.authorization: "a", .range: "bytes=4-4"]) == "a")
        #expect(cache.sent == 2)
    }

    /// A part from the cache doesn't replace the complete answer.
    @Test func theWholeStays() async throws {
        let cache = try await cache()
        #expect(try await cache.text([.range: "bytes=0-1"]) == "01")
        #expect(try await cache.text() == "0123456789")
        #expect(cache.sent == 1)
    }
}
#endif
