#if Hub
import Foundation
import NIOCore
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// A client that reads a subscription as server-sent events, on their way to its connection.
///
/// An `item` has its position as the id, a `mark` is a position alone, `waiting` gives the reason (or `null`), and `failed` is
/// the last event. One task writes, and waits while much was not sent; another one sends.
final class EventWriter: SubscriptionReader, Sendable {
    private struct State {
        var bytes = ByteBuffer()
        var hasWritten = false
        var isWaiting = false
        var isEnded = false
    }

    let position: String?
    var stream: String? { nil }
    var isClient: Bool { true }
    private let state = Locked(State())
    /// Rung when there is something to send, and when there is room again.
    private let (news, room) = (Signal(), Signal())
    /// The number of bytes at which the writer waits.
    private static let limit = 64 << 10

    init(after last: String?) { position = last.flatMap(\.removingPercentEncoding) }

    // MARK: Writing

    func send(_ item: JSON, at position: String) async throws {
        try await write(Notice.bytes(id: Self.id(position), "item", item.description)) { $0.isWaiting = false }
    }

    func mark(at position: String) async throws {
        try await write(Notice.bytes(id: Self.id(position), "mark", "null"))
    }

    func report(waiting reason: String?) async throws {
        guard state.withLock({ reason != nil || $0.isWaiting }) else { return }
        let text = (reason.map(JSON.string) ?? .null).description
        try await write(Notice.bytes("waiting", text)) { $0.isWaiting = reason != nil }
    }

    func rest() async throws {
        let isSilent = state.withLock { state in
            defer { state.hasWritten = false }
            return !state.hasWritten
        }
        if isSilent { try await write(Notice.keepAlive) { $0.hasWritten = false } }
    }

    /// Ends the answer, after `error`.
    func end(with error: StreamError? = nil) {
        state.withLock { state in
            if let error {
                var bytes = Notice.bytes("failed", JSON.string(error.description).description)
                state.bytes.writeBuffer(&bytes)
            }
            state.isEnded = true
        }
        news.notify()
    }

    private func write(_ bytes: ByteBuffer, _ change: @Sendable (inout State) -> Void = { _ in }) async throws {
        while true {
            try Task.checkCancellation()
            let hasRoom = state.withLock { state in
                guard state.bytes.readableBytes < Self.limit else { return false }
                var bytes = bytes
                state.bytes.writeBuffer(&bytes)
                state.hasWritten = true
                change(&state)
                return true
            }
            if hasRoom { return news.notify() }
            await room.wait()
        }
    }

    /// The position as an id: it comes back in a header field.
    private static func id(_ position: String) -> String {
        position.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? ""
    }

    // MARK: Sending

    /// Returns what is to be sent next; `nil` at the end.
    func next() async -> ByteBuffer? {
        while !Task.isCancelled {
            let (bytes, isEnded) = state.withLock { state in
                defer { state.bytes = ByteBuffer() }
                return (state.bytes, state.isEnded)
            }
            if bytes.readableBytes > 0 {
                room.notify()
                return bytes
            }
            if isEnded { return nil }
            await news.wait()
        }
        return nil
    }
}
#endif
