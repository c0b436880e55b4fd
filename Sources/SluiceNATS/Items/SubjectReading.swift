#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The reading of a subject for one run, from the position of the run.
struct SubjectReading {
    private let connection: NATSConnection
    private let clock: any Clock<Duration>
    private let arguments: SubjectSource.Arguments
    private let filter: SubjectFilter?
    private let inlet: StreamInlet<JSON>
    /// The place of the last message that was read; `nil` at the beginning.
    private(set) var last: SubjectPlace?
    /// The sequence of the last place that the run has.
    private var marked: UInt64
    /// A closure that takes the number of messages that wait behind those that the run has taken.
    var onLag: @Sendable (UInt64) -> Void = { _ in }
    /// The reader that the run shares with other partitions; `nil` if it reads for itself.
    var reader: SubjectReader?

    /// The acknowledgments of a durable consumer; `nil` for one without acknowledgments.
    private let acknowledgments: SubjectAcknowledgments?

    /// The largest number of messages of other partitions after which the position is stored.
    static let longestGap: UInt64 = 4096

    init(
        _ connection: NATSConnection,
        clock: any Clock<Duration>,
        _ arguments: SubjectSource.Arguments,
        _ filter: SubjectFilter?,
        _ inlet: StreamInlet<JSON>,
        after last: SubjectPlace?
    ) {
        (self.connection, self.clock, self.arguments, self.filter) = (connection, clock, arguments, filter)
        (self.inlet, self.last, marked) = (inlet, last, last?.sequence ?? 0)
        acknowledgments = arguments.consumer.map { _ in
            SubjectAcknowledgments(connection, storedUpTo: last?.sequence ?? 0)
        }
    }

    /// The way to go on when messages no longer come in order.
    enum Next {
        /// The next call goes on at once: the run has caught up with the shared reader, or lost it.
        case again
        /// The next call goes on after a pause.
        case later
        /// All messages were read that the part has.
        case ended
    }

    /// Reads until the messages no longer come in order.
    ///
    /// - Throws: ``NATSError``; `CancellationError`.
    mutating func read() async throws -> Next {
        guard let reader else { return try await readAlone(until: nil) }
        // The first position of a run that begins with what comes now is found out alone.
        let isBegun = last != nil || inlet.position != nil || !arguments.isFromNow
        if isBegun, await reader.keeps(after: last) { return try await read(from: reader) }
        return try await readAlone(until: reader)
    }

    // MARK: Shared

    private mutating func read(from reader: SubjectReader) async throws -> Next {
        let number = await reader.attach(after: last)
        defer { Task { await reader.detach(number) } }
        while true {
            if let end = reachedEnd { return try await finish(at: end) }
            switch try await reader.next(for: number, after: last) {
            case .behind: return .again
            case .noStream:
                reportMissingStream()
                return .later
            case .nothing(let isAtEnd):
                inlet.report(waiting: nil)
                onLag(0)
                if isAtEnd, let end = filter?.end, try await isGone(end) { return try await finish(at: end) }
            case .block(let block):
                // A stream that was created again has other messages.
                if last?.created != block.created { (last, marked) = (nil, 0) }
                let first = last?.sequence ?? 0
                for message in block.items(of: filter?.partition ?? 0) where message.sequence > first {
                    let place = SubjectPlace(created: block.created, sequence: message.sequence)
                    if let end = filter?.end, filter?.isBeyond(place) ?? false { return try await finish(at: end) }
                    last = place
                    try await send(message.item, at: place)
                }
                let place = SubjectPlace(created: block.created, sequence: block.end)
                if let end = filter?.end, filter?.isBeyond(place) ?? false { return try await finish(at: end) }
                last = place
                onLag(block.pending)
                try await mark()
            }
        }
    }

    // MARK: Alone

    private mutating func readAlone(until reader: SubjectReader?) async throws -> Next {
        let subject = arguments.subject
        let opened = try await connection.perform { connection in
            guard let stream = try connection.stream(of: subject) else { return (String, NATSStreamState)?.none }
            return (stream, try connection.streamState(stream))
        }
        guard let (stream, state) = opened else {
            reportMissingStream()
            return .later
        }
        if let reason = Self.refusal(of: state.retention, stream, hasConsumer: arguments.consumer != nil) {
            inlet.report(waiting: reason)
            return .later
        }
        acknowledgments?.begin(isOtherStream: last.map { $0.created != state.created } ?? false)
        // A stream that was created again has other messages.
        if last?.created != state.created { (last, marked) = (nil, 0) }
        // The end of the stream is stored as the position: a run that is killed before its first message resumes there.
        if last == nil, inlet.position == nil, arguments.isFromNow {
            let place = SubjectPlace(created: state.created, sequence: state.last)
            (last, marked) = (place, place.sequence)
            try await inlet.mark(at: place.text)
        }
        if let reader, last != nil, await reader.keeps(after: last) { return .again }
        let settings = consumerSettings(stream, state.retention)
        let consumer = try await connection.perform { [isNamed = arguments.consumer != nil] connection in
            // One that goes on delivers what was not acknowledged late, behind later messages.
            if isNamed { try connection.deleteConsumer(settings.name, of: stream) }
            return try connection.consumer(settings)
        }
        defer {
            // The task may be canceled, and the server removes a consumer that nobody uses anyway.
            if arguments.consumer == nil {
                Task { [connection] in
                    _ = try? await connection.perform { try $0.deleteConsumer(settings.name, of: settings.stream) }
                }
            }
        }
        var expected: UInt64 = 1
        var fetchSize = FetchSize()
        while true {
            if let end = reachedEnd { return try await finish(at: end) }
            let messages = try await consumer.fetch(fetchSize.count)
            fetchSize.note(messages)
            if messages.isEmpty {
                // A server that has lost the consumer answers like one that has nothing.
                let consumer = try await connection.perform { [settings] in try $0.consumerState(settings) }
                inlet.report(waiting: nil)
                onLag(0)
                if let end = filter?.end, consumer.pending == 0, consumer.delivered == expected - 1,
                    try await isGone(end)
                {
                    return try await finish(at: end)
                }
            }
            acknowledgments?.take(messages)
            let newest = messages.map(\.sequence).max()
            for message in messages {
                // A message was lost on its way: another consumer begins after the last one that came.
                guard message.consumerSequence == expected else { return .later }
                let place = SubjectPlace(created: state.created, sequence: message.sequence)
                if let end = filter?.end, filter?.isBeyond(place) ?? false { return try await finish(at: end) }
                expected += 1
                // The acknowledgment of a message that the run has was lost.
                if let last, last.reaches(place) { continue }
                last = place
                let item = arguments.item(message)
                if filter?.takes(item) ?? true { try await send(item, at: place, isAwaited: place.sequence == newest) }
            }
            if let newest = messages.last {
                onLag(newest.pending)
                try await mark()
            }
            if let reader, last != nil, await reader.keeps(after: last) { return .again }
        }
    }

    /// Returns the settings of the consumer: a durable one where the document names it.
    private func consumerSettings(_ stream: String, _ retention: NATSRetention) -> NATSConsumerSettings {
        let name = arguments.consumer ?? "sluice-\(ULID.make(at: Date()))"
        var settings = NATSConsumerSettings(stream: stream, name: name, subject: arguments.subject)
        settings.isUnacknowledged = arguments.consumer == nil
        // Acknowledgments that are lost are repeated then.
        (settings.acknowledgmentWait, settings.mostPending) = (.seconds(300), 8192)
        // A consumer of a work queue begins at its first message.
        settings.start = retention == .workQueue ? .first : last.map { .sequence($0.sequence + 1) } ?? .first
        return settings
    }

    /// Returns the reason for which a stream with a retention can't be read without loss; `nil` for one that can be read.
    private static func refusal(of retention: NATSRetention, _ stream: String, hasConsumer: Bool) -> String? {
        switch retention {
        case .limits: nil
        case .workQueue:
            hasConsumer
                ? nil : "the stream \(stream) is a work queue: name a \"consumer\", whose messages are acknowledged"
        case .interest:
            "the stream \(stream) keeps messages as long as consumers want them, and would lose those that come while "
                + "nobody reads: let it keep them by limits, or as a work queue"
        }
    }

    // MARK: The run

    /// - Parameter isAwaited: A Boolean value that indicates whether messages up to this one are acknowledged when it is stored.
    private mutating func send(_ item: JSON, at place: SubjectPlace, isAwaited: Bool = false) async throws {
        if isAwaited, let acknowledgments {
            let delivery = acknowledgments.delivery(of: place.sequence)
            try await inlet.send(item, at: place.text, awaitedBy: delivery)
        } else {
            try await inlet.send(item, at: place.text)
        }
        marked = place.sequence
    }

    /// Stores the position, so that what others take need not be read again.
    private mutating func mark() async throws {
        guard let last, last.sequence > marked, last.sequence - marked > Self.longestGap else { return }
        try await inlet.mark(at: last.text)
        marked = last.sequence
    }

    /// The end of the messages that are to be read, if it is reached.
    private var reachedEnd: SubjectPlace? {
        guard let last, let end = filter?.end, last.reaches(end) else { return nil }
        return end
    }

    /// Returns a Boolean value that indicates whether the last message that is to be read is no longer kept, so that none is left.
    ///
    /// A consumer of a server that was started again may have nothing pending because the server has not caught up yet.
    private func isGone(_ end: SubjectPlace) async throws -> Bool {
        try await connection.perform { [subject = arguments.subject] connection in
            guard let stream = try connection.stream(of: subject) else { return false }
            return try connection.hasLost(end.sequence, of: stream, createdAt: end.created)
        }
    }

    /// Stores the end of the messages that are to be read as the position. The source ends there.
    private func finish(at place: SubjectPlace) async throws -> Next {
        try await inlet.mark(at: place.text)
        return .ended
    }

    private func reportMissingStream() {
        inlet.report(waiting: "no stream of JetStream keeps the subject \(arguments.subject): create one")
    }
}
#endif
