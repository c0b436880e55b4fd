#if HTTP
import Foundation
import HTTPTypes
import Sluice
import Testing

@testable import SluiceHTTP

/// Tests of RFC 9111, 4.4: requests that change something invalidate stored answers.
@Suite("RFC 9111, 4.4: invalidation") struct CacheInvalidationTests {
    /// Returns the stored addresses that remain after a request.
    func left(_ method: String, _ status: Int, _ headers: HTTPFields = [:]) async throws -> [String] {
        let paths = ["a", "b", "c"]
        let cache = CacheFixture { request, _ in
            request.method == .get ? .of(200, .control("max-age=60")) : .of(status, headers)
        }
        for path in paths { try await cache.get([:], path) }
        try await cache.get(method: #require(HTTPRequest.Method(method)))
        var left: [String] = []
        for path in paths where try await cache.get(.control("only-if-cached"), path).status == .ok {
            left.append(path)
        }
        return left
    }

    @Test("4.4: unsafe methods with success, unknown ones too", arguments: ["POST", "PUT", "DELETE", "PATCH", "BREW"])
    func unsafe(_ method: String) async throws {
        #expect(try await left(method, 200) == ["b", "c"])
        #expect(try await left(method, 303) == ["b", "c"])
        #expect(try await left(method, 404) == ["a", "b", "c"])
        #expect(try await left(method, 500) == ["a", "b", "c"])
    }

    @Test("4.4: safe methods change nothing", arguments: ["OPTIONS", "TRACE"])
    func safe(_ method: String) async throws {
        #expect(try await left(method, 200) == ["a", "b", "c"])
    }

    @Test("4.4: Location and Content-Location, of the same origin") func locations() async throws {
        #expect(try await left("POST", 201, [.location: "/b", .contentLocation: "https://example.com/c"]) == [])
        #expect(try await left("POST", 201, [.location: "https://other.example/b"]) == ["b", "c"])
    }

    @Test("4.4: nobody makes it forget what is another server's") func otherOrigin() async throws {
        let cache = CacheFixture { request, _ in
            request.method == .get
                ? .of(200, .control("max-age=60")) : .of(201, [.location: "https://other.example/b"])
        }
        let other = try TransportRequest.get("https://other.example/b")
        _ = try await cache.node.process(other)
        try await cache.get(method: .post)
        _ = try await cache.node.process(other)
        #expect(cache.sent == 2)
    }

    @Test("4.4: what is under way meanwhile is not stored") func underWay() async throws {
        let gate = Context<Void>()
        let cache = CacheFixture { request, number in
            if number == 1 { try await gate.value }
            return .of(200, .control("max-age=60"), "\(number)")
        }
        async let first = cache.text()
        await cache.settle { cache.sent == 1 }
        try await cache.get(method: .put)
        gate.emit(())
        #expect(try await first == "1")
        #expect(try await cache.text() == "3")
    }

    @Test func byHand() async throws {
        let cache = CacheFixture(.of(200, .control("max-age=60")))
        try await cache.get([:], "a#x")
        try await cache.get([:], "b")
        await cache.cache.remove(try .of("https://example.com/a"))
        #expect(try await cache.get(.control("only-if-cached"), "a").status.code == 504)
        #expect(try await cache.get(.control("only-if-cached"), "b").status.code == 200)
        await cache.cache.removeAll()
        #expect(await cache.cache.byteCount == 0)
    }
}
#endif
