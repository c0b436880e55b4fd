#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceHTTP
import Testing

@Suite struct StatusFilterTests {
    @Test(arguments: [200, 204, 206, 301, 304, 399])
    func whatPasses(_ status: Int) async throws {
        let node = StatusFilter().andThen(Stub(.streamed(status, [:], ["a", "b"])).node)
        let response = try await node.process(.get())
        #expect(try await response.text() == "ab")  // Its body was not read.
    }

    @Test func streamedErrorsHaveTheirProblem() async throws {
        let problem = ["{\"type\": \"about:blank\", ", "\"detail\": \"no credit\"}"]
        let stub = Stub(.streamed(402, [.contentType: "application/problem+json"], problem))
        let error = await #expect(throws: HTTPError.self) {
            try await StatusFilter().andThen(stub.node).process(.get())
        }
        #expect(error?.problem?.detail == "no credit")
        #expect(error?.description == "GET https://example.com/a: 402")
    }

    @Test func errorsKeepNoMoreThanTheyMay() async throws {
        let endless = TransportResponse(
            status: .internalServerError,
            body: ByteStream { { [UInt8](repeating: 65, count: 1000) } }
        )
        let error = await #expect(throws: HTTPError.self) {
            try await StatusFilter(maximumErrorBytes: 2500).andThen(Stub(endless).node).process(.get())
        }
        #expect(error?.response?.body.bytes?.count == 2500)
    }

    @Test func aBodyThatBreaksOffIsKeptAsFarAsItCame() async throws {
        struct Broken: Error {}
        let count = Counter()
        let response = TransportResponse(
            status: .badGateway,
            body: ByteStream { { if count.next() < 3 { [65] } else { throw Broken() } } }
        )
        let error = await #expect(throws: HTTPError.self) {
            try await StatusFilter().andThen(Stub(response).node).process(.get())
        }
        #expect(error?.response?.body.bytes == [65, 65])
    }

    @Test func whatTheCallerSays() async throws {
        await #expect(throws: HTTPError.self) {
            try await StatusFilter(accepting: 200..<300).andThen(Stub(.of(304)).node).process(.get())
        }
        let lenient = StatusFilter(where: { $0.code >= 500 })
        #expect(try await lenient.andThen(Stub(.of(404)).node).process(.get()).status == .notFound)
        await #expect(throws: HTTPError.self) { try await lenient.andThen(Stub(.of(500)).node).process(.get()) }
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { StatusFilter() } }
}

@Suite struct ContentTypeFilterTests {
    func isTaken(_ accept: String?, _ type: String?, filter: ContentTypeFilter = ContentTypeFilter()) async -> Bool {
        let stub = Stub(.of(200, type.map { [.contentType: $0] } ?? [:], "body"))
        return await (try? filter.andThen(stub.node).process(.get("https://a.b", accept.map { [.accept: $0] } ?? [:])))
            != nil
    }

    @Test(arguments: [
        ("application/json", "application/json; charset=utf-8"), ("application/*", "application/json"),
        ("text/html, application/json;q=0.5", "Application/JSON"), ("*/*", "image/png"), ("*/*", nil), (nil, "a/b"),
        (nil, nil), ("", "a/b"), ("*/json", "application/json"), ("a/b;x=\",\"", "a/b"),
    ])
    func taken(_ accept: String?, _ type: String?) async { #expect(await isTaken(accept, type)) }

    @Test(arguments: [
        ("application/json", "text/html"), ("image/*", "application/json"), ("application/json", nil),
        ("application/json", "nonsense"), ("text/plain;q=0, a/b", "text/plain"),
    ])
    func refused(_ accept: String, _ type: String?) async { #expect(await !isTaken(accept, type)) }

    @Test func namedTypes() async {
        let filter = ContentTypeFilter(["image/*"])
        #expect(await isTaken("text/plain", "image/png", filter: filter))
        #expect(await !isTaken("text/plain", "text/plain", filter: filter))
    }

    @Test func theErrorSaysWhat() async throws {
        let stub = Stub(.streamed(200, [.contentType: "text/html"], ["<h", "1>"]))
        let error = await #expect(throws: HTTPError.self) {
            try await ContentTypeFilter().andThen(stub.node).process(.get("https://a.b/", [.accept: "a/b, c/d"]))
        }
        #expect(error?.code == .badBody)
        #expect(error?.message == "the answer is text/html, not a/b or c/d")
        #expect(error?.response?.body.bytes == Array("<h1>".utf8))
        let bare = await #expect(throws: HTTPError.self) {
            try await ContentTypeFilter(["a/b"]).andThen(Stub(.of(200, [:], "x")).node).process(.get())
        }
        #expect(bare?.message == "the answer is of no type, not a/b")
    }

    @Test func noBodyNeedsNoType() async throws {
        let filter = ContentTypeFilter(["a/b"])
        for response in [TransportResponse.of(204), .of(304), .of(200), .streamed(200, [.contentLength: "0"], [])] {
            _ = try await filter.andThen(Stub(response).node).process(.get())
        }
        let head = TransportRequest(.head, try .of("https://example.com/"))
        _ = try await filter.andThen(Stub(.streamed(200, [.contentLength: "9"], [])).node).process(head)
    }

    @Test func obeysTheLaws() async throws { try await checkLaws { ContentTypeFilter() } }
}
#endif
