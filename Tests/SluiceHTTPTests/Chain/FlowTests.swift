#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// Tests of whole chains against httpbin: the combination of several stages.
@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct FlowTests {
    let builder = URLChainBuilder<URL>().timeout(.seconds(300))

    func get(_ path: String) throws -> RequestChain<Void, JSON> {
        builder.route(.get, try HTTPBin.url(path)).build()
    }

    @Test func redirectsAreFollowedByTheirRules() async throws {
        #expect(try await get("/redirect/5").process()["url"]?.string?.hasSuffix("/get") == true)
        #expect(try await get("/absolute-redirect/2").process()["url"]?.string?.hasSuffix("/get") == true)
        let kept: RequestChain<UserEntry, JSON> = builder.route(
            .post,
            try HTTPBin.url("/redirect-to?url=/anything&status_code=307")
        ).build()
        let echo = try await kept.process(UserEntry(name: "Ada", age: 36))
        #expect(echo["method"] == "POST")
        #expect(echo["json"] == ["name": "Ada", "age": 36])
        let turned: RequestChain<UserEntry, JSON> = builder.route(
            .post,
            try HTTPBin.url("/redirect-to?url=/anything&status_code=303")
        ).build()
        let other = try await turned.process(UserEntry(name: "Ada", age: 36))
        #expect(other["method"] == "GET")
        #expect(other["data"] == "")
    }

    @Test func tooManyRedirects() async throws {
        let chain: RequestChain<Void, JSON> = builder.route(.get, try HTTPBin.url("/redirect/5"))
            .set(.redirects, RedirectFilter(.follow(atMost: 4))).build()
        let error = await #expect(throws: HTTPError.self) { try await chain.process() }
        #expect(error?.message == "more than 4 redirects")
    }

    @Test func credentialsOfEitherKind() async throws {
        let url = try HTTPBin.url("/basic-auth/ada/secret")
        let basic: RequestChain<Void, JSON> = builder.route(.get, url)
            .set(.token, BasicAuthFilter(for: url, user: "ada", password: "secret")).build()
        #expect(try await basic.process()["authenticated"] == true)
        let wrong: RequestChain<Void, JSON> = builder.route(.get, url)
            .set(.token, BasicAuthFilter(for: url, user: "ada", password: "no")).build()
        let error = await #expect(throws: HTTPError.self) { try await wrong.process() }
        #expect(error?.response?.status == .unauthorized)

        let refreshed = Locked<String?>(nil)
        let bearer = BearerFilter(
            for: url,
            token: { refreshed.withLock { $0 } },
            refresh: { refreshed.withLock { $0 = "fresh" } }
        )
        let chain: RequestChain<Void, JSON> = builder.route(.get, try HTTPBin.url("/bearer")).set(.token, bearer)
            .build()
        #expect(try await chain.process()["token"] == "fresh")
    }

    @Test func credentialsStayWithTheirServer() async throws {
        // The same server with another name is another origin.
        let url = try HTTPBin.url("/redirect-to")
        let port = try #require(url.port)
        let target = "http://localhost:\(port)/headers"
        let chain: RequestChain<Void, JSON> = builder.route(.get, url).set(query: ["url": target])
            .set(headers: [.authorization: "Bearer secret", .cookie: "a=b", .userAgent: "sluice"]).build()
        let headers = try await chain.process()["headers"]
        #expect(headers?["Authorization"] == nil)
        #expect(headers?["Cookie"] == nil)
        #expect(headers?["User-Agent"] == "sluice")
    }

    @Test func cookiesAreSentAndSeen() async throws {
        let sent: RequestChain<Void, JSON> = builder.route(.get, try HTTPBin.url("/cookies"))
            .set(headers: [.cookie: "a=1; b=2"]).build()
        #expect(try await sent.process()["cookies"] == ["a": "1", "b": "2"])
        let set: RequestChain<Void, Data> = try builder.route(.get, try HTTPBin.url("/cookies/set?a=1&b=2"))
            .remove(.redirects).loadData()
        let fields = try await set.withHead.process().headers[values: .setCookie]
        #expect(fields.sorted() == ["a=1; Path=/", "b=2; Path=/"])
    }

    @Test func timesOfOneTryAndOfAll() async throws {
        let slow = try HTTPBin.url("/delay/5")
        let attempt: RequestChain<Void, JSON> = builder.route(.get, slow).timeout(perAttempt: .milliseconds(50))
            .set(.retry, RetryFilter.http(maxAttempts: 2, backoff: .constant(.milliseconds(1)))).build()
        var error = await #expect(throws: HTTPError.self) { try await attempt.process() }
        #expect(error?.code == .timedOut)
        #expect(error?.timeout == .attempt)
        #expect(error?.description == "GET \(slow): no answer within 0.05 seconds")
        let total: RequestChain<Void, JSON> = builder.route(.get, slow).timeout(.milliseconds(50)).build()
        error = await #expect(throws: HTTPError.self) { try await total.process() }
        #expect(error?.timeout == .total)
    }

    @Test func entityTags() async throws {
        let url = try HTTPBin.url("/etag/v1")
        let met: RequestChain<Void, Data> = builder.route(.get, url).set(headers: [.ifNoneMatch: "v1"]).loadData()
        #expect(try await met.withHead.process().status == .notModified)
        let cache = HTTPCache()
        let cached: RequestChain<Void, JSON> = builder.route(.get, url).set(.cache, CacheFilter(cache)).build()
        let first = try await cached.process()
        #expect(try await cached.process() == first)
        #expect(await cache.byteCount > 0)
    }

    @Test func equalRequestsBecomeOne() async throws {
        let chain: RequestChain<Void, JSON> = builder.route(.get, try HTTPBin.url("/uuid"))
            .set(.deduplication, CoalescingFilter()).build()
        let slow: RequestChain<Void, JSON> = builder.route(.get, try HTTPBin.url("/delay/1"))
            .set(.deduplication, CoalescingFilter()).build()
        _ = try await chain.process()
        async let one = slow.withHead.process()
        async let two = slow.withHead.process()
        let (first, second) = try await (one, two)
        #expect(first.value == second.value)
    }

    @Test func encodingsOfBodies() async throws {
        #expect(try await get("/gzip").process()["gzipped"] == true)
        #expect(try await get("/deflate").process()["deflated"] == true)
    }

    @Test func aCancelledCallEnds() async throws {
        let chain = try get("/delay/5")
        let task = Task { try await chain.process() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
#endif
