#if NATS
import Sluice
import SluiceJSON
import SluiceTestSupport
import Testing

@testable import SluiceNATS
@testable import SluiceStreams

/// A durable consumer, whose messages are acknowledged when the run has stored them.
@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(20))) struct SubjectConsumerTests {
    /// A run that takes messages, and stores them when the test says so.
    private final class Reader: Sendable {
        private struct State {
            var items: [Int] = []
            var positions: [String] = []
            var deliveries: [StreamDelivery] = []
            var reason: String?
        }

        private final class Taken: Sendable {
            let state = Locked(State())
        }

        private let taken = Taken()
        private let task: Locked<Task<Void, any Error>?> = Locked(nil)
        let news = Signal()

        /// - Parameter room: The number of items that the run takes before it has no room.
        init(_ connection: NATSConnection, _ arguments: JSON, after position: String? = nil, room: Int = .max) {
            let take: @Sendable (JSON, String, StreamDelivery?) async throws -> Void = {
                [taken, news] item, position, delivery in
                // Without room it waits until it is killed.
                if taken.state.withLock({ $0.items.count >= room }) {
                    for await _ in AsyncStream.makeStream(of: Never.self).stream {}
                }
                try Task.checkCancellation()
                taken.state.withLock { state in
                    state.items.append(item.int ?? -1)
                    state.positions.append(position)
                    if let delivery { state.deliveries.append(delivery) }
                }
                news.notify()
            }
            var inlet = StreamInlet<JSON>(send: { try await take($0, $1 ?? "", nil) }, push: { _ in false })
            inlet.sendAwaited = { try await take($0, $1, $2) }
            inlet.position = position
            inlet.report = { [taken, news] reason in
                taken.state.withLock { $0.reason = reason }
                news.notify()
            }
            let source = SubjectSource(connection, clock: .continuous)
            task.withLock { [inlet] in $0 = Task { try await source.feed(arguments, inlet) } }
        }

        var items: [Int] { taken.state.withLock { $0.items } }
        var lastPosition: String? { taken.state.withLock { $0.positions.last } }
        var reason: String? { taken.state.withLock { $0.reason } }

        func waitForItems(_ count: Int) async { while items.count < count { await news.wait() } }
        func waitForReason() async { while reason == nil { await news.wait() } }

        /// Stores everything that was taken.
        func store() { for delivery in taken.state.withLock({ $0.deliveries }) { delivery.onStored?() } }

        /// Ends the reader as a kill does: nothing more is stored.
        func kill() async {
            let task = task.withLock { $0 }
            task?.cancel()
            _ = try? await task?.value
        }
    }

    private static let settings = NATSConsumerSettings(stream: "IN", name: "work", subject: "in")
    private static let arguments: JSON = ["subject": "in", "consumer": "work"]

    private func connected(_ retention: NATSRetention) async throws -> Connected {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            var settings = NATSStreamSettings(name: "IN", subjects: ["in"])
            settings.retention = retention
            try connection.createStream(settings)
        }
        return connected
    }

    private func publish(_ numbers: ClosedRange<Int>, _ connection: NATSConnection) async throws {
        try await connection.perform { connection in
            for number in numbers { _ = try connection.publish(Array("\(number)".utf8), to: "in") }
        }
    }

    /// Returns a reader that has taken messages.
    private func read(
        _ connection: NATSConnection,
        _ numbers: ClosedRange<Int>,
        after position: String? = nil
    ) async -> Reader {
        let reader = Reader(connection, Self.arguments, after: position)
        await reader.waitForItems(numbers.count)
        #expect(reader.items == Array(numbers))
        return reader
    }

    private func state(_ connection: NATSConnection) async throws -> NATSConsumerState {
        try await connection.perform { try $0.consumerState(Self.settings) }
    }

    private func wait(_ connection: NATSConnection, for condition: (NATSConsumerState) -> Bool) async throws {
        while try await !condition(state(connection)) {}
    }

    @Test(arguments: [NATSRetention.limits, .workQueue])
    func messagesAreAcknowledgedWhenTheyAreStored(_ retention: NATSRetention) async throws {
        let connected = try await connected(retention)
        let connection = connected.connection
        try await publish(1...600, connection)
        let reader = await read(connection, 1...600)
        // The run has them, and the store does not.
        let before = try await state(connection)
        #expect(before.acknowledged == 0 && before.unacknowledged == 600)
        reader.store()
        try await wait(connection) { $0.unacknowledged == 0 }
        #expect(try await state(connection).acknowledged == 600)
        // A work queue keeps what is not stored, and nothing else.
        let kept = try await connection.perform { try $0.streamState("IN").messages }
        #expect(kept == (retention == .workQueue ? 0 : 600))
        await reader.kill()
    }

    /// A run that is killed has stored some messages, some of whose acknowledgments are lost: the next one goes on in order.
    @Test(arguments: [NATSRetention.limits, .workQueue])
    func aRunGoesOnInOrder(_ retention: NATSRetention) async throws {
        let connected = try await connected(retention)
        let connection = connected.connection
        try await publish(1...500, connection)
        let first = await read(connection, 1...500)
        let created = try #require(first.lastPosition?.split(separator: "/").first)
        await first.kill()
        try await publish(501...700, connection)
        // It has stored 300, and the server knows nothing of that.
        let second = await read(connection, 301...700, after: "\(created)/300")
        second.store()
        try await wait(connection) { $0.unacknowledged == 0 && $0.pending == 0 }
        let kept = try await connection.perform { try $0.streamState("IN").messages }
        #expect(kept == (retention == .workQueue ? 0 : 700))
        await second.kill()
    }

    /// The server keeps what a run has no room for.
    @Test func messagesArePulledAsTheRunTakesThem() async throws {
        let connected = try await connected(.workQueue)
        let connection = connected.connection
        try await publish(1...3000, connection)
        let reader = Reader(connection, Self.arguments, room: 5)
        await reader.waitForItems(5)
        // A source that asked for more meanwhile would have it after so many requests.
        for _ in 0..<300 { #expect(try await state(connection).pending >= 2000) }
        await reader.kill()
    }

    @Test func aServerThatIsKilledLosesNoMessage() async throws {
        let connected = try await connected(.workQueue)
        let other = try await connected.another()
        try await publish(1...300, other)
        let reader = await read(connected.connection, 1...300)
        let server = try connected.server.restarted()
        try await other.perform { $0.waitUntilConnected() }
        try await publish(301...600, other)
        await reader.waitForItems(600)
        #expect(reader.items == Array(1...600))
        reader.store()
        try await wait(other) { $0.unacknowledged == 0 && $0.pending == 0 }
        #expect(try await other.perform { try $0.streamState("IN").messages } == 0)
        await reader.kill()
        server.kill()
    }

    /// A stream that would lose messages between two runs is not read.
    @Test(arguments: [
        (NATSRetention.workQueue, ["subject": "in"] as JSON, #"is a work queue: name a "consumer""#),
        (.interest, ["subject": "in"] as JSON, "would lose those that come while nobody reads"),
        (.interest, arguments, "would lose those that come while nobody reads"),
    ])
    func whatWouldBeLostIsNotRead(_ retention: NATSRetention, _ arguments: JSON, _ reason: String) async throws {
        let connected = try await connected(retention)
        let reader = Reader(connected.connection, arguments)
        await reader.waitForReason()
        #expect(reader.reason?.contains(reason) == true, "\(reader.reason ?? "")")
        await reader.kill()
    }
}
#endif
