#if Hub
import Foundation
import NIOCore
import NIOPosix
import Sluice
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

    init(port: Int, _ text: String, from source: String = "127.0.0.1") async throws {
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(to: try SocketAddress(ipAddress: source, port: 0))
            .connect(host: "127.0.0.1", port: port).get()
        // The other side may have closed it already.
        try? await channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Waits until the other side has closed it.
    func closed() async throws { try await channel.closeFuture.get() }

    func close() async { try? await channel.close() }
}

/// A connection that asks again and again, and counts the answers.
struct Asking {
    private let channel: any Channel
    private let heard: Heard

    /// The received text.
    private final class Heard: Sendable {
        let text = Locked("")
    }

    init(port: Int) async throws {
        let heard = Heard()
        channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listening(heard: heard))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        self.heard = heard
    }

    func ask(_ path: String, _ field: String = "Accept: */*") async throws {
        try await channel.writeAndFlush(
            ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)\r\n\r\n")
        )
    }

    /// The number of responses that have begun.
    var answerCount: Int {
        heard.text.withLock { $0.split(separator: "HTTP/1.1 200 OK", omittingEmptySubsequences: false).count - 1 }
    }

    /// Waits until as many answers have begun.
    func answered(_ count: Int) async throws {
        let end = ContinuousClock.now + .seconds(600)
        while answerCount < count {
            try #require(ContinuousClock.now < end, "it is not answered")
            await Task.yield()
        }
    }

    var isOpen: Bool { channel.isActive }

    /// Waits until the other side has closed it.
    func closed() async throws { try await channel.closeFuture.get() }

    func close() async throws { try await channel.close() }

    private final class Listening: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let heard: Heard

        init(heard: Heard) { self.heard = heard }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let more = String(buffer: unwrapInboundIn(data))
            heard.text.withLock { $0 += more }
        }
    }
}

/// One request as it goes over the wire, and the answer to it.
enum Exchange {
    struct Answer: Sendable {
        /// The status of the answer; 0 where the connection was closed without one.
        let status: Int
        let text: String

        /// Returns the value of a field.
        func field(_ name: String) -> String? {
            let head = text.components(separatedBy: "\r\n\r\n")[0].components(separatedBy: "\r\n")
            let line = head.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            return line.map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
        }
    }

    /// Sends a text and returns the first answer, up to its head's end or the end of the connection.
    ///
    /// - Parameters:
    ///   - source: the address to connect from.
    ///   - toEnd: whether to read up to the end of the connection in any case.
    static func answer(
        _ port: Int,
        _ text: String,
        from source: String = "127.0.0.1",
        toEnd: Bool = false
    ) async throws -> Answer {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(to: try SocketAddress(ipAddress: source, port: 0))
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let answer = Locked("")
        do {
            try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(ByteBuffer(string: text))
                for try await bytes in inbound {
                    let more = String(buffer: bytes)
                    answer.withLock { $0 += more }
                    if !toEnd, answer.withLock({ $0.contains("\r\n\r\n") }) { break }
                }
            }
        } catch is IOError {
            // The other side has closed it.
        } catch is ChannelError {}
        let whole = answer.withLock { $0 }
        return Answer(status: whole.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, text: whole)
    }
}
#endif
