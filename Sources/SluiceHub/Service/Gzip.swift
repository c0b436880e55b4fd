#if Hub
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// The content coding gzip, for files that are sent again and again.
enum Gzip {
    /// Returns bytes as gzip (RFC 1952); `nil` if they can't be compressed.
    static func compressed(_ bytes: [UInt8]) -> ByteBuffer? {
        // The compressor is a handler of a channel.
        let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
        defer { _ = try? channel.finish() }
        var result = ByteBuffer()
        do {
            let fields: HTTPHeaders = ["Accept-Encoding": "gzip"]
            let request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields)
            try channel.writeInbound(HTTPServerRequestPart.head(request))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
            let response = HTTPResponseHead(version: .http1_1, status: .ok)
            try channel.writeOutbound(HTTPServerResponsePart.head(response))
            try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
            var isCompressed = false
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                switch part {
                case .head(let head): isCompressed = head.headers.first(name: "Content-Encoding") == "gzip"
                case .body(.byteBuffer(var piece)): result.writeBuffer(&piece)
                case .body, .end: break
                }
            }
            return isCompressed ? result : nil
        } catch {
            return nil
        }
    }

    /// Returns a Boolean value that indicates whether a request's `Accept-Encoding` takes gzip.
    static func isAccepted(by field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            guard let name = words.first, name == "gzip" || name == "*" else { return false }
            return !words.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}
#endif
