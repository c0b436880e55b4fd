#if HTTP
import Foundation
import HTTPTypes
import SluiceFilters
import Testing

@testable import SluiceHTTP

/// Tests of `zstd`, which only a build with the trait Zstd decodes.
@Suite(.enabled(if: ContentCoding.decoded.contains(.zstd), "the trait Zstd is off"))
struct ZstdTests {
    private let fixture = DecodingFixture(coding: .zstd)

    @Test func aModel() async throws {
        let answer = CompressedBodies.answer(.zstd, CompressedBodies.document(.zstd))
        let server = try HostileServer { _ in answer }
        defer { server.stop() }
        let response = try await HTTPTransport().process(TransportRequest(.get, try server.url()))
        #expect(response.body.bytes == CompressedBodies.plain)
        #expect(response.headers[.contentEncoding] == "zstd")
    }

    @Test func aStreamedBody() async throws {
        let body = CompressedBodies.document(.zstd)
        let chunks = body.map { Array("1\r\n".utf8) + [$0, 13, 10] }.joined()
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nTransfer-Encoding: chunked\r\n\r\n"
        let answer = Array(head.utf8) + chunks + Array("0\r\n\r\n".utf8)
        #expect(try await fixture.get(answer, body: .streamed) == CompressedBodies.plain)
        #expect(try await fixture.get(answer) == CompressedBodies.plain)
    }

    /// Pieces of any size give the same bytes.
    @Test func anyPieces() async throws {
        let body = CompressedBodies.document(.zstd)
        for size in 1...body.count {
            let pieces = stride(from: 0, to: body.count, by: size).map { Array(body[$0..<min($0 + size, body.count)]) }
            #expect(try await fixture.decode(pieces) == CompressedBodies.plain)
        }
        #expect(try await fixture.decode([]).isEmpty)
    }

    /// A bomb is refused as soon as it exceeds the limit, whole and streamed.
    @Test(arguments: [HTTPTransport.Decompression.ratio(500), .bytes(100_000)])
    func aBomb(_ limit: HTTPTransport.Decompression) async throws {
        var settings = HTTPTransport.Settings()
        settings.decompression = limit
        let answer = CompressedBodies.answer(.zstd, CompressedBodies.bomb(.zstd))
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
    @Test func exactLimits() async throws {
        let body = CompressedBodies.document(.zstd)
        let count = CompressedBodies.plain.count
        #expect(try await fixture.decode([body], limit: .bytes(count)).count == count)
        await #expect(throws: ContentDecodingError.self) { try await fixture.decode([body], limit: .bytes(count - 1)) }
        let answer = CompressedBodies.answer(.zstd, body)
        #expect(try await fixture.get(answer, body: .whole(upTo: count)).count == count)
        let error = await #expect(throws: HTTPError.self) {
            try await fixture.get(answer, body: .whole(upTo: count - 1))
        }
        #expect(error?.code == .bodyTooLarge)
    }

    /// A body that breaks off at any byte, and one with bytes after its end, are errors.
    @Test func incompleteBodies() async throws {
        let body = CompressedBodies.document(.zstd)
        for count in 1..<body.count {
            await #expect(throws: ContentDecodingError.self) { try await fixture.decode([Array(body[..<count])]) }
        }
        await #expect(throws: ContentDecodingError.self) { try await fixture.decode([body + [7]]) }
        await #expect(throws: ContentDecodingError.self) { try await fixture.decode([body, [7]]) }
        let answer = CompressedBodies.answer(.zstd, Array(body.dropLast(5)))
        let error = await #expect(throws: HTTPError.self) { try await fixture.get(answer) }
        #expect(error?.code == .badBody)
        #expect(error?.message == "the body cannot be decompressed: its end is missing")
    }

    /// For any damage the body is decoded or refused, and the process doesn't crash.
    @Test func damagedBodies() async throws {
        var random = RandomSource(seed: 7932)
        for body in [CompressedBodies.document(.zstd), CompressedBodies.bomb(.zstd)] {
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
            try await fixture.get(CompressedBodies.answer(.zstd, Array("not zstd at all".utf8)))
        }
        #expect(error?.code == .badBody)
    }

    @Test(arguments: ["204 No Content", "304 Not Modified"]) func withoutABody(_ status: String) async throws {
        let answer = Array("HTTP/1.1 \(status)\r\nContent-Encoding: zstd\r\n\r\n".utf8)
        #expect(try await fixture.get(answer).isEmpty)
    }

    /// A body may have several frames, but none with a window of more than 8 MiB.
    @Test func frames() async throws {
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
