#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// Tests of the filters against httpbin.
@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct HTTPBinFilterTests {
    func json(_ node: some Node<TransportRequest, TransportResponse>, _ path: String, _ headers: HTTPFields = [:])
        async throws -> JSON
    {
        let response = try await node.process(TransportRequest(.get, HTTPBin.url(path), headers: headers))
        return try JSON(parsing: try await response.body.collected(upTo: 1 << 20))
    }

    @Test(arguments: ["/redirect/5", "/relative-redirect/5", "/absolute-redirect/5"])
    func redirects(_ path: String) async throws {
        let node = RedirectFilter().andThen(StatusFilter()).andThen(HTTPTransport())
        let answer = try await json(node, path, [.userAgent: "sluice"])
        #expect(answer["url"]?.string?.hasSuffix("/get") == true)
        #expect(answer["headers"]?["User-Agent"] == "sluice")
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func methodsAfterRedirects(_ status: Int, _ method: String) async throws {
        let url = try HTTPBin.url("/redirect-to?url=/anything&status_code=\(status)")
        let request = TransportRequest(.post, url, headers: [.contentType: "text/plain"], body: "hello")
        let response = try await RedirectFilter().andThen(HTTPTransport()).process(request)
        let answer = try JSON(parsing: try await response.body.collected(upTo: 1 << 20))
        #expect(answer["method"]?.string == method)
        #expect(answer["data"]?.string == (method == "POST" ? "hello" : ""))
    }

    @Test func basicAuth() async throws {
        func node(_ password: String) throws -> some Node<TransportRequest, TransportResponse> {
            BasicAuthFilter(for: try HTTPBin.url("/"), user: "ada", password: password)
                .andThen(StatusFilter()).andThen(HTTPTransport())
        }
        #expect(try await json(node("pässword"), "/basic-auth/ada/p%C3%A4ssword")["user"] == "ada")
        let error = await #expect(throws: HTTPError.self) { try await json(node("other"), "/basic-auth/ada/secret") }
        #expect(error?.response?.status.code == 401)
    }

    @Test func bearerAuth() async throws {
        let token = Locked<String?>(nil)
        let filter = BearerFilter(
            for: try HTTPBin.url("/"),
            token: { token.withLock { $0 } },
            refresh: { token.withLock { $0 = "t1" } }
        )
        let answer = try await json(filter.andThen(StatusFilter()).andThen(HTTPTransport()), "/bearer")
        #expect(answer == ["authenticated": true, "token": "t1"])
    }

    @Test func links() async throws {
        // The address of each page determines its fields; the last page links only to the previous one.
        func page(_ number: Int, _ link: String, _ relation: String) throws -> URL {
            try HTTPBin.url("/response-headers").appending(query: [
                "page": number, "Link": "<\(link)>; rel=\"\(relation)\"",
            ])
        }
        let last = try page(3, "/", "prev")
        let second = try page(2, last.absoluteString, "next")
        let first = try page(1, second.absoluteString, "next")
        let node = StatusFilter().andThen(HTTPTransport())
        let pager = Pager.links(from: TransportRequest(.get, first), through: node) { response in
            [try JSON(parsing: try await response.body.collected(upTo: 1 << 20))["page"]?.string]
        }
        var pages: [String?] = []
        for try await page in pager.items { pages.append(page) }
        #expect(pages == ["1", "2", "3"])
    }

    @Test func cacheAndETag() async throws {
        let sent = Counter()
        let counting = AnyFilter<TransportRequest, TransportResponse, TransportRequest, TransportResponse>("count") {
            _ = sent.next()
            return try await $1.process($0)
        }
        let node = CacheFilter(HTTPCache()).andThen(counting).andThen(HTTPTransport())
        let name = try #require(HTTPField.Name("Cache-Status"))
        func status(_ path: String) async throws -> String? {
            try await node.process(TransportRequest(.get, HTTPBin.url(path))).headers[name]
        }
        #expect(try await status("/cache/86400") == "sluice;fwd=uri-miss")
        #expect(try await status("/cache/86400")?.hasPrefix("sluice;hit;ttl=") == true)
        #expect(sent.value == 1)
        #expect(try await status("/etag/abc") == "sluice;fwd=uri-miss")
        #expect(try await status("/etag/abc")?.hasPrefix("sluice;fwd=stale;fwd-status=304") == true)
        // httpbin answers any condition with 304.
        #expect(try await status("/cache") == "sluice;fwd=uri-miss")
        #expect(try await status("/cache")?.contains("fwd-status=304") == true)
        #expect(sent.value == 5)
    }

    @Test func validation() async throws {
        let node = ContentTypeFilter().andThen(HTTPTransport())
        let accept: HTTPFields = [.accept: "application/json"]
        #expect(try await json(node, "/json", accept)["slideshow"] != nil)
        let error = await #expect(throws: HTTPError.self) { try await json(node, "/html", accept) }
        #expect(error?.message == "the answer is text/html, not application/json")
    }

    @Test func headersAndRetry() async throws {
        let node = HeaderFilter { _ in [.userAgent: "sluice"] }.andThen(HTTPTransport())
        #expect(try await json(node, "/user-agent") == ["user-agent": "sluice"])
        let sent = Counter()
        let counting = HeaderFilter { _ in
            _ = sent.next()
            return [:]
        }
        let retry = RetryFilter.http(maxAttempts: 3, backoff: .none).andThen(counting).andThen(HTTPTransport())
        #expect(try await retry.process(TransportRequest(.get, HTTPBin.url("/status/503"))).status.code == 503)
        #expect(sent.value == 3)
    }
}
#endif
