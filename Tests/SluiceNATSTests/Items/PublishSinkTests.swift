#if NATS
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(2))) struct PublishSinkTests {
    private func delivery(_ sequence: Int, _ suffix: String = "", subject: String = "out") -> SinkDelivery {
        let arguments: JSON = ["subject": .string(subject)]
        return SinkDelivery(
            key: "s/R/hook/\(sequence)\(suffix)",
            request: ["name": "publish", "arguments": arguments, "value": .int(Int64(sequence))],
            stream: "s"
        )
    }

    private func messages(_ count: Int, _ connection: NATSConnection) async throws -> [String] {
        let consumer = try await connection.perform { connection in
            try connection.deleteConsumer("all", of: "OUT")
            return try connection.consumer(NATSConsumerSettings(stream: "OUT", name: "all", subject: "out"))
        }
        var texts: [String] = []
        while texts.count < count {
            texts += try await consumer.fetch(100).map { String(decoding: $0.bytes, as: UTF8.self) }
        }
        return texts
    }

    @Test func eachOutputIsStoredOnce() async throws {
        let connected = try await Connected()
        let connection = connected.connection
        try await connection.perform { connection in
            var settings = NATSStreamSettings(name: "OUT", subjects: ["out", "probe"])
            settings.duplicateWindow = .milliseconds(100)
            try connection.createStream(settings)
        }
        let sink = PublishSink(connection)
        for sequence in 1...3 { try await sink.deliver(delivery(sequence)) }
        // An attempt whose answer was lost, in this process and in the next one.
        try await sink.deliver(delivery(3))
        try await PublishSink(connection).deliver(delivery(3))
        // Until the server has forgotten all ids: one that it got after them is not a duplicate any more.
        try await connection.perform { connection in
            _ = try connection.publish([], to: "probe", id: "probe")
            while try connection.publish([], to: "probe", id: "probe").isDuplicate {}
        }
        let next = PublishSink(connection)
        for sequence in 2...5 { try await next.deliver(delivery(sequence)) }
        // One that is sent again on demand is stored again.
        try await next.deliver(delivery(2, "/2"))
        let last = try await connection.perform { try $0.lastMessage(of: "out", in: "OUT") }
        #expect(last?.id == "s/R/hook/2/2")
        // Beside the two probes.
        let count = try await connection.perform { try $0.streamState("OUT").messages } - 2
        #expect(count == 6)
        #expect(try await messages(Int(count), connection) == ["1", "2", "3", "4", "5", "2"])
    }

    @Test func aWorkerPublishesOnlyBehindWhatItKnows() async throws {
        let connected = try await Connected()
        let connection = connected.connection
        try await connection.perform { connection in
            var settings = NATSStreamSettings(name: "OUT", subjects: ["out.*"])
            settings.duplicateWindow = .milliseconds(100)
            try connection.createStream(settings)
        }
        let fence = PublishSink.Fence(partition: 3) { true }
        let (old, new) = (PublishSink(connection, fence: fence), PublishSink(connection, fence: fence))
        try await old.deliver(delivery(1))
        // The next worker finds what the one before has published, and goes on.
        for sequence in 1...3 { try await new.deliver(delivery(sequence)) }
        // The one before is refused, or answered that it is a duplicate, and finds then that everything is there.
        try? await old.deliver(delivery(2))
        for sequence in 2...3 { try await old.deliver(delivery(sequence)) }
        // It knows less than there is, and is refused.
        let late = PublishSink(connection, fence: fence)
        try await late.deliver(delivery(3))
        try await new.deliver(delivery(4))
        // Nothing is wrong with the receiver: the next attempt looks again.
        await #expect(throws: SinkHoldError.self) { try await late.deliver(delivery(5)) }
        // One that is out of touch publishes nothing, even if it has looked just now.
        let away = PublishSink(connection, fence: PublishSink.Fence(partition: 3) { false })
        await #expect(throws: SinkHoldError.self) { try await away.deliver(delivery(5)) }
        #expect(try await connection.perform { try $0.streamState("OUT").messages } == 4)
        #expect(try await connection.perform { try $0.lastMessage(of: "out.3", in: "OUT") }?.id == "s/R/hook/4")
    }

    @Test func whatCannotBePublishedIsRefusedOrTriedAgain() async throws {
        let connected = try await Connected()
        let sink = PublishSink(connected.connection)
        await #expect(throws: SinkRetryError(NATSError.unanswered(subject: "out").description)) {
            try await sink.deliver(delivery(1))
        }
        for subject in ["", "a b", "a.*", ">"] {
            await #expect(throws: SinkRefusalError.self) { try await sink.deliver(delivery(1, subject: subject)) }
        }
        // The last message of a subject says nothing about those before it, where several are delivered at once.
        var unordered = delivery(1)
        unordered.isOrdered = false
        await #expect(throws: SinkRefusalError.self) { try await sink.deliver(unordered) }
    }
}
#endif
