#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns
public import SluiceStreams

extension StreamHost {
    /// Registers the source `subject`, which reads the messages of a subject that a stream of JetStream keeps.
    ///
    /// A document names it under `outside`, with the subject, which may have wildcards, as an argument:
    /// `{"outside": {"name": "subject", "arguments": {"subject": "orders.*"}}}`.
    ///
    /// | Argument | Means |
    /// |---|---|
    /// | `"subject"` | the subject, such as `"orders.in"`, `"orders.*"`, or `"orders.>"` |
    /// | `"format"` | `"json"` by default: an item is the JSON of a message, or the text of another one; `"text"`: the text |
    /// | `"as"` | `"value"` by default; `"message"`: an object with `subject`, `sequence`, `id`, and `value` |
    /// | `"from"` | `"start"` by default: the first message that is kept; `"now"`: the first that comes |
    ///
    /// The position of an item is the sequence of its message, which is stored with the run: a run that resumes continues
    /// after the last message that it has stored, in order, without a gap or a duplicate. Messages come as the run takes them.
    /// No message is acknowledged, so the stream must keep its messages by limits, not as a work queue.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - clock: The clock of the pauses before another attempt, while the server is away or no stream keeps the subject.
    public mutating func registerSubject(
        over connection: NATSConnection,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        register("subject", hasPositions: true, SubjectSource(connection, clock: clock).feed)
    }
}

/// The source `subject`.
struct SubjectSource: Sendable {
    private let connection: NATSConnection
    private let clock: any Clock<Duration>
    /// The part of the messages that are read; `nil` for all.
    private let part: SubjectPart?
    /// The largest number of messages that are asked for at once.
    private static let batch = 256

    init(_ connection: NATSConnection, clock: any Clock<Duration>, part: SubjectPart? = nil) {
        (self.connection, self.clock, self.part) = (connection, clock, part)
    }

    /// The arguments of a document.
    struct Arguments {
        let subject: String
        let isText: Bool
        let isMessage: Bool
        let isFromNow: Bool

        init(_ json: JSON) throws(StreamError) {
            func choice(_ name: String, _ values: [String]) throws(StreamError) -> Int {
                guard let text = json[name] else { return 0 }
                guard let place = values.firstIndex(where: { text.string == $0 }) else {
                    let names = values.map { "\"\($0)\"" }.joined(separator: " or ")
                    throw StreamError(message: "subject: arguments.\(name) is not \(names)")
                }
                return place
            }
            guard let subject = json["subject"]?.string, isSubject(subject, allowsWildcards: true) else {
                throw StreamError(
                    message: "subject: arguments.subject is not a subject, such as \"orders.in\" or \"orders.*\""
                )
            }
            self.subject = subject
            isText = try choice("format", ["json", "text"]) == 1
            isMessage = try choice("as", ["value", "message"]) == 1
            isFromNow = try choice("from", ["start", "now"]) == 1
        }

        func item(_ message: NATSMessage) -> JSON {
            let text = String(decoding: message.bytes, as: UTF8.self)
            let value = isText ? JSON.string(text) : (try? JSON(parsing: text)) ?? .string(text)
            guard isMessage else { return value }
            var object: JSON.Object = [
                "subject": .string(message.subject), "sequence": .int(Int64(clamping: message.sequence)),
            ]
            object["id"] = message.id.map { .string($0) }
            object["value"] = value
            return .object(object)
        }
    }

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let arguments = try Arguments(arguments)
        if let onHalt = part?.onHalt {
            onHalt(inlet.position ?? part?.start ?? "")
            while true { try await clock.sleep(for: .seconds(3600)) }
        }
        var last = (inlet.position ?? part?.start).flatMap { SubjectPlace($0) }
        let filter = try part.map { try SubjectFilter($0) }
        var pause = Duration.milliseconds(250)
        while true {
            do {
                try await read(arguments, after: &last, filter, inlet) { pause = .milliseconds(250) }
            } catch let error as NATSError {
                switch error {
                case .closed, .invalidName: throw StreamError(message: "subject: \(error)")
                default: inlet.report(waiting: "\(error)")
                }
            }
            try await clock.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }

    /// Reads messages until they no longer come in order.
    private func read(
        _ arguments: Arguments,
        after last: inout SubjectPlace?,
        _ filter: SubjectFilter?,
        _ inlet: StreamInlet<JSON>,
        onMessage: () -> Void
    ) async throws {
        let subject = arguments.subject
        let opened = try await connection.perform { connection in
            guard let stream = try connection.stream(of: subject) else { return (String, NATSStreamState)?.none }
            return (stream, try connection.streamState(stream))
        }
        guard let (stream, state) = opened else {
            inlet.report(waiting: "no stream of JetStream keeps the subject \(subject): create one")
            return
        }
        // A stream that was created again has other messages.
        if last?.created != state.created { last = nil }
        // The end of the stream is stored as the position: a run that is killed before its first message resumes there.
        if last == nil, inlet.position == nil, arguments.isFromNow {
            let place = SubjectPlace(created: state.created, sequence: state.last)
            last = place
            try await inlet.mark(at: place.text)
        }
        var settings = NATSConsumerSettings(stream: stream, name: "sluice-\(ULID.make(at: Date()))", subject: subject)
        settings.isUnacknowledged = true
        settings.start = last.map { .sequence($0.sequence + 1) } ?? .first
        let consumer = try await connection.perform { [settings] in try $0.consumer(settings) }
        defer {
            // The task may be canceled, and the server removes a consumer that nobody uses anyway.
            Task { [connection, settings] in
                _ = try? await connection.perform { try $0.deleteConsumer(settings.name, of: settings.stream) }
            }
        }
        var (expected, marked) = (UInt64(1), last?.sequence ?? 0)
        while true {
            if let last, let end = filter?.end, last.reaches(end) { return try await rest(at: end, inlet) }
            let messages = try await consumer.fetch(Self.batch)
            if messages.isEmpty {
                // A server that has lost the consumer answers like one that has nothing.
                let consumer = try await connection.perform { [settings] in try $0.consumerState(settings) }
                inlet.report(waiting: nil)
                // Nothing is left up to the end.
                if let end = filter?.end, consumer.pending == 0, consumer.delivered == expected - 1 {
                    return try await rest(at: end, inlet)
                }
            }
            for message in messages {
                // A message was lost on its way: another consumer begins after the last one that came.
                guard message.consumerSequence == expected else { return }
                let place = SubjectPlace(created: state.created, sequence: message.sequence)
                if let end = filter?.end, filter?.isBeyond(place) ?? false { return try await rest(at: end, inlet) }
                expected += 1
                onMessage()
                last = place
                let item = arguments.item(message)
                guard filter?.takes(item) ?? true else { continue }
                try await inlet.send(item, at: place.text)
                marked = place.sequence
            }
            // What others take need not be read again.
            if let last, last.sequence > marked, !messages.isEmpty, last.sequence - marked > Self.longestGap {
                try await inlet.mark(at: last.text)
                marked = last.sequence
            }
        }
    }

    /// Stores the end of the messages that are to be read as the position, and waits until the run ends.
    private func rest(at place: SubjectPlace, _ inlet: StreamInlet<JSON>) async throws {
        try await inlet.mark(at: place.text)
        while true { try await clock.sleep(for: .seconds(3600)) }
    }

    /// The largest number of messages of other partitions after which the position is stored.
    private static let longestGap: UInt64 = 4096
}
#endif
