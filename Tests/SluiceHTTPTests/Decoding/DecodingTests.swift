#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import Testing

@testable import SluiceHTTP

/// Tests of what a build says about the codings that it does and doesn't decode, with any traits.
@Suite struct DecodingTests {
    @Test(arguments: ContentCoding.allCases) func codingsOfTheBuild(_ coding: ContentCoding) {
        #expect((coding.makeDecoder() != nil) == ContentCoding.decoded.contains(coding))
        #expect(ContentCoding.accepted?.contains(coding.rawValue) ?? false == ContentCoding.decoded.contains(coding))
    }

    /// Requests ask for exactly the codings that are decoded.
    @Test func requestedCodings() async throws {
        func sent(_ settings: HTTPTransport.Settings, _ headers: HTTPFields = [:]) async throws -> [String] {
            let server = try HostileServer("HTTP/1.1 204 No Content\r\n\r\n")
            defer { server.stop() }
            try await withHTTPTransport(settings) { transport async throws in
                _ = try await transport.process(TransportRequest(.get, try server.url(), headers: headers))
            }
            return server.requests.flatMap { $0.components(separatedBy: "\r\n") }
                .filter { $0.lowercased().hasPrefix("accept-encoding:") }
        }
        let fields = try await sent(.init())
        #expect(fields.count == 1)
        let codings = Set(fields[0].dropFirst("accept-encoding:".count).split(separator: ",").map { "\($0.trimmed)" })
        #expect(codings == Set(["gzip", "deflate"] + ContentCoding.decoded.map(\.rawValue)))
        #expect(try await sent(.init(), [.acceptEncoding: "identity"]) == ["Accept-Encoding: identity"])
        var settings = HTTPTransport.Settings()
        settings.decompression = .off
        #expect(try await sent(settings).isEmpty)
    }

    /// A body that can't be decoded in this build is an error that names the trait; with the trait, one that was not
    /// decoded is an error that names the setting.
    @Test(arguments: ContentCoding.allCases) func errorOfACodingThatIsNotDecoded(_ coding: ContentCoding) async throws {
        let answer = CompressedBodies.answer(coding, CompressedBodies.document(coding))
        let server = try HostileServer { _ in answer }
        defer { server.stop() }
        var settings = HTTPTransport.Settings()
        settings.decompression = .off
        try await withHTTPTransport(settings) { transport async throws in
            let chain: RequestChain<Void, UserEntry> = URLChainBuilder<URL>(transport: transport)
                .route(.get, try server.url()).build()
            let error = await #expect(throws: HTTPError.self) { try await chain.process() }
            #expect(error?.code == .badBody)
            let message = error?.message ?? ""
            if ContentCoding.decoded.contains(coding) {
                let text = "its Content-Encoding \"\(coding.rawValue)\" was not decoded: decompression is off"
                #expect(message.contains(text), "\(message)")
            } else {
                let text = "its Content-Encoding \"\(coding.rawValue)\" is not decoded: build Sluice with the trait"
                #expect(message.contains("\(text) \(coding.trait), or ask for gzip"), "\(message)")
            }
        }
    }

    /// A ratio is a limit for long bodies; short ones may repeat themselves as often as they like.
    @Test func limits() {
        #expect(HTTPTransport.Decompression.ratio(500).allows(1 << 20, of: 1))
        #expect(!HTTPTransport.Decompression.ratio(500).allows(1 << 20 + 1, of: 1))
        #expect(HTTPTransport.Decompression.ratio(500).allows(5_000_000, of: 10_000))
        #expect(!HTTPTransport.Decompression.ratio(500).allows(5_000_001, of: 10_000))
        #expect(HTTPTransport.Decompression.ratio(.max).allows(.max, of: .max))
        #expect(HTTPTransport.Decompression.bytes(10).allows(10, of: 1))
        #expect(!HTTPTransport.Decompression.bytes(10).allows(11, of: 1))
    }
}
#endif
