#if HTTP
import Foundation
import HTTPTypes
import Testing

@testable import SluiceHTTP

/// Tests of RFC 9111, 3: storing answers.
@Suite("RFC 9111, 3: storing") struct CacheStoringTests {
    /// Returns whether a second request is answered from the cache.
    func isStored(
        _ status: Int = 200,
        _ headers: HTTPFields,
        request: HTTPFields = [:],
        method: HTTPRequest.Method = .get
    ) async throws -> Bool {
        let cache = CacheFixture(.of(status, headers, "1"))
        try await cache.get(request, method: method)
        try await cache.get(method: method)
        return cache.sent == 1
    }

    @Test("3: any final status with explicit freshness", arguments: [200, 204, 302, 307, 400, 403, 404, 418, 500, 503])
    func explicitFreshness(_ status: Int) async throws {
        #expect(try await isStored(status, .control("max-age=60")))
    }

    @Test("3: 206 and 304 are never stored", arguments: [206, 304])
    func partial(_ status: Int) async throws {
        #expect(try await !isStored(status, .control("max-age=60")))
    }

    @Test("3: answers to other methods are not stored", arguments: ["HEAD", "POST", "PUT", "OPTIONS", "QUERY"])
    func otherMethods(_ name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        #expect(try await !isStored(.control("max-age=60"), method: method))
    }

    func isStored(_ headers: HTTPFields, method: HTTPRequest.Method) async throws -> Bool {
        try await isStored(200, headers, method: method)
    }

    @Test("3: no-store of the answer") func noStore() async throws {
        #expect(try await !isStored(200, .control("no-store, max-age=60")))
        #expect(try await !isStored(200, .control("max-age=60, NO-STORE")))
    }

    @Test("5.2.1.5: no-store of the request") func noStoreOfTheRequest() async throws {
        #expect(try await !isStored(200, .control("max-age=60"), request: .control("no-store")))
    }

    @Test("5.2.2.3: must-understand overrides no-store for what is understood") func mustUnderstand() async throws {
        #expect(try await isStored(200, .control("must-understand, no-store, max-age=60")))
        #expect(try await !isStored(418, .control("must-understand, no-store, max-age=60")))
        #expect(try await !isStored(418, .control("must-understand, max-age=60")))
    }

    @Test("3.5: a private cache stores answers to requests with Authorization") func authorization() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60"), "1"))
        try await cache.get([.authorization: "a"])
        try await cache.get([.authorization: "a"])
        #expect(cache.sent == 1)
    }

    @Test("5.2.2.7, 5.2.2.10: private is stored, s-maxage is not for private caches") func sharedOnly() async throws {
        #expect(try await isStored(200, .control("private, max-age=60")))
        #expect(try await isStored(200, .control("s-maxage=0, max-age=60")))
        #expect(try await !isStored(200, .control("s-maxage=60")))
    }

    @Test("3.1: fields of one connection are not stored") func connectionFields() async throws {
        let named = try #require(HTTPField.Name("X-Hop"))
        let (keepAlive, kept) = try (#require(HTTPField.Name("Keep-Alive")), #require(HTTPField.Name("X-Kept")))
        let cache = CacheFixture(
            .of(200, .control("max-age=60", [.connection: "X-Hop", named: "1", keepAlive: "2", .te: "3", kept: "4"]))
        )
        #expect(try await cache.get().headers[named] == "1")
        let stored = try await cache.get().headers
        #expect([named, keepAlive, .te, .connection].allSatisfy { stored[$0] == nil })
        #expect(stored[kept] == "4")
    }

    @Test("3.3: what is shorter than announced is incomplete") func incomplete() async throws {
        #expect(try await !isStored(200, .control("max-age=60", [.contentLength: "2"])))
        #expect(try await isStored(200, .control("max-age=60", [.contentLength: "1"])))
        // The transport decompressed it.
        #expect(try await isStored(200, .control("max-age=60", [.contentLength: "9", .contentEncoding: "gzip"])))
    }

    @Test("3.3: a streamed body is stored when it was read to its end") func streamed() async throws {
        let cache = CacheFixture(.streamed(200, .control("max-age=60"), ["one", "two"]))
        for try await chunk in try await cache.get().body {
            #expect(chunk == Array("one".utf8))
            break
        }
        #expect(await cache.cache.byteCount == 0)
        let again = CacheFixture(.streamed(200, .control("max-age=60"), ["one", "two"]))
        #expect(try await again.text() == "onetwo")
        #expect(try await again.text() == "onetwo")
        #expect(again.sent == 1)
    }

    @Test("3.3: a streamed body that breaks off is not stored") func brokenStream() async throws {
        struct Broken: Error {}
        let count = Counter()
        let cache = CacheFixture { _, _ in
            TransportResponse(
                headers: .control("max-age=60"),
                body: ByteStream { { if count.next() < 3 { [65] } else { throw Broken() } } }
            )
        }
        await #expect(throws: Broken.self) { try await cache.text() }
        #expect(await cache.cache.byteCount == 0)
    }

    @Test(
        "4.3.2: requests with conditions of their own pass by",
        arguments: ["If-None-Match", "If-Modified-Since", "If-Match"]
    )
    func ownConditions(_ name: String) async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60")), .of(304))
        try await cache.get()
        #expect(try await cache.get([#require(HTTPField.Name(name)): "\"x\""]).status.code == 304)
        #expect(try await cache.get().status == .ok)
        #expect(cache.sent == 2)
    }

    @Test func longBodiesAreNotKept() async throws {
        for response in [
            TransportResponse.of(200, .control("max-age=9"), "12345"),
            .streamed(200, .control("max-age=9"), ["123", "45"]),
        ] {
            let cache = CacheFixture(cache: HTTPCache(maximumBodyBytes: 4)) { _, _ in response }
            #expect(try await cache.text() == "12345")
            #expect(await cache.cache.byteCount == 0)
        }
    }
}
#endif
