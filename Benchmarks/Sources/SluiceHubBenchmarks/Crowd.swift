import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Many who listen to one event stream, each on a connection of its own, on one thread.
final class Crowd: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let board = Board()
    private let channels: Mutex<[any Channel]> = Mutex([])
    let size: Int

    init(_ size: Int) { self.size = size }

    /// Connects all, 100 at a time, until each has the head of its answer.
    func connect(port: Int, path: String) async throws -> Duration {
        let bootstrap = ClientBootstrap(group: group).channelInitializer { [board] channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(Listener(board))
            }
        }
        let request = ByteBuffer(string: "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return try await ContinuousClock().measure {
            var left = size
            while left > 0 {
                let count = min(100, left)
                left -= count
                let connecting = (0..<count).map { _ in
                    bootstrap.connect(host: "127.0.0.1", port: port).flatMap { channel in
                        channel.writeAndFlush(request).map { channel }
                    }
                }
                let connected = try await EventLoopFuture.whenAllSucceed(connecting, on: group.next()).get()
                channels.withLock { $0 += connected }
                await board.wait(for: size - left, at: 0)
            }
        }
    }

    /// Returns the times at which each subscriber had received a number of values since the beginning.
    func hear(_ count: Int) async -> [ContinuousClock.Instant] { await board.wait(for: size, at: count) }

    func leave() async throws {
        for channel in channels.withLock({ $0 }) { try? await channel.close() }
        try await group.shutdownGracefully()
    }
}

/// The values that a crowd has received.
final class Board: Sendable {
    private struct State {
        /// For each count of values when each of the listeners had so many; at 0, when it had the head.
        var times: [[ContinuousClock.Instant]] = []
        var waiter: (size: Int, count: Int, continuation: CheckedContinuation<[ContinuousClock.Instant], Never>)?
    }

    private let state = Mutex(State())

    func note(_ count: Int) {
        state.withLock { state in
            while state.times.count <= count { state.times.append([]) }
            state.times[count].append(.now)
            guard let waiter = state.waiter, waiter.count == count, state.times[count].count >= waiter.size else {
                return
            }
            state.waiter = nil
            waiter.continuation.resume(returning: state.times[count])
        }
    }

    @discardableResult
    func wait(for size: Int, at count: Int) async -> [ContinuousClock.Instant] {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                if count < state.times.count, state.times[count].count >= size {
                    continuation.resume(returning: state.times[count])
                } else {
                    state.waiter = (size, count, continuation)
                }
            }
        }
    }
}

/// Counts the values that one hears.
final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The text that occurs once in each value.
    static let mark = "event: value\n"
    private static let bytes = Array(mark.utf8)

    private let board: Board
    private var matched = 0
    private var count: Int?

    init(_ board: Board) { self.board = board }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if count == nil {
            // One that is refused would be waited for until the benchmark is ended.
            guard bytes.readableBytesView.starts(with: "HTTP/1.1 200".utf8) else {
                FileHandle.standardError.write(
                    Data("a subscriber is refused: \(String(buffer: bytes).prefix(500))\n".utf8)
                )
                exit(70)
            }
            count = 0
            board.note(0)
        }
        for byte in bytes.readableBytesView {
            // A mark begins a line, so that nothing before it is a part of it.
            matched = byte == Self.bytes[matched] ? matched + 1 : byte == Self.bytes[0] ? 1 : 0
            guard matched == Self.bytes.count else { continue }
            matched = 0
            count = (count ?? 0) + 1
            board.note(count ?? 0)
        }
    }
}
