#if HTTP
import Foundation
import HTTPTypes
import MetricsTestKit
import Sluice
import SluiceFilters
import SluiceTesting
import Testing

@testable import SluiceHTTP

/// Tests of pairs of stages whose order matters, over a real server.
@Suite(.timeLimit(.minutes(20))) struct ChainOrderTests {
    private static let nonce = HTTPField.Name("X-Nonce") ?? .via

    /// A provider that counts its calls.
    struct Counting: HeaderProvider {
        let name: HTTPField.Name
        let purpose: FieldPurpose
        let count = Counter()
        func headers(for request: TransportRequest) async throws -> HTTPFields { [name: "\(count.next())"] }
    }

    private static let patience = RetryFilter.http(maxAttempts: 3, backoff: .none)

    // MARK: - Redirects

    /// cache × redirects: each hop is stored or not, according to its own fields.
    @Test(
        arguments: [
            (302, "no-store", 2), (302, "max-age=60", 1), (302, nil, 2), (301, "no-store", 2), (301, "max-age=60", 1),
            (307, "no-store", 2), (307, "max-age=60", 1), (308, "max-age=60", 1), (303, nil, 2),
        ] as [(Int, String?, Int)]
    )
    func cacheAndRedirects(_ status: Int, _ control: String?, _ hops: Int) async throws {
        let server = try OriginServer { request, _ in
            if request.path == "/target" { return .of(200, .control("max-age=3600"), "here") }
            return .of(status, control.map { .control($0, [.location: "/target"]) } ?? [.location: "/target"])
        }
        let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache())).plain(try server.url("/start"))
        for _ in 1...2 { #expect(try await chain.process().text() == "here") }
        #expect(server.paths.filter { $0 == "/start" }.count == hops)
        #expect(server.paths.filter { $0 == "/target" }.count == 1)
    }

    /// A stack that was built by hand in the wrong order stores no answer that a redirect led to.
    @Test func cacheAroundRedirectsByHand() async throws {
        let server = try OriginServer { request, _ in
            request.path == "/target"
                ? .of(200, .control("max-age=3600"), "here") : .of(302, .control("no-store", [.location: "/target"]))
        }
        let stack = CacheFilter(HTTPCache()).andThen(RedirectFilter())
        #expect(stack.lint().map(\.rule) == [.cacheAroundRedirects])
        for _ in 1...2 {
            let response = try await stack.andThen(HTTPTransport()).process(
                TransportRequest(.get, server.url("/start"))
            )
            #expect(try await response.text() == "here")
        }
        #expect(server.paths == ["/start", "/target", "/start", "/target"])
    }

    /// redirect to another origin × everything that identifies the user; and back again.
    @Test func otherOriginsGetNothing() async throws {
        let names = [
            "Authorization", "Cookie", "X-API-Key", "X-Tenant", "X-Nonce", "X-Signature", "Proxy-Authorization",
        ]
        let server = try OriginServer { request, _ in
            switch request.path {
            case "/start":
                let port = request["Host"]?.split(separator: ":").last ?? ""
                return .of(302, [.location: "http://localhost:\(port)/other"])
            case "/other":
                let port = request["Host"]?.split(separator: ":").last ?? ""
                return .of(302, [.location: "http://127.0.0.1:\(port)/end"])
            default: return .of(200)
            }
        }
        @Sendable func field(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .via }
        let chain = URLChainBuilder<URL>()
            .set(headers: [field("X-API-Key"): "key", field("Proxy-Authorization"): "p", .cookie: "a=b", .accept: "x"])
            .set(.token, BearerFilter(token: { "secret" }, refresh: {}))
            .add(provider: Counting(name: field("X-Tenant"), purpose: .user))
            .add(provider: Counting(name: Self.nonce, purpose: .attempt))
            .set(.signature, SignatureFilter { _ in [field("X-Signature"): "s"] })
            .set(.retry, Self.patience)
            .plain(try server.url("/start"))
        #expect(try await chain.process().status == .ok)
        let requests = server.requests
        #expect(requests.map(\.path) == ["/start", "/other", "/end"])
        #expect(names.filter { requests[0][$0] == nil } == [])
        #expect(names.filter { requests[1][$0] != nil } == [])
        // The stages' fields are added for the first origin at every hop; the request's own are removed for good.
        #expect(names.filter { requests[2][$0] != nil } == ["Authorization", "X-Tenant", "X-Nonce", "X-Signature"])
        #expect(requests.map { $0["Accept"] } == ["x", "x", "x"])
    }

    /// The fields of stages outside the redirects, placed by hand, are removed again.
    @Test func fieldsAroundRedirectsByHand() async throws {
        let server = try OriginServer { request, _ in
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return request.host == "localhost" ? .of(200) : .of(307, [.location: "http://localhost:\(port)/other"])
        }
        let tenant = try #require(HTTPField.Name("X-Tenant"))
        let node = HeaderFilter { _ in [tenant: "t"] }.andThen(HeaderFilter([.userAgent: "app"]))
            .andThen(RedirectFilter()).andThen(HTTPTransport())
        #expect(node.lint().map(\.rule) == [.fieldsAroundRedirects])
        #expect(try await node.process(TransportRequest(.get, server.url())).status == .ok)
        #expect(server.requests.map { $0["X-Tenant"] } == ["t", nil])
        #expect(server.requests.map { $0["User-Agent"] } == ["app", "app"])
    }

    /// The origins that a stage names for its fields get them.
    @Test func originsOfFields() async throws {
        let server = try OriginServer { request, _ in
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return request.host == "localhost" ? .of(200) : .of(307, [.location: "http://localhost:\(port)/other"])
        }
        let other = try server.otherURL()
        let filters: [(HeaderFilter, [String?])] = [
            (HeaderFilter(origins: .any) { _ in [.authorization: "a"] }, ["a", "a"]),
            (HeaderFilter(origins: .only(other)) { _ in [.authorization: "a"] }, [nil, "a"]),
            (HeaderFilter([.authorization: "a"], origins: .only(other)), [nil, "a"]),
            (HeaderFilter([.authorization: "a"]), ["a", nil]),
        ]
        for (index, (filter, expected)) in filters.enumerated() {
            _ = try await URLChainBuilder<URL>().set(.headers, filter).plain(try server.url()).process()
            #expect(server.requests.suffix(2).map { $0["Authorization"] } == expected, "filter \(index)")
        }
    }

    // MARK: - Attempts

    /// providers × retry: fields of an attempt are new in each attempt, and fields of a hop are requested once.
    @Test func providersAndRetry() async throws {
        let server = try OriginServer { _, number in .of(number < 3 ? 503 : 200) }
        let language = Counting(name: .acceptLanguage, purpose: .answer)
        let tenant = Counting(name: .userAgent, purpose: .user)
        let chain = URLChainBuilder<URL>().set(.retry, Self.patience)
            .add(provider: Counting(name: Self.nonce, purpose: .attempt)).add(provider: language).add(provider: tenant)
            .set(
                .signature,
                SignatureFilter(signing: [Self.nonce]) { [.authorization: "sign \($0.headers[Self.nonce] ?? "")"] }
            )
            .plain(try server.url())
        #expect(try await chain.process().status == .ok)
        #expect(server.requests.map { $0["X-Nonce"] } == ["1", "2", "3"])
        #expect(server.requests.map { $0["Authorization"] } == ["sign 1", "sign 2", "sign 3"])
        #expect(server.requests.map { $0["Accept-Language"] } == ["1", "1", "1"])
        #expect((language.count.value, tenant.count.value) == (1, 1))
    }

    /// metrics × cache × retry: only requests on the wire are measured.
    @Test func metricsAndCacheAndRetry() async throws {
        let server = try OriginServer { _, number in number < 3 ? .of(503) : .of(200, .control("max-age=60")) }
        let (wire, calls) = (TestMetrics(), TestMetrics())
        let chain = URLChainBuilder<URL>().set(.metrics, HTTPMetricsFilter(factory: wire))
            .set(.callMetrics, HTTPMetricsFilter(.calls, factory: calls))
            .set(.cache, CacheFilter(HTTPCache())).set(.retry, Self.patience).plain(try server.url())
        for _ in 1...3 { #expect(try await chain.process().status == .ok) }
        func counts(_ metrics: TestMetrics) -> [String: Int] {
            metrics.timers.reduce(into: [:]) { counts, timer in
                let status = timer.dimensions.first { $0.0 == "http.response.status_code" }?.1 ?? ""
                counts["\(timer.label) \(status)", default: 0] += timer.values.count
            }
        }
        #expect(
            counts(wire) == ["http.client.request.duration 503": 2, "http.client.request.duration 200": 1]
        )
        #expect(counts(calls) == ["sluice.client.call.duration 200": 3])
    }

    /// refresh × retry × cache: a refusal is refreshed once, each hop is retried, and the answer is stored.
    @Test func refreshAndRetryAndCache() async throws {
        let server = try OriginServer { request, number in
            if request["Authorization"] != "Bearer new" { return .of(401) }
            return number < 4 ? .of(503) : .of(200, .control("max-age=60"), "here")
        }
        let token = Locked("old")
        let refreshes = Counter()
        let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache())).set(.retry, Self.patience)
            .set(
                .token,
                BearerFilter(
                    token: { token.withLock { $0 } },
                    refresh: {
                        _ = refreshes.next()
                        token.withLock { $0 = "new" }
                    }
                )
            )
            .plain(try server.url())
        for _ in 1...2 { #expect(try await chain.process().text() == "here") }
        #expect(
            server.requests.map { $0["Authorization"] } == ["Bearer old"] + Array(repeating: "Bearer new", count: 3)
        )
        #expect(refreshes.value == 1)
    }

    // MARK: - Cache

    /// 401 × stale entry: the 401 is the answer, despite stale-if-error; a 503 is not.
    @Test(arguments: [401, 403, 503]) func refusalsAndStaleEntries(_ status: Int) async throws {
        let server = try OriginServer { _, number in
            number == 1 ? .of(200, .control("max-age=0, stale-if-error=3600", [.eTag: "\"1\""]), "old") : .of(status)
        }
        let chain = try URLChainBuilder<URL>().remove(.status).set(.cache, CacheFilter(HTTPCache())).plain(
            try server.url()
        )
        #expect(try await chain.process().text() == "old")
        let second = try await chain.process()
        #expect(second.status.code == (status == 503 ? 200 : status))
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\""])
    }

    /// A 401 to a conditional request leads to a refresh, which repeats the hop through the cache.
    @Test func refusalOfACondition() async throws {
        let server = try OriginServer { request, number in
            switch number {
            case 1: .of(200, .control("max-age=0, stale-if-error=3600", [.eTag: "\"1\""]), "old")
            default:
                request["Authorization"] == "Bearer new" ? .of(304, [.eTag: "\"1\""]) : .of(401, .control("max-age=60"))
            }
        }
        let token = Locked("old")
        let chain = URLChainBuilder<URL>()
            .set(.cache, CacheFilter(HTTPCache(), partition: { _ in "ada" }))
            .set(.token, BearerFilter(token: { token.withLock { $0 } }, refresh: { token.withLock { $0 = "new" } }))
            .plain(try server.url())
        for _ in 1...2 { #expect(try await chain.process().text() == "old") }
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer old", "Bearer new"])
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, "\"1\"", "\"1\""])
    }

    /// A stored 403 that caused a refresh is not the answer to the refreshed call.
    @Test func refreshesPassStoredRefusals() async throws {
        let server = try OriginServer { request, _ in
            request["Authorization"] == "Bearer new"
                ? .of(200, [:], "here") : .of(403, .control("max-age=60"))
        }
        let token = Locked("old")
        let bearer = BearerFilter(
            refusals: [401, 403],
            token: { token.withLock { $0 } },
            refresh: { token.withLock { $0 = "new" } }
        )
        let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache(), partition: { _ in "ada" }))
            .set(.token, bearer).plain(try server.url())
        #expect(try await chain.process().text() == "here")
        #expect(server.requests.count == 2)
    }

    /// A refusal is not stored, regardless of its fields.
    @Test(arguments: [401, 407]) func refusalsAreNotStored(_ status: Int) async throws {
        let server = try OriginServer { _, number in .of(number == 1 ? status : 200, .control("max-age=60")) }
        let chain = try URLChainBuilder<URL>().remove(.status).set(.cache, CacheFilter(HTTPCache())).plain(
            try server.url()
        )
        #expect(try await chain.process().status.code == status)
        #expect(try await chain.process().status == .ok)
    }

    /// hit × Set-Cookie: the first answer sets the cookie, a hit does not, and a 304 with a cookie does.
    @Test func hitsSetNoCookies() async throws {
        let server = try OriginServer { _, number in
            number == 1
                ? .of(200, .control("max-age=10", [.setCookie: "a=1", .eTag: "\"1\""])) : .of(304, [.setCookie: "a=2"])
        }
        let clock = TestClock()
        let cache = CacheFilter(HTTPCache(), clock: WallClock(start: Date(), clock: clock))
        let chain = URLChainBuilder<URL>().set(.cache, cache).plain(try server.url())
        var cookies: [[String]] = []
        for advance in [0, 0, 20, 0] {
            clock.advance(by: .seconds(advance))
            cookies.append(try await chain.process().headers[values: .setCookie])
        }
        #expect(cookies == [["a=1"], [], ["a=2"], []])
        #expect(server.requests.count == 2)
    }

    /// `Vary` × fields that a stage inside the cache adds: the cache can't compare them, so it stores nothing.
    @Test func varyOnFieldsFromInside() async throws {
        for (vary, count) in [("X-Nonce", 2), ("Accept, x-nonce", 2), ("Accept", 1)] {
            let server = try OriginServer { request, _ in
                .of(200, .control("max-age=60", [.vary: vary]), request["X-Nonce"] ?? "")
            }
            let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache()))
                .set(.deduplication, CoalescingFilter())
                .add(provider: Counting(name: Self.nonce, purpose: .attempt)).plain(try server.url())
            for _ in 1...2 { _ = try await chain.process() }
            #expect(server.requests.count == count, "Vary: \(vary)")
        }
    }

    /// A filter that declares nothing adds credentials inside the cache and the single flight: nothing is stored.
    @Test func undeclaredCredentialsFromInside() async throws {
        struct Sly: SimpleFilter<TransportRequest, TransportResponse> {
            let count = Counter()
            func process(
                _ request: TransportRequest,
                next: some Node<TransportRequest, TransportResponse>
            ) async throws -> TransportResponse {
                var request = request
                request.headers[.authorization] = "user \(count.next())"
                return try await next.process(request)
            }
        }
        let server = try OriginServer { request, _ in
            .of(200, .control("max-age=60"), request["Authorization"] ?? "")
        }
        let chain = try URLChainBuilder<URL>().set(.cache, CacheFilter(HTTPCache()))
            .set(.deduplication, CoalescingFilter()).wrap(.transport, in: Sly(), named: "sly").plain(try server.url())
        #expect(try await chain.process().text() == "user 1")
        #expect(try await chain.process().text() == "user 2")
    }

    // MARK: - Signatures

    /// signature × cache and single flight: the identity separates the signers.
    @Test func signaturesOfTwoUsers() async throws {
        let server = try OriginServer { request, _ in
            .of(200, .control("max-age=60"), request["Authorization"]?.components(separatedBy: " ").first ?? "")
        }
        let cache = HTTPCache()
        let count = Counter()
        for _ in 1...2 {
            for user in ["ada", "bob"] {
                let chain = URLChainBuilder<URL>().set(.cache, CacheFilter(cache))
                    .set(.deduplication, CoalescingFilter())
                    .set(
                        .signature,
                        SignatureFilter(identity: { _ in user }) { _ in [.authorization: "\(user) \(count.next())"] }
                    )
                    .plain(try server.url())
                #expect(
                    chain.description
                        == "plain → status → redirects → identity → cache → deduplication → signature → body → transport"
                )
                #expect(try await chain.process().text() == user)
            }
        }
        #expect(server.requests.count == 2)
    }
}
#endif
