#if HTTP
#if canImport(Darwin) || URLSession
import Dispatch
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// Tests of the transport over URLSession against httpbin.
@Suite(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
struct URLSessionTransportTests {
    static let modes: [URLSessionTransport.Mode] = [.whole(upTo: 1 << 20), .streamed, .files(upTo: 1 << 20)]

    @Test(arguments: modes) func chains(_ mode: URLSessionTransport.Mode) async throws {
        let builder = URLChainBuilder<URL>(transport: URLSessionTransport(mode: mode))
        let chain: RequestChain<UserEntry, JSON> = builder.route(.post, try HTTPBin.url("/anything?a=%20b"))
            .set(headers: [.userAgent: "sluice"]).build()
        let echo = try await chain.process(UserEntry(name: "Ada", age: 36))
        #expect(echo["method"] == "POST")
        #expect(echo["url"]?.string?.hasSuffix("/anything?a=%20b") == true || echo["args"]?["a"] == " b")
        #expect(echo["json"] == ["name": "Ada", "age": 36])
        #expect(echo["headers"]?["Content-Type"] == "application/json")
        #expect(echo["headers"]?["User-Agent"] == "sluice")
        let error = await #expect(throws: HTTPError.self) {
            try await HTTP.get(try HTTPBin.url("/status/418"), as: JSON.self, with: builder)
        }
        #expect(error?.response?.status.code == 418)
    }

    /// A redirect is an ordinary answer, which a filter follows.
    @Test(arguments: modes) func redirects(_ mode: URLSessionTransport.Mode) async throws {
        let transport = URLSessionTransport(mode: mode)
        let url = try HTTPBin.url("/redirect-to?url=/anything&status_code=302")
        let response = try await transport.process(TransportRequest(.get, url))
        #expect(response.status == .found)
        #expect(response.headers[.location] == "/anything")
        let echo = try await HTTP.get(url, as: JSON.self, with: URLChainBuilder(transport: transport))
        #expect(echo["method"] == "GET")
    }

    @Test(arguments: modes) func bodies(_ mode: URLSessionTransport.Mode) async throws {
        let transport = URLSessionTransport(mode: mode)
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let file = try folder.write("upload", bytes)
        let stream = RequestBody.stream(RequestStream(count: nil, isReplayable: true) { ByteStream(bytes) })
        for body in [RequestBody.bytes(bytes), .file(file), stream] {
            var request = TransportRequest(.put, try HTTPBin.url("/anything"), body: body)
            request.headers[.contentType] = "application/octet-stream"
            let response = try await transport.process(request)
            let echo = try JSON(parsing: try await response.body.collected(upTo: 1 << 20))
            #expect(echo["data"]?.string == "data:application/octet-stream;base64," + Data(bytes).base64EncodedString())
        }
        let random = try HTTPBin.url("/range/50000")
        let direct = try await HTTPTransport().process(TransportRequest(.get, random)).body.bytes
        let response = try await transport.process(TransportRequest(.get, random))
        #expect(try await response.body.collected(upTo: 1 << 20) == direct)
        let head = try await transport.process(TransportRequest(.head, try HTTPBin.url("/get")))
        #expect(try await head.body.collected(upTo: 1) == [] && head.status == .ok)
    }

    @Test func limits() async throws {
        let request = TransportRequest(.get, try HTTPBin.url("/bytes/50000"))
        for mode in [URLSessionTransport.Mode.whole(upTo: 49_999), .files(upTo: 49_999)] {
            let error = await #expect(throws: HTTPError.self) {
                try await URLSessionTransport(mode: mode).process(request)
            }
            #expect(error?.code == .bodyTooLarge)
        }
    }

    /// Nothing is kept between two calls: no cookies, and no answers.
    @Test func noStore() async throws {
        let transport = URLSessionTransport()
        _ = try await transport.process(TransportRequest(.get, try HTTPBin.url("/cookies/set?a=1")))
        let cookies = try await transport.process(TransportRequest(.get, try HTTPBin.url("/cookies")))
        #expect(try JSON(parsing: cookies.body.bytes ?? [])["cookies"] == [:])
    }
}

/// Tests of the failures of the transport over URLSession.
@Suite struct URLSessionFaultTests {
    @Test func refusedConnections() async throws {
        // A port that was free a moment ago.
        let server = try OriginServer { _, _ in TransportResponse() }
        let url = try server.url()
        _ = try await URLSessionTransport().process(TransportRequest(.get, url))
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().process(TransportRequest(.get, try .of("http://127.0.0.1:1/")))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.isUnsent == true)
    }

    @Test(arguments: ["ftp://example.com/", "mailto:a@b", "http://example.com:99999/"])
    func addresses(_ text: String) async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await URLSessionTransport().process(TransportRequest(.get, try .of(text)))
        }
        #expect(error?.code == .badRequest)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true]) func cancellationAndDeadline(_ isDeadline: Bool)
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let began = AsyncStream<Void>.makeStream()
        let server = try OriginServer { _, _ in
            began.continuation.yield()
            gate.wait()
            return TransportResponse()
        }
        defer { gate.signal() }
        let url = try server.url()
        var context = CallContext.current
        if isDeadline { context.deadline = .now + .milliseconds(500) }
        let sent = context
        let task = Task {
            try await withCallContext(sent) { try await URLSessionTransport().process(TransportRequest(.get, url)) }
        }
        if isDeadline {
            let error = await #expect(throws: HTTPError.self) { try await task.value }
            #expect(error?.code == .timedOut && error?.timeout == .total)
        } else {
            for await _ in began.stream { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
#endif
#endif
