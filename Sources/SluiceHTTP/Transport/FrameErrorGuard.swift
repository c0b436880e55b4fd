import NIOCore
import NIOHPACK
import NIOHTTP2

/// Closes a connection of HTTP/2 whose frames cannot be read: what decodes them stops there without closing it, and calls
/// over it would wait until their time is over.
final class FrameErrorGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// Puts a guard behind what AsyncHTTPClient has just set up.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FrameErrorGuard()) }
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
