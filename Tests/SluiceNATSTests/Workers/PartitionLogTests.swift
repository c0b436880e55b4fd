#if NATS
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(2))) struct PartitionLogTests {
    private let subject = "sluice.runs.g.s.1.0"

    private func connection() async throws -> Connected {
        let connected = try await Connected()
        try await connected.connection.perform { connection in
            var settings = NATSStreamSettings(name: PartitionLog.stream, subjects: ["sluice.runs.>"])
            settings.duplicateWindow = .milliseconds(100)
            settings.allowsReplacing = true
            try connection.createStream(settings)
        }
        return connected
    }

    private func takeOver(_ worker: String, _ connected: Connected) async throws -> (PartitionLog, [String]) {
        let (log, records) = try await PartitionLog.takeOver(
            subject,
            by: worker,
            over: connected.connection,
            clock: ContinuousClock()
        )
        return (log, records.map { "\($0.kind) \(String(decoding: $0.bytes.prefix(10), as: UTF8.self))" })
    }

    @Test func whoLosesTheLogCanAppendNothing() async throws {
        let connected = try await connection()
        let (first, none) = try await takeOver("one", connected)
        #expect(none == ["owner "])
        try await first.append(.calls, Array("a".utf8)) { true }
        #expect(try await PartitionLog.owner(of: subject, over: connected.connection) == "one")
        try await first.verify()
        let (second, records) = try await takeOver("two", connected)
        #expect(records == ["owner ", "calls a", "owner "])
        for _ in 0..<2 {
            await #expect(throws: PartitionLog.LostError.self) { try await first.append(.calls) { true } }
        }
        await #expect(throws: PartitionLog.LostError.self) { try await first.verify() }
        try await second.append(.calls, Array("b".utf8)) { true }
        try await second.append(.released) { true }
        #expect(try await PartitionLog.owner(of: subject, over: connected.connection) == nil)
        #expect(
            try await takeOver("one", connected).1 == ["owner ", "calls a", "owner ", "calls b", "released ", "owner "]
        )
    }

    /// A state that is one message replaces what was before in one step, and nothing of another partition.
    @Test func aSmallStateReplacesWhatWasBefore() async throws {
        let connected = try await connection()
        let other = subject + "1"
        try await connected.connection.perform { _ = try $0.publish([1], to: other) }
        let (log, _) = try await takeOver("one", connected)
        for text in ["a", "b"] { try await log.append(.calls, Array(text.utf8)) { true } }
        try await log.append(.state, Array("ab".utf8)) { true }
        let count = try await connected.connection.perform { try $0.streamState(PartitionLog.stream).messages }
        #expect(count == 2)
        try await log.append(.calls, Array("c".utf8)) { true }
        #expect(try await takeOver("two", connected).1 == ["state ab", "calls c", "owner "])
        // The worker that has lost the log replaces nothing.
        await #expect(throws: PartitionLog.LostError.self) { try await log.append(.state) { true } }
        #expect(try await takeOver("three", connected).1 == ["state ab", "calls c", "owner ", "owner "])
        try await connected.connection.perform { [subject] connection in
            try connection.removeMessages(of: subject, in: PartitionLog.stream)
            #expect(try connection.lastMessage(of: subject, in: PartitionLog.stream) == nil)
            #expect(try connection.lastMessage(of: other, in: PartitionLog.stream)?.bytes == [1])
            try connection.removeMessages(of: subject, in: PartitionLog.stream)
            // What is gone can be removed again.
            try connection.remove([1, 2, 3, 99], of: PartitionLog.stream)
            #expect(try connection.streamState(PartitionLog.stream).messages == 0)
        }
    }

    @Test func aStateReplacesWhatWasBefore() async throws {
        let connected = try await connection()
        let (log, _) = try await takeOver("one", connected)
        for text in ["a", "b"] { try await log.append(.calls, Array(text.utf8)) { true } }
        // Larger than what the server takes at once.
        let large = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
        let first = try await log.append(.state, large) { true }
        try await log.remove(before: first)
        try await log.append(.calls, Array("c".utf8)) { true }
        let count = try await connected.connection.perform { try $0.streamState(PartitionLog.stream).messages }
        #expect(count == 5)
        #expect(try await takeOver("two", connected).1 == ["state xxxxxxxxxx", "calls c", "owner "])
    }

    /// A worker that is slow to read the log does not wait for what the next one has removed.
    @Test func aLogThatIsLostWhileItIsReadIsLost() async throws {
        let connected = try await connection()
        let (first, _) = try await takeOver("one", connected)
        let mark = try await connected.connection.perform { [subject] connection in
            try connection.lastMessage(of: subject, in: PartitionLog.stream)?.sequence ?? 0
        }
        let (second, _) = try await takeOver("two", connected)
        #expect(try await first.read(upTo: mark)?.map(\.kind) == [.owner])
        try await second.append(.state, Array("a".utf8)) { true }
        await #expect(throws: PartitionLog.LostError.self) { try await first.read(upTo: mark) }
        // Nothing is there at all.
        try await connected.connection.perform { [subject] connection in
            try connection.removeMessages(of: subject, in: PartitionLog.stream)
        }
        await #expect(throws: PartitionLog.LostError.self) { try await first.verify() }
    }

    @Test func aMessageOfSomebodyElseIsLeftOut() async throws {
        let connected = try await connection()
        let subject = subject
        try await connected.connection.perform { connection in
            for text in ["calls 0 -1\n", "calls -1 1\n", "calls 5 2\nx", "state 0 99999999999999999999\n", "", "calls"]
            {
                _ = try connection.publish(Array(text.utf8), to: subject)
            }
        }
        #expect(try await takeOver("one", connected).1 == ["owner "])
    }

    @Test func aRecordThatWasNotCompletedIsLeftOut() async throws {
        let connected = try await connection()
        let (log, _) = try await takeOver("one", connected)
        try await log.append(.calls, Array("a".utf8)) { true }
        let subject = subject
        // The first of two messages of a worker that was killed then.
        try await connected.connection.perform { _ = try $0.publish(Array("state 0 2\nhalf".utf8), to: subject) }
        let (next, records) = try await takeOver("two", connected)
        #expect(records == ["owner ", "calls a", "owner "])
        try await next.append(.calls, Array("b".utf8)) { true }
        #expect(try await takeOver("three", connected).1 == ["owner ", "calls a", "owner ", "calls b", "owner "])
    }
}
#endif
