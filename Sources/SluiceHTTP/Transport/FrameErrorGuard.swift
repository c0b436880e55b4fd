import NIOCore
import NIOHPACK
import NIOHTTP2

/// Closes a connection of HTTP/2 whose frames cannot be read: what decodes them stops there without closing it, and calls
/// over it would wait until their time is over.
final class FrameErrorGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// The number of answers that have come over the connection.
    var answers = 0
    /// The last stream that the server has processed, as its GOAWAY says; `nil` before one.
    private(set) var lastStream: HTTP2StreamID?

    /// Puts a guard behind what AsyncHTTPClient has just set up.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FrameErrorGuard()) }
    }

    /// Notes a GOAWAY; the streams above its last one are closed after that.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload { lastStream = last }
        context.fireChannelRead(data)
    }

    /// Errors of one stream pass: the others go on.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        if error is NIOHTTP2Errors.UnableToParseFrame || error is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock
            || error is NIOHTTP2Errors.ExcessiveContinuationFrames || error is any NIOHPACKError
        {
            context.close(promise: nil)
        }
    }
}
