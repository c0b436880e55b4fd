#if Hub
import NIOCore
import NIOPosix

/// A server that records the first bytes of a connection and closes it.
struct GreetingServer {
    private let channel: any Channel
    private let first: EventLoopPromise<[UInt8]>

    init() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let first = group.next().makePromise(of: [UInt8].self)
        channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Greeted(first: first))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        self.first = first
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    func greeting() async throws -> [UInt8] { try await first.futureResult.get() }

    func close() async throws { try await channel.close() }

    private final class Greeted: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let first: EventLoopPromise<[UInt8]>

        init(first: EventLoopPromise<[UInt8]>) { self.first = first }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            first.succeed(Array(unwrapInboundIn(data).readableBytesView))
            context.close(promise: nil)
        }
    }
}
#endif
