#if HTTP
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceTestSupport
import Testing

/// Tests of filters in a program that calls AsyncHTTPClient directly.
@Suite struct HTTPClientFilterTests {
    private static let retry = RetryFilter<TransportRequest, TransportResponse>.http(
        maxAttempts: 3,
        backoff: .constant(.zero)
    )

    @Test(.enabled(if: HTTPBin.isThere, "httpbin is not there: Python or its packages cannot be had; see bin/test"))
    func throughFilters() async throws {
        var request = HTTPClientRequest(
            url: try HTTPBin.url("/redirect-to?url=/anything&status_code=307").absoluteString
        )
        request.method = .PUT
        request.headers = ["User-Agent": "sluice", "X-Twice": "1"]
        request.body = .bytes(ByteBuffer(string: "hello"))
        let response = try await HTTPClient.shared.execute(request, through: RedirectFilter().andThen(Self.retry))
        #expect(response.status == .ok)
        #expect(response.headers.first(name: "content-type") == "application/json")
        let echo = try JSON(parsing: Array(buffer: try await response.body.collect(upTo: 1 << 20)))
        #expect(echo["method"] == "PUT" && echo["data"] == "hello" && echo["headers"]?["User-Agent"] == "sluice")

        let node = TimeoutFilter<HTTPClientRequest, HTTPClientResponse>(.seconds(60)).andThen(HTTPClient.shared.node())
        #expect(try await node.process(HTTPClientRequest(url: try HTTPBin.url("/get").absoluteString)).status == .ok)
    }

    /// A body of bytes is sent again, and one in pieces is sent once.
    @Test func bodies() async throws {
        func bodies(_ body: HTTPClientRequest.Body) async throws -> (status: UInt, [String]) {
            let texts = Locked<[String]>([])
            let server = AnyNode<TransportRequest, TransportResponse> { request in
                let bytes: [UInt8]
                switch request.body {
                case .bytes(let all)?: bytes = all
                case .stream(let stream)?: bytes = try await stream.chunks().collected(upTo: 1000)
                default: bytes = []
                }
                return texts.withLock { texts in
                    texts.append(String(decoding: bytes, as: UTF8.self))
                    return .of(texts.count < 3 ? 503 : 200)
                }
            }
            var request = HTTPClientRequest(url: "http://example.com/")
            request.method = .PUT
            request.body = body
            let response = try await HTTPClient.execute(request, through: Self.retry.andThen(server))
            return (response.status.code, texts.withLock { $0 })
        }
        let once = try await bodies(.bytes(Array("abc".utf8)))
        #expect(once.status == 200 && once.1 == ["abc", "abc", "abc"])
        let empty = try await bodies(.bytes(ByteBuffer()))
        #expect(empty.status == 200 && empty.1 == ["", "", ""])
        let pieces = AsyncStream<ByteBuffer> { continuation in
            for text in ["a", "b", "c"] { continuation.yield(ByteBuffer(string: text)) }
            continuation.finish()
        }
        let streamed = try await bodies(.stream(pieces, length: .unknown))
        #expect(streamed.status == 503 && streamed.1 == ["abc"])
    }

    @Test func answers() async throws {
        let server = Stub(.streamed(201, [.contentType: "text/plain"], ["a", "b"]))
        let request = HTTPClientRequest(url: "http://example.com/")
        let response = try await HTTPClient.execute(request, through: server.node)
        #expect(response.status == .created)
        #expect(String(buffer: try await response.body.collect(upTo: 100)) == "ab")
        for url in [""] {
            let error = await #expect(throws: HTTPError.self) {
                try await HTTPClient.execute(HTTPClientRequest(url: url), through: server.node)
            }
            #expect(error?.code == .badRequest)
        }
    }
}
#endif
