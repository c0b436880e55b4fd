#if HTTP
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A handler that closes a connection of HTTP/2 with unreadable frames: the decoder stops there without closing it, and
/// its calls would wait until they time out.
final class FrameErrorGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// The number of answers that have arrived on the connection.
    var answers = 0
    /// The last stream that the server has processed, according to its GOAWAY; `nil` before one.
    private(set) var lastStream: HTTP2StreamID?
    /// The record of the connection; `nil` if nobody counts it.
    let record: ConnectionRecord?

    private init(_ record: ConnectionRecord?) { self.record = record }

    /// Adds a guard after the handlers that AsyncHTTPClient has just set up.
    static func add(to channel: any Channel, _ monitor: ConnectionMonitor?) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let record = monitor?.connected(channel, "HTTP/2")
            try channel.pipeline.syncOperations.addHandler(FrameErrorGuard(record))
        }
    }

    /// Notes that the connection is closed.
    func channelInactive(context: ChannelHandlerContext) {
        record?.closed()
        context.fireChannelInactive()
    }

    /// Notes a GOAWAY; the streams after its last one are then closed.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload { lastStream = last }
        context.fireChannelRead(data)
    }

    /// Passes on errors of a single stream, since the others continue.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        if error is NIOHTTP2Errors.UnableToParseFrame || error is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock
            || error is NIOHTTP2Errors.ExcessiveContinuationFrames || error is any NIOHPACKError
        {
            context.close(promise: nil)
        }
    }
}
#endif
