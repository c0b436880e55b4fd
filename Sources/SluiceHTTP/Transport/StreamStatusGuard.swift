#if HTTP
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A handler before the decoder of an HTTP/2 stream that ends the stream at an invalid status: the decoder traps on
/// `-1`, and ignores an informational answer that ends the stream.
final class StreamStatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    private var isClosed = false

    /// Passes frames on until the first head whose status is not of three digits (RFC 9113, 8.3.2), or that ends the
    /// stream although another must follow (8.1).
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        if case .headers(let frame) = unwrapInboundIn(data),
            frame.headers[":status"].contains(where: { !Self.isStatus($0) || frame.endStream && $0.hasPrefix("1") })
        {
            isClosed = true
            context.fireErrorCaught(NotHTTP())
            context.close(promise: nil)
        } else {
            context.fireChannelRead(data)
        }
    }

    private static func isStatus(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
#endif
