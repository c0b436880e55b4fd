import Foundation
import NIOCore
import NIOPosix

/// A server on loopback with two fixed answers: `GET /users/small` has a body of 1 KB, `GET /users/large` of 100 KB. A third,
/// `GET /bytes/COUNT`, has as many zeros.
///
/// It finds where a request ends and looks no further, so that its own work, on the same machine, counts for little.
enum Server {
    /// Serves until the standard input ends, which it does with the process that started this one; writes its port.
    static func run() throws {
        let answers = Answers(small: try answer(of: 1000), large: try answer(of: 100_000))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answers))
                }
            }
            .bind(host: "127.0.0.1", port: 0).wait()
        FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
        while !FileHandle.standardInput.availableData.isEmpty {}
    }

    private static func answer(of size: Int) throws -> ByteBuffer {
        let body = try UserEntry.body(of: size)
        let head = [
            "HTTP/1.1 200 OK", "Content-Type: application/json", "Content-Length: \(body.count)",
            "Date: Mon, 01 Jan 2024 00:00:00 GMT", "Server: bench", "Cache-Control: no-store", "", "",
        ]
        return ByteBuffer(bytes: Array(head.joined(separator: "\r\n").utf8) + body)
    }

    private struct Answers: Sendable {
        let small: ByteBuffer
        let large: ByteBuffer
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answers: Answers
        private var received = ByteBuffer()

        init(_ answers: Answers) { self.answers = answers }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.writeImmutableBuffer(unwrapInboundIn(data))
            // Clients send a request when the answer to the one before has come: there is never a second one here.
            guard received.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return }
            let head = String(decoding: received.readableBytesView.prefix(40), as: UTF8.self)
            if head.hasPrefix("GET /bytes/"), let count = Int(head.dropFirst(11).prefix { $0.isNumber }) {
                received.clear()
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
                context.write(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
                return zeros(count, context)
            }
            let isLarge = received.readableBytesView.starts(with: "GET /users/large ".utf8)
            received.clear()
            context.writeAndFlush(wrapOutboundOut(isLarge ? answers.large : answers.small), promise: nil)
        }

        /// Writes zeros, a megabyte when the one before is on its way.
        private func zeros(_ count: Int, _ context: ChannelHandlerContext) {
            let part = min(count, 1 << 20)
            let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(repeating: 0, count: part)))
            guard count > part else { return }
            written.assumeIsolated().whenSuccess { self.zeros(count - part, context) }
        }
    }
}

/// The server in a process of its own, so that its time and allocations are not counted.
struct ServerProcess {
    private let process = Process()
    private let input = Pipe()
    let port: Int

    struct NoPort: Error {}

    init() throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.prefix { $0 != "\n" }), port > 0 else { throw NoPort() }
        self.port = port
    }

    func stop() {
        input.fileHandleForWriting.closeFile()
        process.waitUntilExit()
    }
}
