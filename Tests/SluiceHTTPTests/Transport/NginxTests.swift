#if HTTP
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOSSL
import Sluice
import SluiceHTTP
import Testing

/// A real server with HTTP/2, TLS, and gzip, started by `bin/test`.
enum Nginx {
    private static let environment = ProcessInfo.processInfo.environment
    static var isThere: Bool { environment["SLUICE_NGINX"]?.isEmpty == false }

    static func url(_ path: String) throws -> URL {
        try #require(URL(string: (environment["SLUICE_NGINX"] ?? "") + path))
    }

    static func secureURL(_ path: String) throws -> URL {
        try #require(URL(string: (environment["SLUICE_NGINX_TLS"] ?? "") + path))
    }

    /// Returns settings that trust only the authority of the server's certificate.
    static func settings() throws -> HTTPTransport.Settings {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(try #require(environment["SLUICE_NGINX_CA"]))
        var settings = HTTPTransport.Settings()
        settings.tls = tls
        return settings
    }
}

extension TransportRequest {
    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

extension TransportResponse {
    subscript(name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}

@Suite(.enabled(if: Nginx.isThere, "nginx is not there: it or openssl cannot be had; see bin/test"))
struct NginxTests {
    @Test func gzip() async throws {
        let response = try await HTTPTransport().process(TransportRequest(.get, try Nginx.url("/text")))
        #expect(response.headers[.contentEncoding] == "gzip")
        let bytes = try #require(response.body.bytes)
        #expect(bytes.count == 100_000)
        #expect(String(decoding: bytes.prefix(44), as: UTF8.self) == "All work and no play makes Jack a dull boy.\n")
    }

    @Test func compressionThatIsOff() async throws {
        var settings = HTTPTransport.Settings()
        settings.decompression = .off
        let url = try Nginx.url("/text")
        try await withHTTPTransport(settings) { transport async throws in
            let plain = try await transport.process(TransportRequest(.get, url))
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(plain.body.bytes?.count == 100_000)
            let request = TransportRequest(.get, url, headers: [.acceptEncoding: "gzip"])
            let compressed = try await transport.process(request)
            #expect(compressed.body.bytes?.starts(with: [0x1F, 0x8B]) == true)
        }
    }

    @Test(arguments: [HTTPTransport.Decompression.bytes(99_999), .ratio(10)])
    func decompressionWithALimit(_ limit: HTTPTransport.Decompression) async throws {
        var settings = HTTPTransport.Settings()
        settings.decompression = limit
        let url = try Nginx.url("/text")
        let error = await #expect(throws: HTTPError.self) {
            try await withHTTPTransport(settings) { try await $0.process(TransportRequest(.get, url)) }
        }
        #expect(error?.code == .badBody)
        #expect(error?.message == "the body cannot be decompressed")
    }

    @Test func keepAlive() async throws {
        let url = try Nginx.url("/echo")
        try await withHTTPTransport { transport async throws in
            var connections: Set<String?> = []
            for count in 1...20 {
                let response = try await transport.process(TransportRequest(.get, url))
                connections.insert(response["X-Connection"])
                #expect(response["X-Requests"] == "\(count)")
                #expect(response["X-Protocol"] == "HTTP/1.1")
            }
            #expect(connections.count == 1)
        }
    }

    @Test func connectionThatIsNotKept() async throws {
        let url = try Nginx.url("/short")
        try await withHTTPTransport { transport async throws in
            var connections: Set<String?> = []
            for _ in 1...3 {
                connections.insert(try await transport.process(TransportRequest(.get, url))["X-Connection"])
            }
            #expect(connections.count == 3)
        }
    }

    @Test func http2OverTLS() async throws {
        let url = try Nginx.secureURL("/echo")
        try await withHTTPTransport(try Nginx.settings()) { transport async throws in
            let answers = try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                for index in 0..<20 {
                    let request = TransportRequest(.get, url, headers: [.init("X-Name")!: "\(index)"])
                    group.addTask { try await transport.process(request) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map { $0["X-Protocol"] }) == ["HTTP/2.0"])
            let bodies = answers.map { String(decoding: $0.body.bytes ?? [], as: UTF8.self) }
            #expect(Set(bodies) == Set((0..<20).map { "GET \($0)" }))
            // All requests use one connection, or few while the first one was being made.
            #expect(Set(answers.map { $0["X-Connection"] }).count <= 2)
        }
    }

    @Test func http1WhereItIsAskedFor() async throws {
        var settings = try Nginx.settings()
        settings.version = .http1Only
        let url = try Nginx.secureURL("/echo")
        let response = try await withHTTPTransport(settings) { try await $0.process(TransportRequest(.get, url)) }
        #expect(response["X-Protocol"] == "HTTP/1.1")
    }

    @Test func largeBodyOverHTTP2() async throws {
        var settings = try Nginx.settings()
        settings.body = .streamed
        let (secure, plain) = (try Nginx.secureURL("/random"), try Nginx.url("/random"))
        let bytes = try await withHTTPTransport(settings) { transport async throws in
            try await transport.process(TransportRequest(.get, secure)).body.collected(upTo: 1_000_000)
        }
        #expect(try await HTTPTransport().process(TransportRequest(.get, plain)).body.bytes == bytes)
    }

    @Test func certificateThatNobodyVouchesFor() async throws {
        let url = try Nginx.secureURL("/echo")
        let error = await #expect(throws: HTTPError.self) {
            try await HTTPTransport().process(TransportRequest(.get, url))
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.hasPrefix("no connection: ") == true)
        #expect(error?.message.contains("CERTIFICATE_VERIFY_FAILED") == true)
    }

    @Test func resume() async throws {
        let path = NSTemporaryDirectory() + "/sluice-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let request = TransportRequest(.get, try Nginx.url("/random"))
        let whole = try #require(try await HTTPTransport().process(request).body.bytes)
        // A first download, whose reader stops after some bytes.
        let leaving = LeavingTransport(next: HTTPTransport(body: .streamed), after: 300_000)
        let error = await #expect(throws: HTTPError.self) {
            try await Download(over: leaving).process(.init(request, to: path))
        }
        #expect(error?.message == "left")
        let file = try await Download(over: HTTPTransport(body: .streamed)).process(.init(request, to: path))
        #expect(file.resumedAt >= 300_000)
        #expect(file.resumedAt < 1_000_000)
        #expect(file.headers[.contentRange] == "bytes \(file.resumedAt)-999999/1000000")
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path))) == whole)
    }
}

/// A transport that breaks bodies off after some bytes.
struct LeavingTransport: Transport {
    typealias Input = TransportRequest
    typealias Output = TransportResponse

    let next: any Node<TransportRequest, TransportResponse>
    let after: Int

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        var response = try await next.process(request)
        let (body, after) = (response.body, after)
        response.body = ByteStream {
            var chunks = body.makeAsyncIterator()
            var count = 0
            return {
                if count >= after { throw HTTPError(.unreachable, "left", request: nil) }
                let chunk = try await chunks.next()
                count += chunk?.count ?? 0
                return chunk
            }
        }
        return response
    }
}
#endif
