#if HTTP
import Foundation
import HTTPTypes
import MetricsTestKit
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

/// Tests that the checks for the five leaks of chains find them: each check is made of the chain that the builder makes,
/// and of the order of earlier versions, which is composed by hand, and has the leak.
@Suite(.timeLimit(.minutes(20))) struct OldOrderTests {
    @TaskLocal static var user: String?

    enum Order: CaseIterable { case old, built }

    /// A stage that hides from the stages outside it what the stages inside it note for them. Those notes keep most wrong
    /// orders that are composed by hand from leaking, too.
    private struct Forgetful: SimpleFilter<TransportRequest, TransportResponse> {
        func process(
            _ request: TransportRequest,
            next: some Node<TransportRequest, TransportResponse>
        ) async throws -> TransportResponse {
            let copy = TransportRequest(request.method, request.url, headers: request.headers, body: request.body)
            let response = try await next.process(copy)
            let body: ByteStream = response.body
            return TransportResponse(status: response.status, headers: response.headers, body: body)
        }
    }

    private static let token = BearerFilter(token: { Self.user }, refresh: {})

    private func wire(
        _ filter: some SimpleFilter<TransportRequest, TransportResponse>
    ) -> AnyNode<TransportRequest, TransportResponse> {
        AnyNode(Forgetful().andThen(filter).andThen(HTTPTransport()))
    }

    private func chain(_ builder: URLChainBuilder<URL>, _ url: URL) -> AnyNode<TransportRequest, TransportResponse> {
        let chain = builder.plain(url)
        return AnyNode { _ in try await chain.process() }
    }

    private func text(
        _ node: AnyNode<TransportRequest, TransportResponse>,
        _ url: URL,
        as user: String? = nil
    ) async throws -> String {
        try await Self.$user.withValue(user) { try await node.process(TransportRequest(.get, url)).text() }
    }

    /// The cache outside the token gives one user's answer to another.
    @Test(arguments: Order.allCases) func cacheAndToken(_ order: Order) async throws {
        let server = try OriginServer { request, _ in
            .of(200, .control("private, max-age=3600", [.vary: "Authorization"]), request["Authorization"] ?? "")
        }
        let url = try server.url()
        let cache = CacheFilter(HTTPCache())
        let node =
            switch order {
            case .old: AnyNode(cache.andThen(wire(Self.token)))
            case .built: chain(URLChainBuilder<URL>().set(.cache, cache).set(.token, Self.token), url)
            }
        #expect(try await text(node, url, as: "ada") == "Bearer ada")
        let second = try await text(node, url, as: "bob")
        #expect((second == "Bearer ada") == (order == .old))
        #expect((second == "Bearer bob") == (order == .built))
    }

    /// The single flight outside the token gives one user's answer to another.
    @Test(arguments: Order.allCases) func deduplicationAndToken(_ order: Order) async throws {
        let latch = Latch()
        let server = try OriginServer { request, _ in
            latch.wait()
            return .of(200, [:], request["Authorization"] ?? "")
        }
        let url = try server.url()
        let node =
            switch order {
            case .old: AnyNode(CoalescingFilter().andThen(wire(Self.token)))
            case .built:
                chain(URLChainBuilder<URL>().set(.deduplication, .coalescing).set(.token, Self.token), url)
            }
        async let ada = text(node, url, as: "ada")
        await until { server.requests.count == 1 }
        async let bob = text(node, url, as: "bob")
        await untilLikely { server.requests.count == 2 }
        latch.open()
        #expect(try await ada == "Bearer ada")
        let second = try await bob
        #expect((second == "Bearer ada") == (order == .old))
        #expect((second == "Bearer bob") == (order == .built))
    }

    /// The cache outside the redirects stores an answer under the address of a redirect that must not be stored.
    @Test(arguments: Order.allCases) func cacheAndRedirects(_ order: Order) async throws {
        let server = try OriginServer { request, number in
            request.path == "/start"
                ? .of(302, .control("no-store", [.location: "/target\(number)"]))
                : .of(200, .control("max-age=3600"), request.path)
        }
        let url = try server.url("/start")
        let cache = CacheFilter(HTTPCache())
        let node =
            switch order {
            case .old: AnyNode(cache.andThen(wire(RedirectFilter())))
            case .built: chain(URLChainBuilder<URL>().set(.cache, cache), url)
            }
        #expect(try await text(node, url) == "/target1")
        let second = try await text(node, url)
        #expect((second == "/target1") == (order == .old))
        #expect((second == "/target3") == (order == .built))
    }

    /// Metrics outside the cache and the retry count hits as requests, and hide attempts.
    @Test(arguments: Order.allCases) func metricsAndCacheAndRetry(_ order: Order) async throws {
        let server = try OriginServer { _, number in number < 3 ? .of(503) : .of(200, .control("max-age=60")) }
        let url = try server.url()
        let (wire, cache) = (TestMetrics(), CacheFilter(HTTPCache()))
        let metrics = HTTPMetricsFilter(factory: wire)
        let retry = RetryFilter.http(maxAttempts: 3, backoff: .none)
        let node =
            switch order {
            case .old: AnyNode(metrics.andThen(cache).andThen(retry).andThen(HTTPTransport()))
            case .built:
                chain(URLChainBuilder<URL>().set(.metrics, metrics).set(.cache, cache).set(.retry, retry), url)
            }
        for _ in 1...3 { _ = try await text(node, url) }
        let statuses = wire.timers.flatMap { timer in
            timer.values.map { _ in timer.dimensions.first { $0.0 == "http.response.status_code" }?.1 ?? "" }
        }
        #expect(server.requests.count == 3)
        #expect(statuses.sorted() == (order == .old ? ["200", "200", "200"] : ["200", "503", "503"]))
    }

    /// A provider outside the retry gives every attempt the nonce of the first.
    @Test(arguments: Order.allCases) func providerAndRetry(_ order: Order) async throws {
        let server = try OriginServer { _, number in .of(number < 3 ? 503 : 200) }
        let url = try server.url()
        let name = try #require(HTTPField.Name("X-Nonce"))
        let count = Counter()
        let nonces = HeaderFilter(purpose: .attempt) { _ in [name: "\(count.next())"] }
        let retry = RetryFilter.http(maxAttempts: 3, backoff: .none)
        let node =
            switch order {
            case .old: AnyNode(nonces.andThen(retry).andThen(HTTPTransport()))
            case .built: chain(URLChainBuilder<URL>().set(.attemptHeaders, nonces).set(.retry, retry), url)
            }
        _ = try await text(node, url)
        #expect(server.requests.map { $0["X-Nonce"] } == (order == .old ? ["1", "1", "1"] : ["1", "2", "3"]))
    }
}
#endif
