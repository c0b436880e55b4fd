#if Hub
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import SluiceConnect

/// Counts one connection in the table, for as long as it is open, and closes it only when what was written has left.
///
/// NIO discards what waits to be written when a channel is closed, and the server counts an answer as ended when it was
/// handed over: without this handler, a client that reads slowly would get the beginning of a long answer. A client that
/// reads nothing for the patience of the handler is cut off.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let table: ConnectionTable
    private let patience: TimeAmount
    private var connection: ConnectionTable.Connection?
    /// The bytes that waited when they were looked at last, and the time by which some have to leave.
    private var draining: (bytes: Int, deadline: NIODeadline)?
    /// A Boolean value that indicates whether an answer was written whose bytes may not have left yet.
    private var isLeaving = false
    /// A Boolean value that indicates whether the connection will be looked at again.
    private var isLookDue = false

    /// The time after which a connection whose client reads slowly is looked at again.
    private static let leavingInterval = TimeAmount.milliseconds(100)

    init(_ table: ConnectionTable, patience: TimeAmount) { (self.table, self.patience) = (table, patience) }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        connection = table.open(channel, from: channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) })
        // Not yet: the rest of the pipeline is about to be added.
        if connection == nil { context.eventLoop.execute { channel.close(promise: nil) } }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A connection that is to be closed answers no other request.
        if draining != nil { return }
        if case .end = unwrapInboundIn(data) {
            isLeaving = false
            connection?.touch(isBusy: true)
        } else {
            connection?.touch()
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // A promise for each answer would cost more than looking at the bytes that wait once it is flushed.
        if case .end = unwrapOutboundIn(data) { isLeaving = true } else { connection?.touch() }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        if isLeaving { noteLeft(context) }
    }

    /// Notes that the connection is idle when nothing of its answer waits, and looks again later otherwise.
    private func noteLeft(_ context: ChannelHandlerContext) {
        if bytes(context) == 0 {
            isLeaving = false
            connection?.touch(isBusy: false)
            return
        }
        if isLookDue { return }
        isLookDue = true
        let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.leavingInterval) {
            let (handler, context) = handler.value
            handler.isLookDue = false
            if handler.isLeaving, context.channel.isActive { handler.noteLeft(context) }
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, draining == nil, bytes(context) > 0 else {
            return context.close(mode: mode, promise: promise)
        }
        context.channel.closeFuture.cascade(to: promise)
        draining = (.max, context.eventLoop.now)
        drain(context)
    }

    /// Closes the connection if nothing waits, or none of it has left for too long, and looks again later otherwise.
    private func drain(_ context: ChannelHandlerContext) {
        guard let last = draining, context.channel.isActive else { return }
        let bytes = bytes(context)
        if bytes == 0 || bytes == last.bytes && last.deadline <= context.eventLoop.now {
            return context.close(promise: nil)
        }
        if bytes != last.bytes { draining = (bytes, context.eventLoop.now + patience) }
        let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: min(.seconds(1), patience)) {
            let (handler, context) = handler.value
            handler.drain(context)
        }
    }

    private func bytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
#endif
