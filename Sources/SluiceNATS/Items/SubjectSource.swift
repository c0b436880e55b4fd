#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns
public import SluiceStreams

extension StreamHost {
    /// Registers the source `subject`, which reads the messages of a subject that a stream of JetStream keeps.
    ///
    /// A document has it as `{"subject": "orders.*"}`, or as an object with further arguments.
    ///
    /// The position of an item is the sequence of its message, which is stored with the run: a run that resumes continues
    /// after the last message that it has stored, in order, without a gap or a duplicate. Messages come as the run takes them.
    /// Without the argument `consumer` no message is acknowledged, and the stream must keep its messages by limits. With it, a
    /// durable consumer of that name is, message by message, as the run stores them.
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

    init(_ connection: NATSConnection, clock: any Clock<Duration>, part: SubjectPart? = nil) {
        (self.connection, self.clock, self.part) = (connection, clock, part)
    }

    /// The arguments of a document.
    struct Arguments {
        let subject: String
        let isText: Bool
        let isMessage: Bool
        let isFromNow: Bool
        /// The name of the durable consumer whose messages are acknowledged; `nil` for a consumer without acknowledgments.
        let consumer: String?

        init(_ json: JSON) throws(StreamError) {
            func choice(_ name: String, _ values: [String]) throws(StreamError) -> Int {
                guard let text = json[name] else { return 0 }
                guard let place = values.firstIndex(where: { text.string == $0 }) else {
                    let names = values.map { "\"\($0)\"" }.joined(separator: " or ")
                    throw StreamError(message: "subject: \(name) is not \(names)")
                }
                return place
            }
            guard let subject = json["subject"]?.string, isSubject(subject, allowsWildcards: true) else {
                throw StreamError(
                    message: "subject: \"subject\" is not a subject, such as \"orders.in\" or \"orders.*\""
                )
            }
            self.subject = subject
            isText = try choice("format", ["json", "text"]) == 1
            isMessage = try choice("as", ["value", "message"]) == 1
            isFromNow = try choice("from", ["start", "now"]) == 1
            consumer = json["consumer"]?.string
            guard json["consumer"] == nil || consumer.map(isName) ?? false else {
                throw StreamError(message: "subject: \"consumer\" is not a name: use letters, digits, '-', and '_'")
            }
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

    @Sendable func feed(_ json: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let arguments = try Arguments(json)
        let part = part.flatMap { $0.concerns(arguments) ? $0 : nil }
        if arguments.consumer != nil, part?.division != nil {
            throw StreamError(message: "subject: a stream with \"partition\" has no \"consumer\": remove one of them")
        }
        if let onHalt = part?.onHalt {
            onHalt(inlet.position ?? part?.place(part?.start, in: arguments)?.text ?? "")
            while true { try await clock.sleep(for: .seconds(3600)) }
        }
        if let part, let end = part.end {
            // The operators of a run that was at the end may read the source again.
            if inlet.position == nil, part.hasReadAll() { while true { try await clock.sleep(for: .seconds(3600)) } }
            // An edit has changed the subject, or the division has read nothing: what comes is for the next one.
            if part.place(end, in: arguments).map({ $0.sequence == 0 }) ?? true {
                try await inlet.mark(at: end)
                return try await stay(part)
            }
        }
        let last = inlet.position.flatMap { SubjectPlace($0) } ?? part?.place(part?.start, in: arguments)
        let filter = try part.map { try SubjectFilter($0, arguments) }
        var reading = SubjectReading(connection, clock: clock, arguments, filter, inlet, after: last)
        if let part { reading.onLag = part.onLag }
        if let part, let key = part.readerKey(json) {
            reading.reader = part.readers.acquire(key) {
                SubjectReader(connection, clock: clock, arguments, filter?.keys)
            }
            defer { part.readers.release(key) }
            try await repeatedly(&reading, inlet)
        } else {
            try await repeatedly(&reading, inlet)
        }
        if let part { try await stay(part) }
    }

    /// Stays open at the end of a part whose run is to give its groups away: it reads the source again then.
    private func stay(_ part: SubjectPart) async throws {
        if part.isHeldAtEnd() { while true { try await clock.sleep(for: .seconds(3600)) } }
    }

    /// Reads, and begins again after an error, until the end of the part, or until the task is canceled.
    private func repeatedly(_ reading: inout SubjectReading, _ inlet: StreamInlet<JSON>) async throws {
        let shortest = Duration.milliseconds(250)
        var pause = shortest
        while true {
            let before = reading.last
            var isRead = false
            do {
                switch try await reading.read() {
                case .ended: return
                case .again: isRead = true
                case .later: break
                }
            } catch let error as NATSError {
                switch error {
                case .closed, .invalidName: throw StreamError(message: "subject: \(error)")
                default: inlet.report(waiting: "\(error)")
                }
            }
            if reading.last != before { pause = shortest }
            if isRead { continue }
            try await clock.sleep(for: pause)
            pause = min(pause * 2, .seconds(5))
        }
    }
}
#endif
