#if HTTP
import Foundation
import HTTPTypes
import Testing

@testable import SluiceHTTP

/// Tests of RFC 9111, 2 and 4.1: the stored answer that fits a request.
@Suite("RFC 9111, 4.1: keys and Vary") struct CacheVaryTests {
    let name: HTTPField.Name

    init() throws { name = try #require(HTTPField.Name("X-User")) }

    func cache(_ vary: String) -> CacheFixture {
        CacheFixture { request, number in .of(200, .control("max-age=60", [.vary: vary]), "\(number)") }
    }

    @Test("2: the address is the key, without its fragment") func key() async throws {
        let cache = cache("")
        #expect(try await cache.text([:], "a") == "1")
        #expect(try await cache.text([:], "a?b") == "2")
        #expect(try await cache.text([:], "a#c") == "1")
        #expect(try await cache.text([:], "A") == "3")
    }

    @Test("4.1: named fields must be equal") func namedFields() async throws {
        let cache = cache("accept-language, X-User")
        #expect(try await cache.text([.acceptLanguage: "en"]) == "1")
        #expect(try await cache.text([.acceptLanguage: "en", .accept: "x"]) == "1")
        #expect(try await cache.text([.acceptLanguage: "de"]) == "2")
        #expect(try await cache.text([.acceptLanguage: "en", name: "1"]) == "3")
        #expect(try await cache.text() == "4")
        #expect(try await cache.text([.acceptLanguage: "en"]) == "1")
        #expect(try await cache.text() == "4")
    }

    @Test("4.1: space between the elements does not count, nor does their split into lines") func normalized()
        async throws
    {
        let cache = cache("accept-language")
        var lines = HTTPFields()
        lines.append(HTTPField(name: .acceptLanguage, value: "en"))
        lines.append(HTTPField(name: .acceptLanguage, value: "de"))
        #expect(try await cache.text([.acceptLanguage: "en,de"]) == "1")
        #expect(try await cache.text([.acceptLanguage: "en ,  de"]) == "1")
        #expect(try await cache.text(lines) == "1")
        #expect(try await cache.text([.acceptLanguage: "de, en"]) == "2")
    }

    @Test("4.1: a star never matches") func star() async throws {
        let cache = cache("accept, *")
        #expect(try await cache.text() == "1")
        #expect(try await cache.text() == "2")
    }

    @Test("4.1: of several that fit, the last counts") func lastOne() async throws {
        let cache = CacheFixture { request, number in
            .of(200, .control("max-age=60", number == 1 ? [.vary: "accept"] : [:]), "\(number)")
        }
        #expect(try await cache.text([.accept: "a"]) == "1")
        #expect(try await cache.text([.accept: "b"]) == "2")
        #expect(try await cache.text([.accept: "a"]) == "2")
    }

    @Test func noMoreVariantsThanThereMayBe() async throws {
        let cache = cache("accept")
        for user in 0..<40 { try await cache.get([.accept: "\(user)"]) }
        #expect(cache.sent == 40)
        try await cache.get([.accept: "39"])
        try await cache.get([.accept: "24"])
        #expect(cache.sent == 40)
        try await cache.get([.accept: "23"])
        #expect(cache.sent == 41)
    }

    @Test("9211: the status tells a miss of the address from one of Vary") func status() async throws {
        let cache = cache("accept")
        #expect(try await cache.get().headers[.cacheStatus] == "sluice;fwd=uri-miss")
        #expect(try await cache.get([.accept: "a"]).headers[.cacheStatus] == "sluice;fwd=vary-miss")
        cache.advance(7)
        #expect(try await cache.get().headers[.cacheStatus] == "sluice;hit;ttl=53")
    }
}
#endif
