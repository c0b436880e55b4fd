#if Hub
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import SluiceConnect

/// Counts one connection in the table, for as long as it is open.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let table: ConnectionTable
    private var connection: ConnectionTable.Connection?

    init(_ table: ConnectionTable) { self.table = table }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        connection = table.open(channel, from: channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) })
        // Not yet: the rest of the pipeline is about to be added.
        if connection == nil { context.eventLoop.execute { channel.close(promise: nil) } }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { connection?.touch(isBusy: true) } else { connection?.touch() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { connection?.touch(isBusy: false) }
        context.write(data, promise: promise)
    }
}
#endif
