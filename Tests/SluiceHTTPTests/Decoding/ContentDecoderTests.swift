#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import Testing

@testable import SluiceHTTP

/// Tests of `br` and `zstd`, which only builds with the traits Brotli and Zstd decode: the same for each.
@Suite(.enabled(if: !ContentCoding.decoded.isEmpty, "the traits Brotli and Zstd are off"))
struct ContentDecoderTests {
    /// The codings that this build decodes.
    static let codings = ContentCoding.allCases.filter(ContentCoding.decoded.contains)

    @Test(arguments: codings) func aModel(_ coding: ContentCoding) async throws {
        let answer = CompressedBodies.answer(coding, CompressedBodies.document(coding))
        let server = try HostileServer { _ in answer }
        defer { server.stop() }
        let response = try await HTTPTransport().process(TransportRequest(.get, try server.url()))
        #expect(response.body.bytes == CompressedBodies.plain)
        #expect(response.headers[.contentEncoding] == coding.rawValue)
    }

    @Test(arguments: codings) func aStreamedBody(_ coding: ContentCoding) async throws {
        let fixture = DecodingFixture(coding: coding)
        let body = CompressedBodies.document(coding)
        let chunks = body.map { Array("1\r\n".utf8) + [$0, 13, 10] }.joined()
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.rawValue)\r\nTransfer-Encoding: chunked\r\n\r\n"
        let answer = Array(head.utf8) + chunks + Array("0\r\n\r\n".utf8)
        #expect(try await fixture.get(answer, body: .streamed) == CompressedBodies.plain)
        #expect(try await fixture.get(answer) == CompressedBodies.plain)
    }

    /// Pieces of any size give the same bytes.
    @Test(arguments: codings) func anyPieces(_ coding: ContentCoding) async throws {
        let fixture = DecodingFixture(coding: coding)
        let body = CompressedBodies.document(coding)
        for size in 1...body.count {
            let pieces = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
            #expect(try await fixture.decode(pieces) == CompressedBodies.plain)
        }
        #expect(try await fixture.decode([]).isEmpty)
    }

    /// A bomb is refused as soon as it exceeds the limit, whole and streamed.
    @Test(arguments: codings, [HTTPTransport.Decompression.ratio(500), .bytes(100_000)])
    func aBomb(_ coding: ContentCoding, _ limit: HTTPTransport.Decompression) async throws {
        let fixture = DecodingFixture(coding: coding)
        var settings = HTTPTransport.Settings()
        settings.decompression = limit
        let answer = CompressedBodies.answer(coding, CompressedBodies.bomb(coding))
        for mode in [HTTPTransport.BodyMode.whole(upTo: 4 << 20), .streamed] {
            let error = await #expect(throws: HTTPError.self) { try await fixture.get(answer, settings, body: mode) }
            #expect(error?.code == .badBody)
            #expect(
                error?.message
                    == "the body cannot be decompressed: it becomes longer than the transport's settings allow"
            )
        }
    }

    /// The limits of the settings are exact, and so is that of collected bodies.
    @Test(arguments: codings) func exactLimits(_ coding: ContentCoding) async throws {
        let fixture = DecodingFixture(coding: coding)
        let body = CompressedBodies.document(coding)
        let count = CompressedBodies.plain.count
        #expect(try await fixture.decode([body], limit: .bytes(count)).count == count)
        await #expect(throws: ContentDecodingError.self) { try await fixture.decode([body], limit: .bytes(count - 1)) }
        let answer = CompressedBodies.answer(coding, body)
        #expect(try await fixture.get(answer, body: .whole(upTo: count)).count == count)
        let error = await #expect(throws: HTTPError.self) {
            try await fixture.get(answer, body: .whole(upTo: count - 1))
        }
        #expect(error?.code == .bodyTooLarge)
    }

    /// A body that breaks off at any byte, and one with bytes after its end, are errors.
    @Test(arguments: codings) func incompleteBodies(_ coding: ContentCoding) async throws {
        let fixture = DecodingFixture(coding: coding)
        let body = CompressedBodies.document(coding)
        for count in 1..<body.count {
            await #expect(throws: ContentDecodingError.self) { try await fixture.decode([Array(body[..<count])]) }
        }
        await #expect(throws: ContentDecodingError.self) { try await fixture.decode([body + [7]]) }
        await #expect(throws: ContentDecodingError.self) { try await fixture.decode([body, [7]]) }
        let answer = CompressedBodies.answer(coding, Array(body.dropLast(5)))
        let error = await #expect(throws: HTTPError.self) { try await fixture.get(answer) }
        #expect(error?.code == .badBody)
        #expect(error?.message == "the body cannot be decompressed: its end is missing")
    }

    /// For any damage the body is decoded or refused, and the process doesn't crash.
    @Test(arguments: codings) func damagedBodies(_ coding: ContentCoding) async throws {
        let fixture = DecodingFixture(coding: coding)
        var random = RandomSource(seed: 7932)
        for body in [CompressedBodies.document(coding), CompressedBodies.bomb(coding)] {
            for _ in 0..<500 {
                var damaged = body
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let place = Int.random(in: 0..<min(damaged.count, 100), using: &random)
                    damaged[place] = .random(in: 0...255, using: &random)
                }
                do {
                    #expect(try await fixture.decode([damaged]).count <= 1 << 20 + 500 * damaged.count)
                } catch is ContentDecodingError {}
            }
        }
        let error = await #expect(throws: HTTPError.self) {
            try await fixture.get(CompressedBodies.answer(coding, Array("not compressed at all".utf8)))
        }
        #expect(error?.code == .badBody)
    }

    @Test(arguments: codings, ["204 No Content", "304 Not Modified"])
    func withoutABody(_ coding: ContentCoding, _ status: String) async throws {
        let fixture = DecodingFixture(coding: coding)
        let answer = Array("HTTP/1.1 \(status)\r\nContent-Encoding: \(coding.rawValue)\r\n\r\n".utf8)
        #expect(try await fixture.get(answer).isEmpty)
    }

    /// A body may have several frames, but none with a window of more than 8 MiB.
    @Test(.enabled(if: ContentCoding.decoded.contains(.zstd), "the trait Zstd is off"))
    func frames() async throws {
        let fixture = DecodingFixture(coding: .zstd)
        let body = CompressedBodies.document(.zstd)
        #expect(try await fixture.decode([body + body]) == CompressedBodies.plain + CompressedBodies.plain)
        let count = 8 * 131_072
        #expect(try await fixture.decode([CompressedBodies.zeros(blocks: 8, window: 0x68)]).count == count)
        await #expect(throws: ContentDecodingError.self) {
            try await fixture.decode([CompressedBodies.zeros(blocks: 8, window: 0x70)])
        }
    }
}
#endif
