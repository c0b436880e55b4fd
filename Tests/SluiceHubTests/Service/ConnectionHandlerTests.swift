#if Hub
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import SluiceHub

/// The end of connections whose clients read slowly.
@Suite(.timeLimit(.minutes(20))) struct ConnectionHandlerTests {
    /// The bytes of answers, as the handlers before the codec would give them.
    private final class Encoder: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart
        typealias OutboundOut = ByteBuffer

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .body(let bytes) = unwrapOutboundIn(data) else {
                return context.write(wrapOutboundOut(ByteBuffer()), promise: promise)
            }
            context.write(wrapOutboundOut(bytes), promise: promise)
        }
    }

    /// A socket that takes nothing.
    private final class Jam: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func flush(context: ChannelHandlerContext) {}
    }

    /// A connection of a client that has read nothing of an answer yet.
    private func connection(
        _ table: ConnectionTable = ConnectionTable(limit: 10),
        behind jam: Jam? = nil
    ) throws -> EmbeddedChannel {
        let handler = ConnectionHandler(table, patience: .seconds(60))
        let channel = EmbeddedChannel(handlers: (jam.map { [$0] } ?? []) + [Encoder(), handler])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        try channel.writeInbound(HTTPRequestPart.head(request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        // Not flushed: it waits, as it does for a client that does not read.
        channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 1, count: 1000)), promise: nil)
        channel.write(HTTPResponsePart.end(nil), promise: nil)
        return channel
    }

    @Test func whatWasWrittenLeavesBeforeTheEnd() throws {
        let channel = try connection()
        let end = channel.close()
        // A little leaves again and again.
        for count in 1...5 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(59))
            #expect(channel.isActive)
            channel.write(HTTPResponsePart.body(ByteBuffer(repeating: 1, count: count)), promise: nil)
        }
        channel.flush()
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        try end.wait()
        var bytes = 0
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytes }
        #expect(bytes == 1015)
    }

    @Test func aClientThatReadsNothingIsCutOff() throws {
        let channel = try connection()
        let end = channel.close()
        channel.embeddedEventLoop.advanceTime(by: .seconds(58))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        #expect(!channel.isActive)
        try end.wait()
    }

    /// With nothing to write, the end does not wait.
    @Test func anIdleConnectionEndsAtOnce() throws {
        let channel = try connection()
        channel.flush()
        try channel.close().wait()
        #expect(!channel.isActive)
    }

    /// While an answer waits, the connection is not the one that another client displaces.
    @Test func aConnectionIsBusyUntilItsAnswerHasLeft() throws {
        let table = ConnectionTable(limit: 10, total: 1)
        let first = try connection(table)
        let second = try connection(table)
        #expect(first.isActive && second.isActive)
        first.flush()
        let third = try connection(table)
        first.embeddedEventLoop.run()
        #expect(!first.isActive && second.isActive && third.isActive)
        for channel in [second, third] {
            channel.flush()
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }

    /// The bytes of an answer that leave slowly, and of which nothing tells: the connection is idle when they have left, unless the
    /// next request has come.
    @Test(arguments: [false, true]) func aConnectionIsIdleWhenAnAnswerHasLeftSlowly(_ hasNext: Bool) throws {
        let table = ConnectionTable(limit: 10, total: 1)
        let first = try connection(table, behind: Jam())
        first.flush()
        first.embeddedEventLoop.advanceTime(by: .seconds(5))
        let second = try connection(table)
        first.embeddedEventLoop.run()
        #expect(first.isActive && second.isActive)
        try first.pipeline.syncOperations.context(handlerType: Jam.self).flush()
        if hasNext { try first.writeInbound(HTTPRequestPart.end(nil)) }
        first.embeddedEventLoop.advanceTime(by: .milliseconds(100))
        let third = try connection(table)
        first.embeddedEventLoop.run()
        #expect(first.isActive == hasNext)
        _ = try first.finish(acceptAlreadyClosed: true)
        for channel in [second, third] {
            channel.flush()
            _ = try channel.finish(acceptAlreadyClosed: true)
        }
    }
}
#endif
