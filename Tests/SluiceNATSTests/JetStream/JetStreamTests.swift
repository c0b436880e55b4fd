#if NATS
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(2))) struct JetStreamTests {
    @Test func publishesWithIdsAndExpectedSequences() async throws {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            try connection.createStream(NATSStreamSettings(name: "OUT", subjects: ["out.>"]))
            // The same once more changes nothing.
            try connection.createStream(NATSStreamSettings(name: "OUT", subjects: ["out.>"]))
            let first = try connection.publish([1], to: "out.a", id: "x/1", ifLast: 0)
            #expect(first == NATSReceipt(stream: "OUT", sequence: 1, isDuplicate: false))
            #expect(try connection.publish([2], to: "out.b").sequence == 2)
            // The check for duplicates comes before the expected sequence: a retry is safe.
            #expect(try connection.publish([1], to: "out.a", id: "x/1", ifLast: 0).isDuplicate)
            #expect(throws: NATSError.self) { try connection.publish([3], to: "out.a", id: "x/2", ifLast: 0) }
            #expect(try connection.publish([3], to: "out.a", id: "x/2", ifLast: 1).sequence == 3)
            let state = try connection.streamState("OUT")
            #expect(state.messages == 3 && state.first == 1 && state.last == 3 && state.created > 0)
            let last = try connection.lastMessage(of: "out.a", in: "OUT")
            #expect(last?.bytes == [3] && last?.id == "x/2" && last?.sequence == 3)
            #expect(try connection.lastMessage(of: "out.c", in: "OUT") == nil)
            #expect(try connection.stream(of: "out.a") == "OUT")
            #expect(try connection.stream(of: "in.a") == nil)
            #expect(throws: NATSError.self) { try connection.lastMessage(of: "a", in: "NONE") }
            #expect(throws: NATSError.unanswered(subject: "in.a")) { try connection.publish([], to: "in.a") }
            try connection.deleteStream("OUT")
            #expect(throws: NATSError.missing(what: "stream OUT")) { try connection.streamState("OUT") }
        }
    }

    @Test func hostileNamesAreRefused() async throws {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            for subject in ["", "a b", "a\r\nPUB x 1", "a.*", ">", "a\0"] {
                #expect(throws: NATSError.invalidName(what: "subject", name: subject)) {
                    try connection.publish([], to: subject)
                }
            }
            #expect(throws: NATSError.invalidName(what: "message", name: "a\r\nb")) {
                try connection.publish([], to: "a", id: "a\r\nb")
            }
        }
    }

    @Test func aConsumerPullsAndAcknowledges() async throws {
        let connected = try await Connected()
        let consumer = try await connected.connection.perform { connection in
            try connection.createStream(NATSStreamSettings(name: "IN", subjects: ["in.*"]))
            for number in 1...5 { _ = try connection.publish([UInt8(number)], to: "in.a") }
            _ = try connection.publish([9], to: "in.b")
            return try connection.consumer(NATSConsumerSettings(stream: "IN", name: "c", subject: "in.a"))
        }
        let first = try await consumer.fetch(2)
        #expect(first.map(\.bytes) == [[1], [2]])
        #expect(first.map(\.sequence) == [1, 2])
        #expect(first.last?.pending == 3)
        try await connected.connection.perform { _ in
            try first[0].acknowledge()
            try first[1].extend()
            try first[1].refuse()
        }
        var rest: [NATSMessage] = []
        while rest.count < 4 { rest += try await consumer.fetch(10) }
        // The one that was returned comes behind the others, or between them, but again.
        #expect(Set(rest.map(\.bytes)) == [[2], [3], [4], [5]])
        #expect(rest.first { $0.bytes == [2] }?.deliveries == 2)
        try await connected.connection.perform { [rest] _ in for message in rest { try message.acknowledge() } }
        #expect(try await consumer.fetch(1, waiting: .milliseconds(20)).isEmpty)
    }

    @Test func oneAcknowledgmentCountsForAllBefore() async throws {
        let connected = try await Connected()
        let connection = connected.connection
        var settings = NATSConsumerSettings(stream: "IN", name: "c")
        settings.acknowledgesAll = true
        let consumer = try await connection.perform { [settings] connection in
            try connection.createStream(NATSStreamSettings(name: "IN", subjects: ["in"]))
            for number in 1...5 { _ = try connection.publish([UInt8(number)], to: "in") }
            return try connection.consumer(settings)
        }
        var messages: [NATSMessage] = []
        while messages.count < 5 { messages += try await consumer.fetch(10) }
        try await connection.perform { [messages] connection in
            try messages[3].acknowledge()
            // Another one of its name, which begins after what was acknowledged.
            try connection.deleteConsumer("c", of: "IN")
            try connection.deleteConsumer("c", of: "IN")
        }
        settings.start = .sequence(messages[4].sequence)
        let next = try await connection.perform { [settings] in try $0.consumer(settings) }
        #expect(try await next.fetch(10).map(\.bytes) == [[5]])
    }

    @Test func cancelingEndsAWait() async throws {
        let connected = try await Connected()
        let consumer = try await connected.connection.perform { connection in
            try connection.createStream(NATSStreamSettings(name: "IN", subjects: ["in"]))
            return try connection.consumer(NATSConsumerSettings(stream: "IN", name: "c"))
        }
        let task = Task { try await consumer.fetch(1, waiting: .seconds(100)) }
        await Task.yield()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aStreamKnowsWhatItHasLost() async throws {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            try connection.createStream(NATSStreamSettings(name: "S", subjects: ["s"]))
            for _ in 0..<3 { _ = try connection.publish([1], to: "s") }
            let created = try connection.streamState("S").created
            func lost(_ sequence: UInt64, _ time: Int64? = nil) throws -> Bool {
                try connection.hasLost(sequence, of: "S", createdAt: time ?? created)
            }
            try connection.remove([2], of: "S")
            #expect(try [1, 2, 3].map { try lost($0) } == [false, true, false])
            // It has not come yet.
            #expect(try !lost(4))
            #expect(try lost(4, 1))
            try connection.remove([1, 3], of: "S")
            #expect(try [1, 3].allSatisfy { try lost($0) })
            #expect(throws: NATSError.self) { try connection.hasLost(1, of: "none", createdAt: created) }
        }
    }
}
#endif
