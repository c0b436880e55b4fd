#if HTTP
import Foundation
import HTTPTypes

@testable import SluiceHTTP

/// Bodies that the commands `brotli` and `zstd` have compressed.
enum CompressedBodies {
    /// A model as JSON, whose text is 1,983 bytes long.
    static let plain: [UInt8] = {
        let line = "All work and no play makes Jack a dull boy. "
        let text = String(String(repeating: line, count: 50).prefix(1956))
        return Array("{\"name\": \"Ada\", \"text\": \"\(text)\"}".utf8)
    }()

    /// The same model in a coding: `brotli -q 11` and `zstd -19`.
    static func document(_ coding: ContentCoding) -> [UInt8] {
        switch coding {
        case .br: bytes("sfA9ACTwn7dU334265qqtOOaG0kwAxtw4BBYGBhuAMPGGHimtRv5lF8qqLopIQOK4CzY2hSw6b7MzcbE8BNB3zfjqg8=")
        case .zstd:
            bytes(
                "KLUv/WS/BiUCACIEDhKQzwHsaAODwfHLFCNdN8vrD3KXH2orV0qe95NpcohSr9dW7o39sH56bV6pSFHkA+4z+ILRasY2AgCr"
                    + "+6lfijDvXJRAng=="
            )
        }
    }

    /// A short body that becomes very long: 256 MiB of zeros from `brotli -q 5`, and 64 MiB of zeros in a frame of blocks
    /// with one repeated byte.
    static func bomb(_ coding: ContentCoding) -> [UInt8] {
        switch coding {
        case .br:
            bytes(
                "z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRh"
                    + "Aeje//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f/"
                    + "/z8AEgBxWAC69//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37f/7//wMgARCHBaB7/z8="
            )
        case .zstd: zeros(blocks: 512, window: 0x68)
        }
    }

    /// A frame of zstd with blocks of 128 KiB of zeros: each is a header and the byte to repeat.
    static func zeros(blocks: Int, window: UInt8) -> [UInt8] {
        [0x28, 0xB5, 0x2F, 0xFD, 0, window] + Array(repeatElement([2, 0, 0x10, 0], count: blocks - 1).joined())
            + [3, 0, 0x10, 0]
    }

    private static func bytes(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }

    /// An answer with a body in a coding.
    static func answer(_ coding: ContentCoding, _ body: [UInt8], status: String = "200 OK") -> [UInt8] {
        let head = "HTTP/1.1 \(status)\r\nContent-Encoding: \(coding.rawValue)\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}

/// The tests that both codings share.
struct DecodingFixture {
    let coding: ContentCoding

    /// Returns the decoded bytes of pieces, without a network.
    func decode(
        _ pieces: [[UInt8]],
        limit: HTTPTransport.Decompression = .ratio(500)
    ) async throws -> [UInt8] {
        guard let decoder = coding.makeDecoder() else { throw CancellationError() }
        var body = DecodedBody(decoder, limit: limit)
        var rest = pieces[...]
        var bytes: [UInt8] = []
        while let piece = try await body.next(from: { rest.popFirst() }) { bytes += piece }
        return bytes
    }

    /// Returns the answer of a server that always sends these bytes.
    func get(
        _ answer: [UInt8],
        _ settings: HTTPTransport.Settings = .init(),
        body: HTTPTransport.BodyMode = .whole(upTo: 4 << 20)
    ) async throws -> [UInt8] {
        let server = try HostileServer { _ in answer }
        defer { server.stop() }
        var settings = settings
        settings.body = body
        return try await withHTTPTransport(settings) { transport async throws in
            let response = try await transport.process(TransportRequest(.get, try server.url()))
            return try await response.body.collected(upTo: 4 << 20)
        }
    }
}
#endif
