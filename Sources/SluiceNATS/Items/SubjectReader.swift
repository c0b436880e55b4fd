#if NATS
import Foundation
import Sluice
import SluiceRuns
import SluiceStreams

/// The reader of a subject for the partitions of a stream that one worker has.
///
/// Each message is asked for, parsed, and given to a partition once, however many partitions the worker has. The last blocks are
/// kept for those that are a little behind. A partition that is further behind reads for itself until it has caught up, so
/// that a slow one holds up no other for long.
actor SubjectReader {
    /// An answer to a partition that asks for the next messages.
    enum Next: Sendable {
        /// Messages, some of which come after the partition's place.
        case block(SubjectBlock)
        /// The messages after its place are not kept here.
        case behind
        /// No message has come for a while. `isAtEnd` is `true` if the server has none either.
        case nothing(isAtEnd: Bool)
        /// No stream keeps the subject.
        case noStream
    }

    /// A partition that reads here.
    private final class Partition {
        /// The place up to which it has taken everything.
        var place: SubjectPlace?
        /// A Boolean value that indicates whether it waits for messages.
        var isWaiting = false
        /// A Boolean value that indicates whether the others have waited for it, and wait no more until it asks again.
        var isSlow = false
        /// The answer for it; `nil` where messages may have come.
        var answer: Result<Next, any Error>?
        /// Rung when there is an answer, or messages.
        let signal = Signal()
    }

    /// The consumer, from its creation to its first error.
    private struct Session {
        let consumer: NATSConsumer
        let settings: NATSConsumerSettings
        let created: Int64
        /// The number of the next message among those of the consumer.
        var expected: UInt64 = 1
    }

    private let connection: NATSConnection
    private let clock: any Clock<Duration>
    private let arguments: SubjectSource.Arguments
    private let keys: PartitionKeys?
    private var session: Session?
    /// The blocks that are kept, the oldest first, and the place after which they begin.
    private var blocks: [SubjectBlock] = []
    private var base: SubjectPlace?
    private var size = 0
    private var partitions: [Int: Partition] = [:]
    private var lastNumber = 0
    private var loop: Task<Void, Never>?
    private var isStopped = false
    /// Rung when a partition waits, has taken messages, or has left.
    private let news = Signal()
    private var fetchSize = FetchSize()

    /// The most blocks that are kept, and the most bytes of their messages.
    private static let mostBlocks = 32
    private static let mostBytes = 16 << 20
    /// The time for which the first partition waits for others that begin.
    private static let gathering = Duration.milliseconds(50)
    /// The time for which a fast partition waits for a slow one at once, and how often.
    private static let patience = Duration.milliseconds(20)
    private static let turns = 10
    /// The largest number of messages between the places of the partitions with which it begins: a healthy one stores its place
    /// each ``SubjectReading/longestGap`` messages at least.
    private static let widestGap = 2 * SubjectReading.longestGap
    /// The pause after messages that were lost on their way.
    private static let pause = Duration.milliseconds(250)

    /// - Parameters:
    ///   - clock: The clock of the pauses.
    ///   - arguments: The arguments of the source.
    ///   - keys: The division; `nil` where one partition has all messages.
    init(
        _ connection: NATSConnection,
        clock: any Clock<Duration>,
        _ arguments: SubjectSource.Arguments,
        _ keys: PartitionKeys?
    ) {
        (self.connection, self.clock, self.arguments, self.keys) = (connection, clock, arguments, keys)
    }

    // MARK: Partitions

    /// Notes a partition that begins to read after a place.
    ///
    /// - Returns: Its number here.
    func attach(after place: SubjectPlace?) -> Int {
        lastNumber += 1
        let partition = Partition()
        partition.place = place
        partitions[lastNumber] = partition
        return lastNumber
    }

    /// Forgets a partition, which reads for itself, or no more.
    func detach(_ number: Int) {
        partitions.removeValue(forKey: number)
        news.notify()
    }

    /// Ends the reader, which nobody uses any more.
    func stop() {
        isStopped = true
        loop?.cancel()
    }

    /// Returns a Boolean value that indicates whether the messages after a place are kept here, or come next.
    func keeps(after place: SubjectPlace?) -> Bool { base.map { sequence(place, $0) >= $0.sequence } ?? true }

    /// Returns messages after a place, as soon as there are some.
    ///
    /// - Parameters:
    ///   - number: The number of a partition that is attached.
    ///   - place: The place up to which it has taken everything.
    /// - Throws: ``NATSError``; `CancellationError` if the task is canceled.
    func next(for number: Int, after place: SubjectPlace?) async throws -> Next {
        guard let partition = partitions[number], !isStopped else { return .behind }
        partition.place = place
        partition.isSlow = false
        if loop == nil { loop = Task { await self.run() } }
        while true {
            try Task.checkCancellation()
            if let base {
                let sequence = sequence(place, base)
                if sequence < base.sequence { return .behind }
                if let block = blocks.first(where: { $0.end > sequence }) { return .block(block) }
            }
            partition.isWaiting = true
            news.notify()
            await partition.signal.wait()
            partition.isWaiting = false
            defer { partition.answer = nil }
            if let answer = partition.answer { return try answer.get() }
        }
    }

    /// Returns the sequence of a place; 0 for one of a stream that was removed.
    private func sequence(_ place: SubjectPlace?, _ base: SubjectPlace) -> UInt64 {
        place?.created == base.created ? place?.sequence ?? 0 : 0
    }

    // MARK: Reading

    /// Reads while a partition waits, until the task is canceled.
    private func run() async {
        while !Task.isCancelled {
            guard partitions.values.contains(where: { $0.isWaiting }) else {
                await news.wait()
                continue
            }
            var answer: Result<Next, any Error>?
            do { answer = try await read().map { .success($0) } } catch {
                if Task.isCancelled { break }
                answer = .failure(error)
                closeConsumer()
            }
            for partition in partitions.values where partition.isWaiting {
                partition.answer = answer
                partition.signal.notify()
            }
        }
        closeConsumer()
    }

    /// Reads the next messages.
    ///
    /// - Returns: The answer to all partitions that wait; `nil` where messages have come.
    private func read() async throws -> Next? {
        guard let session = try await open() else { return .noStream }
        await makeRoom()
        let messages = try await session.consumer.fetch(fetchSize.count)
        fetchSize.note(messages)
        if messages.isEmpty {
            // A server that has lost the consumer answers like one that has nothing.
            let state = try await connection.perform { try $0.consumerState(session.settings) }
            return .nothing(isAtEnd: state.pending == 0 && state.delivered == session.expected - 1)
        }
        // Lost messages may be lost again.
        if !take(messages) { try await clock.sleep(for: Self.pause) }
        return nil
    }

    /// Keeps messages up to the first that does not follow the one before it: another consumer begins there.
    ///
    /// - Returns: A Boolean value that indicates whether there were any.
    private func take(_ messages: [NATSMessage]) -> Bool {
        guard var session else { return false }
        var count = 0
        while count < messages.count, messages[count].consumerSequence == session.expected {
            session.expected += 1
            count += 1
        }
        self.session = session
        if count > 0 {
            let block = SubjectBlock(messages[..<count], created: session.created, arguments, keys)
            blocks.append(block)
            size += block.size
        }
        if count < messages.count { closeConsumer() }
        return count > 0
    }

    /// Returns the consumer. A new one begins after what was read, or where the first partition is.
    ///
    /// - Returns: `nil` where no stream keeps the subject.
    private func open() async throws -> Session? {
        if let session { return session }
        if base == nil { try await clock.sleep(for: Self.gathering) }
        let subject = arguments.subject
        let found = try await connection.perform { connection in
            guard let stream = try connection.stream(of: subject) else { return (String, NATSStreamState)?.none }
            return (stream, try connection.streamState(stream))
        }
        guard let (stream, state) = found else { return nil }
        if let base, base.created != state.created { (blocks, self.base, size) = ([], nil, 0) }
        let origin = SubjectPlace(created: state.created, sequence: 0)
        // A partition that is far behind the newest reads for itself, so that the others need not read everything again.
        let places = partitions.values.map { sequence($0.place, origin) }
        let newest = places.max() ?? 0
        let first = places.filter { $0 >= newest - min(newest, Self.widestGap) }.min()
        let start = blocks.last?.end ?? base?.sequence ?? first ?? 0
        var settings = NATSConsumerSettings(stream: stream, name: "sluice-\(ULID.make(at: Date()))", subject: subject)
        settings.isUnacknowledged = true
        settings.start = .sequence(start + 1)
        let consumer = try await connection.perform { [settings] in try $0.consumer(settings) }
        let session = Session(consumer: consumer, settings: settings, created: state.created)
        self.session = session
        base = base ?? SubjectPlace(created: state.created, sequence: start)
        return session
    }

    /// Drops the oldest blocks where as many are kept as may be: after every partition has taken them, or has had time to.
    private func makeRoom() async {
        while let oldest = blocks.first, blocks.count >= Self.mostBlocks || size > Self.mostBytes {
            let end = SubjectPlace(created: oldest.created, sequence: oldest.end)
            func isBehind(_ partition: Partition) -> Bool {
                !partition.isSlow && sequence(partition.place, end) < end.sequence
            }
            for _ in 0..<Self.turns where partitions.values.contains(where: isBehind) {
                try? await clock.sleep(for: Self.patience)
            }
            for partition in partitions.values where isBehind(partition) { partition.isSlow = true }
            blocks.removeFirst()
            size -= oldest.size
            base = end
        }
    }

    private func closeConsumer() {
        guard let session else { return }
        self.session = nil
        session.consumer.close()
        // The server removes a consumer that nobody uses anyway.
        Task { [connection, settings = session.settings] in
            _ = try? await connection.perform { try $0.deleteConsumer(settings.name, of: settings.stream) }
        }
    }
}
#endif
