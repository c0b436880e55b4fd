#if Hub
import Foundation
import NIOCore

/// A handler of a server's channel that rests for a second when the process has no file descriptor, or the system no memory,
/// for another connection.
///
/// NIO's own `AcceptBackoffHandler` holds back reads, but a failed `accept` leaves its channel registered, and the event
/// loop tries again immediately, thousands of times a second (NIO 2.101).
final class AcceptRest: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias OutboundIn = Never

    private static let duration = TimeAmount.seconds(1)
    private var isResting = false

    /// Adds a handler to the channel of a server.
    static func add(to channel: any Channel) async throws {
        try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.addHandler(AcceptRest(), position: .first)
        }.get()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) else {
            return context.fireErrorCaught(error)
        }
        guard !isResting else { return }
        isResting = true
        // This alone ends the registration of the channel; the option's return renews it.
        try? context.channel.syncOptions?.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.duration) { [self] in
            isResting = false
            try? context.channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    func read(context: ChannelHandlerContext) { if !isResting { context.read() } }
}
#endif
