#if NATS
import Foundation
import Sluice
import SluiceJSON
public import SluiceStreams

extension StreamHost {
    /// Registers the sink `publish`, which publishes outputs to a subject that a stream of JetStream keeps.
    ///
    /// A document names it under `outside`, with the subject as an argument:
    /// `{"outside": {"name": "publish", "arguments": {"subject": "orders.out"}}}`.
    ///
    /// An output counts as delivered when the stream has stored it. `Nats-Msg-Id` is the key of the delivery, so that a
    /// repeated attempt is not stored again within the stream's window of duplicates. The first attempt of a process, and one
    /// after a failure, look at the last message of the subject: an output that it has, or that came before it, is not
    /// published again, however long ago it was. That needs a subject for each sink.
    public mutating func registerPublish(over connection: NATSConnection) {
        registerSink("publish", PublishSink(connection).deliver)
    }
}

/// The sink `publish`.
final class PublishSink: Sendable {
    private let connection: NATSConnection
    /// The keys of the last outputs of the sinks that are stored for sure, by the sinks' parts of their keys.
    private let stored = Locked<[String: Int]>([:])

    init(_ connection: NATSConnection) { self.connection = connection }

    @Sendable func deliver(_ delivery: SinkDelivery) async throws {
        guard let subject = delivery.request["arguments"]?["subject"]?.string, isSubject(subject) else {
            throw SinkRefusalError("arguments: \"subject\" must be a subject without wildcards, such as \"orders.out\"")
        }
        let value = delivery.request["value"] ?? .null
        let bytes = Array((value.string ?? value.description).utf8)
        let key = DeliveryPlace(delivery.key)
        do {
            // While an attempt is under way, nothing is known for sure.
            let last = key.flatMap { key in stored.withLock { $0.removeValue(forKey: key.sink) } }
            if let key, let last, last >= key.sequence {
                stored.withLock { $0[key.sink] = last }
                return
            }
            let sequence = try await connection.perform { connection -> Int? in
                if let key, last == nil, let newest = try Self.newest(of: key, subject, connection),
                    newest >= key.sequence
                {
                    return newest
                }
                _ = try connection.publish(bytes, to: subject, id: delivery.key)
                return key?.sequence
            }
            if let key { stored.withLock { $0[key.sink] = sequence } }
        } catch let error as NATSError {
            switch error {
            case .invalidName, .tooLarge: throw SinkRefusalError("\(error)")
            default: throw SinkRetryError("\(error)")
            }
        }
    }

    /// Returns the sequence of the last message of the subject, if it is an output of the same sink.
    private static func newest(of key: DeliveryPlace, _ subject: String, _ connection: NATSConnection) throws -> Int? {
        guard let stream = try connection.stream(of: subject),
            let last = try connection.lastMessage(of: subject, in: stream)?.id.flatMap({ DeliveryPlace($0) }),
            last.sink == key.sink
        else { return nil }
        return last.sequence
    }
}

/// The place of a delivery: `STREAM/RUN/SINK/SEQUENCE`.
private struct DeliveryPlace {
    /// The part of the key that all outputs of a run's sink share.
    let sink: String
    let sequence: Int

    /// Reads a key; `nil` for one that repeats an output on demand (`/2`, `/3`, and so on), which is always published.
    init?(_ key: String) {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let sequence = Int(parts[3]) else { return nil }
        self.sequence = sequence
        sink = parts[..<3].joined(separator: "/")
    }
}
#endif
