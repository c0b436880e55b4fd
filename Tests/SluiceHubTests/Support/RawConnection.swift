import NIOCore
import NIOPosix
import Testing

/// A connection that asks for a path and then reads nothing.
struct DeafReader {
    private let channel: any Channel

    init(port: Int, path: String) async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: port).get()
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        try await channel.writeAndFlush(ByteBuffer(string: request))
    }

    func close() async { try? await channel.close() }
}

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
