#if HTTP
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// The error of an answer that is not HTTP.
struct NotHTTP: Error {
    var reason: String?
}

/// The error of a connection without a byte in either direction for too long.
struct IdleTimeout: Error {}

/// The error of an exchange whose connection ended before the head of the answer.
struct LostExchange: Error {
    /// The error of the connection.
    let cause: any Error
    /// A Boolean value that indicates whether the connection had carried an answer before, so that the server may have
    /// closed it before the request came.
    let isReused: Bool
    /// A Boolean value that indicates whether bytes of the answer had arrived.
    let hasBegun: Bool
}

/// A handler that notes whether bytes have arrived.
private final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let record: ConnectionRecord?
    var hasCome = false

    init(_ record: ConnectionRecord?) { self.record = record }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !hasCome { record?.begun() }
        hasCome = true
        context.fireChannelRead(data)
    }
}

/// A handler between a connection and AsyncHTTPClient that ends the exchanges that AsyncHTTPClient would not: an
/// invalid status (it treats `HTTP/1.1 099` as an informational answer, and traps when its body follows), parts in an
/// invalid order (it traps on a second head, which 101 allows over HTTP/2, where there is no 101: RFC 9113, 8.6),
/// endless informational answers, and silence. For an exchange that was lost before the first byte of its answer, it
/// also reports whether the connection was used before.
///
/// AsyncHTTPClient's own read timeout also runs while no reader requests the next piece of a body, which punishes slow
/// readers; this one does not.
final class ExchangeGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The maximum number of 1xx answers before the final one.
    private static let maximumHints = 100

    private let idleTimeout: TimeAmount?
    private var isClosed = false
    private var hints = 0
    /// A Boolean value that indicates whether the head of the answer has arrived, but not its end.
    private var hasHead = false
    /// A Boolean value that indicates whether a request has begun whose answer has not ended.
    private var isRunning = false
    /// A Boolean value that indicates whether the next part has been requested.
    private var isWaiting = false
    private var lastActivity = NIODeadline.now()
    private var timer: Scheduled<Void>?
    /// A watch that notes whether a byte has arrived on the connection since the request began. `nil` for a stream of
    /// HTTP/2.
    private let bytes: ByteWatch?
    /// The connection of this stream; `nil` for HTTP/1.1.
    private let parent: FrameErrorGuard?
    /// The number of answers that have arrived on this connection.
    private var answers = 0
    /// A Boolean value that indicates whether the running exchange began on a connection that had carried an answer
    /// before.
    private var isReused = false

    /// The record of the connection; `nil` if nobody counts it.
    private let record: ConnectionRecord?
    /// A Boolean value that indicates whether the head of the answer is awaited.
    private var isUnanswered = false

    private init(
        _ idleTimeout: TimeAmount?,
        _ record: ConnectionRecord?,
        bytes: ByteWatch? = nil,
        parent: FrameErrorGuard? = nil
    ) {
        self.idleTimeout = idleTimeout
        self.record = record
        self.bytes = bytes
        self.parent = parent
    }

    /// Adds a guard directly after the decoder of a connection, or of a stream of one, that AsyncHTTPClient has just
    /// set up.
    static func add(
        to channel: any Channel,
        _ idleTimeout: TimeAmount?,
        _ monitor: ConnectionMonitor? = nil
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                let record = monitor?.connected(channel, "HTTP/1.1")
                let bytes = ByteWatch(record)
                let guardian = ExchangeGuard(idleTimeout, record, bytes: bytes)
                try pipeline.addHandler(guardian, position: .after(pipeline.context(handler: decoder).handler))
                try pipeline.addHandler(bytes, position: .before(pipeline.context(handler: decoder).handler))
            } catch {
                let decoder = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                // The connection of a stream runs on the same event loop.
                let parent = try? channel.parent?.pipeline.syncOperations.handler(type: FrameErrorGuard.self)
                try pipeline.addHandler(StreamStatusGuard(), position: .before(decoder))
                try pipeline.addHandler(
                    ExchangeGuard(idleTimeout, parent?.record, parent: parent),
                    position: .after(decoder)
                )
            }
        }
    }

    /// Sends a part of a request.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let head) = unwrapOutboundIn(data) {
            isRunning = true
            isUnanswered = true
            hints = 0
            hasHead = false
            // The head of the answer is always awaited; it may have been requested before the guard was added.
            isWaiting = true
            isReused = (parent?.answers ?? answers) > 0
            bytes?.hasCome = false
            record?.sent(head.method.rawValue, head.uri, isReused: isReused)
            lastActivity = .now()
            watch(context)
        } else {
            lastActivity = .now()
        }
        context.write(data, promise: promise)
    }

    /// Notes that the next part is requested.
    func read(context: ChannelHandlerContext) {
        if !isWaiting {
            isWaiting = true
            lastActivity = .now()
        }
        context.read()
    }

    /// Passes parts on until the first invalid head; the rest of the decoder's output is dropped.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        lastActivity = .now()
        switch unwrapInboundIn(data) {
        case .head(let head) where !(100...999).contains(head.status.code): return end(context, NotHTTP())
        case .head(let head) where hasHead || head.status.code == 101 && head.version.major > 1:
            return end(context, NotHTTP(reason: "a head where none belongs"))
        case .head(let head) where head.status.code < 200 && head.status.code != 101:
            hints += 1
            if hints > Self.maximumHints {
                return end(context, NotHTTP(reason: "more than \(Self.maximumHints) answers of 1xx"))
            }
        case .head:
            hasHead = true
            if bytes == nil { record?.begun() }
            noteAnswered()
        case .body where !hasHead, .end where !hasHead: return end(context, NotHTTP(reason: "a body without a head"))
        case .body: break
        // The timer stays: the next exchange of the connection needs one too, and a new one for each would cost more.
        case .end:
            hasHead = false
            finish(.ended)
            answers += 1
            parent?.answers += 1
        }
        context.fireChannelRead(data)
    }

    /// Notes that the requested part has arrived.
    func channelReadComplete(context: ChannelHandlerContext) {
        isWaiting = false
        context.fireChannelReadComplete()
    }

    /// Ends the exchange, since the connection has ended.
    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        let error = HTTPClientError.remoteConnectionClosed
        if isLost { context.fireErrorCaught(lost(error)) }
        finish(.brokenOff)
        if parent == nil { record?.closed() }
        context.fireChannelInactive()
    }

    /// Ends the exchange, since the connection has failed.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let closed = error as? NIOHTTP2Errors.StreamClosed else {
            return context.fireErrorCaught(isLost ? lost(error) : error)
        }
        finish(.brokenOff)
        // A stream with a higher number than the last one of a GOAWAY ends as if it were canceled.
        if let last = parent?.lastStream, closed.streamID > last {
            let refused = NIOHTTP2Errors.streamClosed(streamID: closed.streamID, errorCode: .refusedStream)
            return context.fireErrorCaught(refused)
        }
        context.fireErrorCaught(error)
    }

    /// A Boolean value that indicates whether an exchange without a head of its answer is running.
    ///
    /// Each of them ends with an error of ours, since AsyncHTTPClient's own would not show that the request was
    /// written.
    private var isLost: Bool { isRunning && !isClosed && !hasHead }

    private func lost(_ error: any Error) -> LostExchange {
        finish(.brokenOff)
        return LostExchange(cause: error, isReused: isReused, hasBegun: hints > 0 || bytes?.hasCome == true)
    }

    private func end(_ context: ChannelHandlerContext, _ error: any Error) {
        isClosed = true
        finish(.brokenOff)
        timer?.cancel()
        timer = nil
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    /// Notes the end of the running exchange, if there is one.
    private func finish(_ kind: ConnectionEvent.Kind) {
        guard isRunning else { return }
        isRunning = false
        noteAnswered()
        record?.finished(kind)
    }

    private func noteAnswered() {
        guard isUnanswered else { return }
        isUnanswered = false
        record?.answered()
    }

    /// Checks again when the time could be over.
    private func watch(_ context: ChannelHandlerContext) {
        guard let idleTimeout, timer == nil else { return }
        schedule(context, in: idleTimeout)
    }

    private func schedule(_ context: ChannelHandlerContext, in time: TimeAmount) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            timer = nil
            guard let idleTimeout, isRunning, !isClosed else { return }
            let left = isWaiting ? lastActivity + idleTimeout - .now() : idleTimeout
            if left > .zero { schedule(context, in: left) } else { end(context, IdleTimeout()) }
        }
    }
}
#endif
