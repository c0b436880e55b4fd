#if NATS
import Foundation
import Sluice
import SluiceFilters
import SluiceRuns

/// The log of a partition: the messages of one subject, which only its owner can append to.
///
/// A worker that takes a log over appends a mark. Every message names the sequence of the one before it, so that from then on
/// the server refuses those of the owner before, whatever that one believes. A record that is too large for one message has
/// several, and counts when the last one is there.
final class PartitionLog: Sendable {
    /// The kinds of records.
    enum Kind: String {
        /// A worker has taken the log over.
        case owner
        /// Calls of the store.
        case calls
        /// The state after all records before it, which are not needed any more.
        case state
        /// The owner has given the log up.
        case released
    }

    /// A record.
    struct Record {
        let kind: Kind
        let bytes: [UInt8]
    }

    /// Another worker has taken the log over.
    struct LostError: Error {}

    private struct State {
        /// The sequence of the last message.
        var last: UInt64
        /// The number of messages of this owner.
        var count = 0
        /// The sequences of all messages, in order.
        var sequences: [UInt64] = []
    }

    /// The pauses between the attempts of partitions that give groups to the same one.
    private static let contention = Backoff.exponential(from: .milliseconds(20), to: .seconds(1), jitter: .full)
    /// The stream of JetStream that keeps the logs of all partitions.
    static let stream = "sluice-runs"
    private let connection: NATSConnection
    private let subject: String
    /// The name of this ownership: the worker, and a ULID.
    private let owner: String
    private let clock: any Clock<Duration>
    private let state: Locked<State>

    private init(
        _ connection: NATSConnection,
        _ subject: String,
        owner: String,
        last: UInt64,
        clock: any Clock<Duration>
    ) {
        (self.connection, self.subject, self.owner, self.clock) = (connection, subject, owner, clock)
        state = Locked(State(last: last))
    }

    // MARK: Taking over

    /// Returns the worker that has the log; `nil` where it was given up, or does not exist.
    static func owner(of subject: String, over connection: NATSConnection) async throws -> String? {
        let last = try await connection.perform { try $0.lastMessage(of: subject, in: stream) }
        guard let last, Message(last.bytes)?.kind != .released else { return nil }
        return last.id?.split(separator: "/").first.map(String.init)
    }

    /// Takes a log over from whoever has it.
    ///
    /// - Parameters:
    ///   - subject: The subject of the log.
    ///   - worker: The id of the worker.
    ///   - clock: The clock of the pauses before another attempt.
    /// - Returns: The log, and its records from the last state.
    static func takeOver(
        _ subject: String,
        by worker: String,
        over connection: NATSConnection,
        clock: any Clock<Duration>
    ) async throws -> (log: PartitionLog, records: [Record]) {
        let owner = "\(worker)/\(ULID.make(at: Date()))"
        let last = try await connection.perform { connection in
            while true {
                let last = try connection.lastMessage(of: subject, in: stream)?.sequence ?? 0
                do {
                    let mark = Message(kind: .owner, index: 0, count: 1, bytes: []).text
                    return try connection.publish(mark, to: subject, id: "\(owner)/0", ifLast: last).sequence
                } catch NATSError.stale {}
            }
        }
        let log = PartitionLog(connection, subject, owner: owner, last: last, clock: clock)
        do {
            while true {
                if let records = try await log.read(upTo: last) { return (log, records) }
                try await log.verify()
                try await clock.sleep(for: .milliseconds(100))
            }
        } catch let error as CancellationError {
            // The next worker need not wait for this one.
            await log.release()
            throw error
        }
    }

    /// Gives the log up, once, as far as the server answers; also in a task that is canceled.
    func release() async { await Task { _ = try? await self.append(.released) { false } }.value }

    /// Returns the records from the last state; `nil` if a message was lost on its way.
    ///
    /// - Throws: ``LostError`` when another worker has taken the log over, and has removed what is to be read.
    func read(upTo end: UInt64) async throws -> [Record]? {
        var settings = NATSConsumerSettings(
            stream: Self.stream,
            name: "sluice-\(ULID.make(at: Date()))",
            subject: subject
        )
        settings.isUnacknowledged = true
        let consumer = try await connection.perform { [settings] in try $0.consumer(settings) }
        defer {
            Task { [connection, settings] in
                _ = try? await connection.perform { try $0.deleteConsumer(settings.name, of: settings.stream) }
            }
        }
        var (reader, expected, last) = (RecordReader(), UInt64(1), UInt64(0))
        var sequences: [UInt64] = []
        while last < end {
            let messages = try await consumer.fetch(32)
            if messages.isEmpty { return nil }
            for message in messages {
                guard message.consumerSequence == expected else { return nil }
                // The mark of this owner is gone: a state of the next one has taken its place.
                if message.sequence > end, last < end { throw LostError() }
                if message.sequence > end { break }
                (expected, last) = (expected + 1, message.sequence)
                sequences.append(message.sequence)
                reader.take(message.bytes)
            }
        }
        state.withLock { [sequences] in $0.sequences = sequences }
        return reader.records
    }

    // MARK: Giving

    /// Appends a record of calls to the log of a partition that no worker has yet.
    ///
    /// - Parameter isWanted: A closure that returns whether to try again.
    /// - Throws: ``LostError`` where nobody wants it any more; ``NATSError``.
    static func deposit(
        _ bytes: [UInt8],
        to subject: String,
        over connection: NATSConnection,
        clock: any Clock<Duration>,
        while isWanted: @Sendable () -> Bool
    ) async throws {
        let messages = Message.texts(of: .calls, bytes, upTo: largestRecord(over: connection))
        var attempts = 0
        while isWanted() {
            // Another partition that gives its groups to the same one may come between two messages: the record is repeated.
            let id = "groups/\(ULID.make(at: Date()))"
            do {
                var last = try await connection.perform { try $0.lastMessage(of: subject, in: stream)?.sequence ?? 0 }
                for (index, message) in messages.enumerated() {
                    last = try await connection.perform { [last] in
                        try $0.publish(message, to: subject, id: "\(id)/\(index)", ifLast: last).sequence
                    }
                }
                return
            } catch NATSError.stale {
                // One of them has to be faster than the others.
                attempts += 1
                try await clock.sleep(for: contention.delay(after: attempts, random: .system))
            } catch let error as NATSError where error.isTemporary {
                try await clock.sleep(for: .milliseconds(200))
            }
        }
        throw LostError()
    }

    private static func largestRecord(over connection: NATSConnection) -> Int {
        max(1024, connection.largestPayload - 2048)
    }

    // MARK: Writing

    /// The largest record that is one message, in bytes.
    var largestRecord: Int { Self.largestRecord(over: connection) }

    /// Appends a record, and returns when it is stored.
    ///
    /// An attempt without an answer is repeated until there is one, or nobody wants it any more.
    ///
    /// - Parameter isWanted: A closure that returns whether to try again.
    /// - Returns: The sequence of the first message of the record.
    /// - Throws: ``LostError`` when another worker has the log; ``NATSError``. A canceled task appends nothing more.
    @discardableResult
    func append(_ kind: Kind, _ bytes: [UInt8] = [], while isWanted: @Sendable () -> Bool) async throws -> UInt64 {
        let messages = Message.texts(of: kind, bytes, upTo: largestRecord)
        var first: UInt64 = 0
        for (index, message) in messages.enumerated() {
            // A state that is one message takes the place of all before it, in one step.
            let replaces = kind == .state && messages.count == 1
            let sequence = try await append(message, replacing: replaces, while: isWanted)
            state.withLock { state in
                if replaces { state.sequences = [] }
                state.sequences.append(sequence)
            }
            if index == 0 { first = sequence }
        }
        return first
    }

    private func append(
        _ message: [UInt8],
        replacing: Bool,
        while isWanted: @Sendable () -> Bool
    ) async throws -> UInt64 {
        let (last, number) = state.withLock { state in
            state.count += 1
            return (state.last, state.count)
        }
        let id = "\(owner)/\(number)"
        while true {
            do {
                let sequence = try await connection.perform { [subject] connection in
                    do {
                        let receipt = try connection.publish(
                            message,
                            to: subject,
                            id: id,
                            ifLast: last,
                            replacesSubject: replacing
                        )
                        return receipt.sequence
                    } catch NATSError.stale {
                        // The answer of an attempt was lost, longer ago than the server remembers ids.
                        let newest = try connection.lastMessage(of: subject, in: Self.stream)
                        guard let newest, newest.id == id else { throw LostError() }
                        return newest.sequence
                    }
                }
                state.withLock { $0.last = sequence }
                return sequence
            } catch let error as NATSError where error.isTemporary && isWanted() {
                try await clock.sleep(for: .milliseconds(200))
            }
        }
    }

    /// Checks that nobody has taken the log over.
    ///
    /// - Throws: ``LostError``; ``NATSError`` where the server does not answer.
    func verify() async throws {
        let last = state.withLock { $0.last }
        let newest = try await connection.perform { [subject] in
            try $0.lastMessage(of: subject, in: Self.stream)
        }
        if let newest, newest.id?.hasPrefix("\(owner)/") ?? false { return }
        if newest?.sequence == last { return }
        throw LostError()
    }

    /// Removes the messages before one of them, as far as they are there.
    func remove(before sequence: UInt64) async throws {
        while true {
            let old = state.withLock { Array($0.sequences.prefix(256).prefix { $0 < sequence }) }
            if old.isEmpty { return }
            try await connection.perform { try $0.remove(old, of: Self.stream) }
            // A state that came meanwhile may have taken the place of all of them.
            state.withLock { state in state.sequences.removeAll { $0 <= old[old.count - 1] } }
        }
    }
}

/// A message of a log: a line with the kind of its record, its place, and the number of messages, and then a part of the record.
private struct Message {
    let kind: PartitionLog.Kind
    let index: Int
    let count: Int
    let bytes: ArraySlice<UInt8>

    init(kind: PartitionLog.Kind, index: Int, count: Int, bytes: ArraySlice<UInt8>) {
        (self.kind, self.index, self.count, self.bytes) = (kind, index, count, bytes)
    }

    init?(_ text: [UInt8]) {
        guard let end = text.prefix(64).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: text[..<end], as: UTF8.self).split(separator: " ")
        guard words.count == 3, let kind = PartitionLog.Kind(rawValue: String(words[0])), let index = Int(words[1]),
            let count = Int(words[2]), index >= 0, index < count
        else { return nil }
        self.init(kind: kind, index: index, count: count, bytes: text[(end + 1)...])
    }

    /// Returns the messages of a record, each with a part of at most `size` bytes.
    static func texts(of kind: PartitionLog.Kind, _ bytes: [UInt8], upTo size: Int) -> [[UInt8]] {
        let count = max(1, (bytes.count + size - 1) / size)
        return (0..<count).map { index in
            let part = bytes[(index * size)..<min(bytes.count, (index + 1) * size)]
            return Message(kind: kind, index: index, count: count, bytes: part).text
        }
    }

    var text: [UInt8] { Array("\(kind.rawValue) \(index) \(count)\n".utf8) + bytes }
}

/// A reader of the records that messages contain. It leaves out those that were not completed.
private struct RecordReader {
    private(set) var records: [PartitionLog.Record] = []
    private var open: (kind: PartitionLog.Kind, next: Int, bytes: [UInt8])?

    mutating func take(_ text: [UInt8]) {
        guard let message = Message(text) else { return open = nil }
        if message.index == 0 {
            open = (message.kind, 1, Array(message.bytes))
        } else if var record = open, record.kind == message.kind, record.next == message.index {
            open = nil
            record.next += 1
            record.bytes += message.bytes
            open = record
        } else {
            open = nil
        }
        guard let record = open, record.next == message.count else { return }
        open = nil
        if record.kind == .state { records = [] }
        records.append(PartitionLog.Record(kind: record.kind, bytes: record.bytes))
    }
}
#endif
