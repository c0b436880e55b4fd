#if HTTP
import Foundation
import HTTPTypes
import Testing

@testable import SluiceHTTP

/// Tests of RFC 9111, 5.2: the cache directives of requests and answers.
@Suite("RFC 9111, 5.2: directives") struct CacheDirectiveTests {
    /// Returns whether a request, a number of seconds after an answer was stored, is answered without the server.
    func isServed(_ request: HTTPFields, after seconds: Int, _ response: String, _ others: HTTPFields = [:])
        async throws -> Bool
    {
        let cache = CacheFixture(.of(200, .control(response, others)))
        try await cache.get()
        cache.advance(seconds)
        let status = try await cache.get(request).status
        return cache.sent == 1 && status == .ok
    }

    @Test("5.2.1.1: max-age of the request") func maxAge() async throws {
        #expect(try await isServed(.control("max-age=10"), after: 10, "max-age=60"))
        #expect(try await !isServed(.control("max-age=9"), after: 10, "max-age=60"))
        #expect(try await !isServed(.control("max-age=0"), after: 1, "max-age=60"))
        #expect(try await !isServed(.control("max-age=100"), after: 60, "max-age=60"))
    }

    @Test("5.2.1.2: max-stale") func maxStale() async throws {
        #expect(try await isServed(.control("max-stale=10"), after: 70, "max-age=60"))
        #expect(try await !isServed(.control("max-stale=10"), after: 71, "max-age=60"))
        #expect(try await isServed(.control("max-stale"), after: 100_000, "max-age=60"))
        #expect(try await !isServed(.control("max-stale"), after: 61, "max-age=60, must-revalidate"))
        #expect(try await !isServed(.control("max-stale, max-age=65"), after: 66, "max-age=60"))
    }

    @Test("5.2.1.3: min-fresh") func minFresh() async throws {
        #expect(try await isServed(.control("min-fresh=10"), after: 50, "max-age=60"))
        #expect(try await !isServed(.control("min-fresh=10"), after: 51, "max-age=60"))
    }

    @Test("5.2.1.4: no-cache of the request") func noCacheOfTheRequest() async throws {
        #expect(try await !isServed(.control("no-cache"), after: 1, "max-age=60"))
        #expect(try await !isServed(.control("No-Cache"), after: 1, "max-age=60, immutable"))
    }

    @Test("5.2.1.5: no-store of the request does not hide what is stored") func noStoreOfTheRequest() async throws {
        #expect(try await isServed(.control("no-store"), after: 1, "max-age=60"))
    }

    @Test("5.2.1.7: only-if-cached") func onlyIfCached() async throws {
        #expect(try await isServed(.control("only-if-cached"), after: 59, "max-age=60"))
        let cache = CacheFixture(.of(200, .control("max-age=60, stale-while-revalidate=60")))
        #expect(try await cache.get(.control("only-if-cached")).status.code == 504)
        #expect(cache.sent == 0)
        try await cache.get()
        cache.advance(60)
        #expect(try await cache.get(.control("only-if-cached")).status.code == 504)
        #expect(try await cache.get(.control("only-if-cached, max-stale")).status.code == 200)
        #expect(cache.sent == 1)
    }

    @Test("5.2.2.2: must-revalidate") func mustRevalidate() async throws {
        #expect(try await isServed([:], after: 59, "max-age=60, must-revalidate"))
        #expect(try await !isServed([:], after: 61, "max-age=60, must-revalidate, stale-while-revalidate=60"))
    }

    @Test(
        "5.2.2.4: no-cache of the answer",
        arguments: ["no-cache, max-age=60", "max-age=60, no-cache=\"set-cookie, x\""]
    )
    func noCache(_ text: String) async throws {
        #expect(try await !isServed([:], after: 1, text))
        #expect(try await !isServed(.control("max-stale"), after: 1, text))
    }

    @Test("5.4: Pragma counts where there is no Cache-Control") func pragma() async throws {
        #expect(try await !isServed([.pragma: "no-cache"], after: 1, "max-age=60"))
        #expect(try await isServed([.pragma: "no-cache", .cacheControl: "max-age=5"], after: 1, "max-age=60"))
    }

    @Test("8246, 2: immutable outlives a reload while it is fresh") func immutable() async throws {
        #expect(try await isServed(.control("max-age=0"), after: 30, "max-age=60, immutable"))
        #expect(try await !isServed(.control("max-age=0"), after: 61, "max-age=60, immutable"))
    }

    @Test(
        "5.2: unknown directives, quoted commas and odd spelling",
        arguments: [
            "x=\"a, no-store\", max-age=60", " ,,MAX-AGE = 60 , foo=bar", "community=\"UCI\", max-age=60",
        ]
    )
    func oddSpelling(_ text: String) async throws {
        #expect(try await isServed([:], after: 59, text))
        #expect(try await !isServed([:], after: 60, text))
    }

    @Test("4: a HEAD is answered with the head of a stored GET") func head() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60", [.contentLength: "4"]), "body"))
        try await cache.get()
        let response = try await cache.get(method: .head)
        #expect(response.body.bytes == [])
        #expect(response.headers[.contentLength] == "4")
        #expect(cache.sent == 1)
    }
}
#endif
