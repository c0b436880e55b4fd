#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct HTTPTransportTests {
    @Test func sendsAndReceives() async throws {
        let chain: RequestChain<UserEntry, JSON> = URLChainBuilder<URL>()
            .route(.post, try HTTPBin.url("/anything"))
            .set(headers: [.userAgent: "sluice"])
            .build()
        let echo = try await chain.process(UserEntry(name: "Ada", age: 36))
        #expect(echo["method"] == "POST")
        #expect(echo["json"] == ["name": "Ada", "age": 36])
        #expect(echo["headers"]?["Content-Type"] == "application/json")
        #expect(echo["headers"]?["User-Agent"] == "sluice")
    }

    @Test func twoModelLayersOverTheNetwork() async throws {
        struct Echo: Decodable, Sendable, RawDecodable {
            typealias Raw = JSON
            let json: UserEntry
        }
        struct Answer: Sendable, DTODecodable {
            let user: User
            static func from(dto: Echo) throws -> Answer { Answer(user: try User.from(dto: dto.json)) }
        }
        let chain: RequestChain<User, Answer> = URLChainBuilder<URL>().route(.put, try HTTPBin.url("/anything")).build()
        #expect(try await chain.process(User(fullName: "Ada")).user == User(fullName: "Ada"))
    }

    @Test(arguments: [404, 418, 500, 503])
    func statusIsAnError(_ status: Int) async throws {
        let chain = StatusFilter().andThen(HTTPTransport())
        let request = TransportRequest(.get, try HTTPBin.url("/status/\(status)"))
        let error = await #expect(throws: HTTPError.self) { try await chain.process(request) }
        #expect(error?.response?.status.code == status)
    }

    @Test func bodyThatIsTooLong() async throws {
        let request = TransportRequest(.get, try HTTPBin.url("/bytes/5000"))
        #expect(try await HTTPTransport(body: .whole(upTo: 5000)).process(request).body.bytes?.count == 5000)
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport(body: .whole(upTo: 4999)).process(request)
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test(arguments: ["gzip", "deflate"])
    func compressed(_ encoding: String) async throws {
        let request = TransportRequest(.get, try HTTPBin.url("/\(encoding)"))
        let response = try await HTTPTransport().process(request)
        #expect(response.headers[.contentEncoding] == encoding)
        let json = try JSON(parsing: response.body.bytes ?? [])
        #expect(json[encoding == "gzip" ? "gzipped" : "deflated"] == true)
    }

    @Test func drip() async throws {
        let url = try HTTPBin.url("/drip?duration=0.3&numbytes=6&delay=0")
        let response = try await HTTPTransport(body: .streamed).process(TransportRequest(.get, url))
        #expect(response.headers[.contentLength] == "6")
        let chunks = try await response.body.all()
        #expect(chunks.count > 1)
        #expect(chunks.flatMap { $0 } == Array("******".utf8))
    }

    @Test func jsonLines() async throws {
        struct Line: Decodable {
            let id: Int
        }
        let request = TransportRequest(.get, try HTTPBin.url("/stream/20"))
        let body = try await HTTPTransport(body: .streamed).process(request).body
        #expect(try await body.jsonLines(Line.self).all().map(\.id) == Array(0..<20))
    }

    @Test func streamOfBytes() async throws {
        let url = try HTTPBin.url("/stream-bytes/100000?chunk_size=7777")
        let body = try await HTTPTransport(body: .streamed).process(TransportRequest(.get, url)).body
        #expect(body.bytes == nil)
        #expect(try await body.collected(upTo: 100_000).count == 100_000)
        await #expect(throws: ByteStreamError.alreadyRead) { try await body.collected(upTo: 100_000) }
    }

    @Test func resumedDownload() async throws {
        let path = NSTemporaryDirectory() + "/sluice-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = TransportRequest(.get, try HTTPBin.url("/range/50000?chunk_size=1000"))
        // httpbin writes its ETag without quotes, which RFC 9110 does not allow.
        let quoting = AnyNode<TransportRequest, TransportResponse>("quoting") { request in
            var response = try await HTTPTransport(body: .streamed).process(request)
            response.headers[.eTag] = response.headers[.eTag].map { "\"\($0)\"" }
            return response
        }
        let leaving = LeavingTransport(next: quoting, after: 20_000)
        await #expect(throws: HTTPError.self) { try await Download(over: leaving).process(.init(request, to: path)) }
        let file = try await Download(over: quoting).process(.init(request, to: path))
        #expect(file.resumedAt >= 20_000)
        #expect(file.count == 50_000)
        #expect(
            Array(try Data(contentsOf: URL(fileURLWithPath: path)))
                == (0..<50_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        )
    }

    @Test func uploadOfAFile() async throws {
        let path = NSTemporaryDirectory() + "/sluice-\(UUID().uuidString)"
        let text = String(repeating: "0123456789", count: 30_000)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = TransportRequest(
            .post,
            try HTTPBin.url("/anything"),
            headers: [.contentType: "text/plain"],
            body: .file(path)
        )
        let echo = try JSON(parsing: try await HTTPTransport().process(request).body.bytes ?? [])
        #expect(echo["data"]?.string == text)
        #expect(echo["headers"]?["Content-Length"] == "300000")
    }

    @Test func noAnswerWhileNothingComes() async throws {
        var settings = HTTPTransport.Settings()
        settings.idleTimeout = .milliseconds(100)
        let request = TransportRequest(.get, try HTTPBin.url("/delay/5"))
        let error = await #expect(throws: HTTPError.self) {
            try await withHTTPTransport(settings) { try await $0.process(request) }
        }
        #expect(error?.timeout == .idle)
        #expect(error?.message == "no answer in time")
    }

    @Test func timeIsOver() async throws {
        let server = try HostileServer(serving: { connection in
            connection.receive()
            connection.waitForClose()
        })
        defer { server.stop() }
        let chain = TimeoutFilter(.milliseconds(50)).andThen(HTTPTransport())
        let request = TransportRequest(.get, try server.url())
        await #expect(throws: TimeoutError.self) { try await chain.process(request) }
    }

    @Test func cancelEndsTheExchange() async throws {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        let (closed, close) = AsyncStream<Void>.makeStream()
        let server = try HostileServer(serving: { connection in
            connection.receive()
            ask.yield()
            connection.waitForClose()
            close.yield()
        })
        defer { server.stop() }
        // The server never answers, so that only the cancellation can close the connection.
        let call: Observer<TransportResponse> = HTTPTransport().start(TransportRequest(.get, try server.url()))
        for await _ in asked { break }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        for await _ in closed { break }
    }
}

@Suite struct UnreachableTests {
    @Test func refusedConnection() async throws {
        // Port 9 of loopback is that of the discard service, which is not used today.
        let url = try #require(URL(string: "http://127.0.0.1:9/path?token=secret"))
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport().process(TransportRequest(.get, url))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.description == "GET http://127.0.0.1:9/path: the connection was refused")
        #expect(error?.isPassing == true)
    }

    @Test func addressThatIsNone() async throws {
        let url = try #require(URL(string: "ftp://127.0.0.1/"))
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport().process(TransportRequest(.get, url))
        }
        #expect(error?.code == .badRequest)
    }
}
#endif
