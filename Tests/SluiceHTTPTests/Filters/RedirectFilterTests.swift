#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import Testing

@Suite struct RedirectFilterTests {
    func redirect(_ status: Int, _ location: String) -> TransportResponse {
        .streamed(status, [.location: location], ["gone"])
    }

    @Test func follows() async throws {
        let stub = Stub(redirect(301, "/b"), redirect(307, "c?d"), .streamed(200, [:], ["here"]))
        let response = try await RedirectFilter().andThen(stub.node).process(.get())
        #expect(try await response.text() == "here")
        #expect(
            stub.requests.map(\.url.absoluteString) == [
                "https://example.com/a", "https://example.com/b", "https://example.com/c?d",
            ]
        )
    }

    @Test func credentialsStayWithTheirServer() async throws {
        let key = try #require(HTTPField.Name("X-API-Key"))
        for other in ["https://other.example/", "https://example.com:8443/", "https://sub.example.com/"] {
            let stub = Stub(redirect(302, "/b"), redirect(302, other), .of(200))
            let headers: HTTPFields = [
                .authorization: "a", .cookie: "b", .proxyAuthorization: "c", key: "d", .accept: "e",
            ]
            _ = try await RedirectFilter(privateFields: [key]).andThen(stub.node).process(
                .get("https://example.com/a", headers)
            )
            #expect(stub.requests.map(\.headers) == [headers, headers, [.accept: "e"]])
        }
    }

    /// Removed fields do not return with a redirect to the first server.
    @Test func credentialsAreGoneForGood() async throws {
        let stub = Stub(redirect(302, "https://other.example/"), redirect(302, "https://example.com/c"), .of(200))
        _ = try await RedirectFilter().andThen(stub.node).process(.get("https://example.com/a", [.authorization: "a"]))
        #expect(stub.requests.map { $0.headers[.authorization] } == ["a", nil, nil])
    }

    @Test func neverDownUnlessAllowed() async throws {
        let stub = Stub(redirect(302, "http://example.com/"), .of(200))
        let error = await #expect(throws: HTTPError.self) {
            try await RedirectFilter().andThen(stub.node).process(.get())
        }
        #expect(error?.message == "302 leads nowhere")
        #expect(error?.response?.body.bytes == Array("gone".utf8))
        let lenient = RedirectFilter(allowsDowngrade: true).andThen(
            Stub(redirect(302, "http://example.com/"), .of(200)).node
        )
        #expect(try await lenient.process(.get()).status == .ok)
    }

    @Test func asOftenAsAllowed() async throws {
        for (maximum, count) in [(0, 1), (1, 2), (20, 21)] {
            let stub = Stub(redirect(302, "/b"))
            let error = await #expect(throws: HTTPError.self) {
                try await RedirectFilter(.follow(atMost: maximum)).andThen(stub.node).process(.get())
            }
            #expect(error?.message == "more than \(maximum) redirects")
            #expect(stub.requests.count == count)
        }
    }

    @Test func never() async throws {
        let response = try await RedirectFilter(.never).andThen(Stub(redirect(302, "/b")).node).process(.get())
        #expect(response.status == .found)
        #expect(try await response.text() == "gone")
    }

    @Test func asks() async throws {
        let policy = RedirectPolicy.ask { response, next in
            guard response.status.code == 302 else { return nil }
            var next = next
            next.headers[.userAgent] = "asked"
            return next
        }
        let stub = Stub(redirect(302, "/b"), redirect(307, "/c"))
        #expect(try await RedirectFilter(policy).andThen(stub.node).process(.get()).status.code == 307)
        #expect(stub.requests.map { $0.headers[.userAgent] } == [nil, "asked"])
    }

    @Test func bodiesThatCanBeSentOnce() async throws {
        let once = RequestBody.stream(RequestStream(count: 1, isReplayable: false) { "a" })
        let request = TransportRequest(.post, try .of("https://example.com/"), body: once)
        let error = await #expect(throws: HTTPError.self) {
            try await RedirectFilter().andThen(Stub(redirect(308, "/b"), .of(200)).node).process(request)
        }
        #expect(error?.code == .badRequest)
        #expect(error?.message == "308 asks for the body again, and it can be sent only once")
        // If the redirect drops the body, it need not be sent again.
        let stub = Stub(redirect(303, "/b"), .of(200))
        #expect(try await RedirectFilter().andThen(stub.node).process(request).status == .ok)
        #expect(stub.requests.last?.method == .get)
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { RedirectFilter() } }
}
#endif
