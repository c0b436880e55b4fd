import NIOCore
import NIOHTTP1

/// What came is not an answer of HTTP.
struct NotHTTP: Error {}

/// Ends a connection on which a status comes that is none: AsyncHTTPClient takes `HTTP/1.1 099` for a hint that an
/// answer follows, and traps when its body comes instead.
final class StatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isClosed = false

    /// Puts a guard right behind the decoder of a connection that AsyncHTTPClient has just set up.
    @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(StatusGuard(), position: .after(decoder))
        }
    }

    /// Passes parts on up to the first bad head; what the decoder has left after that goes nowhere.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        if case .head(let head) = unwrapInboundIn(data), !(100...999).contains(head.status.code) {
            isClosed = true
            context.fireErrorCaught(NotHTTP())
            context.close(promise: nil)
        } else {
            context.fireChannelRead(data)
        }
    }
}
