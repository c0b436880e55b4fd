import NIOCore
import NIOHTTP1
import NIOHTTP2

/// What came is not an answer of HTTP.
struct NotHTTP: Error {
    var reason: String?
}

/// Nothing came and nothing went for too long.
struct IdleTimeout: Error {}

/// Stands between a connection and AsyncHTTPClient, and ends what that would not: a status that is none (it takes
/// `HTTP/1.1 099` for a hint that an answer follows, and traps when its body comes instead), parts in an order that is
/// none (it traps on a second head, which 101 allows over HTTP/2, where there is no 101: RFC 9113, 8.6), hints without an
/// end, and silence.
///
/// AsyncHTTPClient's own read timeout runs also while nobody asks for the next piece of a body, and so punishes slow
/// readers; this one does not.
final class ExchangeGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// How many answers of 1xx may come before the one that counts.
    private static let maximumHints = 100

    private let idleTimeout: TimeAmount?
    private var isClosed = false
    private var hints = 0
    /// Whether the head of the answer has come, and not yet its end.
    private var hasHead = false
    /// Whether a request has begun whose answer has not ended.
    private var isRunning = false
    /// Whether somebody has asked for what comes next.
    private var isWaiting = false
    private var lastActivity = NIODeadline.now()
    private var timer: Scheduled<Void>?

    private init(_ idleTimeout: TimeAmount?) { self.idleTimeout = idleTimeout }

    /// Puts a guard right behind what decodes a connection, or a stream of one, that AsyncHTTPClient has just set up.
    static func add(to channel: any Channel, _ idleTimeout: TimeAmount?) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let guardian = ExchangeGuard(idleTimeout)
            do {
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(guardian, position: .after(pipeline.context(handler: decoder).handler))
            } catch {
                let decoder = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                try pipeline.addHandler(StreamStatusGuard(), position: .before(decoder))
                try pipeline.addHandler(guardian, position: .after(decoder))
            }
        }
    }

    /// A request goes out in parts.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            isRunning = true
            hints = 0
            hasHead = false
            // The head of the answer is always waited for; it may have been asked for before there was a guard.
            isWaiting = true
            lastActivity = .now()
            watch(context)
        } else {
            lastActivity = .now()
        }
        context.write(data, promise: promise)
    }

    /// Somebody asks for what comes next.
    func read(context: ChannelHandlerContext) {
        if !isWaiting {
            isWaiting = true
            lastActivity = .now()
        }
        context.read()
    }

    /// Passes parts on up to the first bad head; what the decoder has left after that goes nowhere.
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
        case .head: hasHead = true
        case .body where !hasHead, .end where !hasHead: return end(context, NotHTTP(reason: "a body without a head"))
        case .body: break
        // The timer stays: the next exchange of the connection needs one too, and to make one for each costs more.
        case .end: (isRunning, hasHead) = (false, false)
        }
        context.fireChannelRead(data)
    }

    /// What was asked for has come.
    func channelReadComplete(context: ChannelHandlerContext) {
        isWaiting = false
        context.fireChannelReadComplete()
    }

    /// The connection has ended.
    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        context.fireChannelInactive()
    }

    private func end(_ context: ChannelHandlerContext, _ error: any Error) {
        isClosed = true
        timer?.cancel()
        timer = nil
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    /// Looks again when the time could be over.
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
