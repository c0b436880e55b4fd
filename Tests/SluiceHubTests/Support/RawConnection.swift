import NIOCore
import NIOPosix
import Testing

/// A connection that sends a part of a request and no more.
struct SlowWriter {
    private let channel: any Channel

    init(port: Int, _ text: String) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port).get()
        // The other side may have closed it already.
        try? await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Waits until the other side has closed it.
    func closed() async throws { try await channel.closeFuture.get() }
}
