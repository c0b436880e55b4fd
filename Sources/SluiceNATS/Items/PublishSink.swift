#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns
public import SluiceStreams

extension StreamHost {
    /// Registers the sink `publish`, which publishes outputs to a subject that a stream of JetStream keeps.
    ///
    /// A document has it as `{"publish": {"subject": "orders.out"}}`.
    ///
    /// An output counts as delivered when the stream has stored it. `Nats-Msg-Id` is the key of the delivery, so that a
    /// repeated attempt is not stored again within the stream's window of duplicates. The first attempt of a process, and one
    /// after a failure, look at the last message of the subject: an output that it has, or that came before it, is not
    /// published again, however long ago it was. That needs a subject for each sink, and outputs that are delivered one after
    /// the other: `concurrency` must be 1.
    public mutating func registerPublish(over connection: NATSConnection) {
        registerSink("publish", PublishSink(connection).deliver)
    }
}

/// The sink `publish`.
final class PublishSink: Sendable {
    /// The rules for a worker of a cluster.
    struct Fence: Sendable {
        /// The number of the partition, which is the last token of the subject; `nil` for a stream that is not divided.
        let partition: Int?
        /// Returns a Boolean value that indicates whether the worker has the partition, as far as it knows.
        let isHeld: @Sendable () -> Bool

        /// Holds an attempt back while the worker is out of touch with its group.
        func check() throws(SinkHoldError) {
            guard isHeld() else {
                throw SinkHoldError("the worker is out of touch with its group", for: .milliseconds(200))
            }
        }
    }

    /// The last message of a subject, as this process knows it.
    private struct Head: Sendable {
        /// The sequence of the message.
        let sequence: UInt64
        /// The place of the output; `nil` where another sink, or another program, has published it.
        let place: DeliveryPlace?
    }

    private let connection: NATSConnection
    /// The rules for a worker; `nil` for a hub.
    ///
    /// A worker publishes a message only behind the last one that it knows: one that was taken for dead, and goes on, is
    /// refused by the server as soon as another worker has published something.
    private let fence: Fence?
    /// The last messages that are stored for sure, by the sinks' parts of their keys.
    private let stored = Locked<[String: Head]>([:])

    /// Called on a thread for blocking calls for each output that is not published again.
    private let onRepeat: (@Sendable () -> Void)?

    init(_ connection: NATSConnection, fence: Fence? = nil, onRepeat: (@Sendable () -> Void)? = nil) {
        (self.connection, self.fence, self.onRepeat) = (connection, fence, onRepeat)
    }

    @Sendable func deliver(_ delivery: SinkDelivery) async throws {
        // Documents of earlier versions name the sink under `outside`, with the subject among its arguments.
        let named = delivery.request["subject"] ?? delivery.request["arguments"]?["subject"]
        guard var subject = named?.string, isSubject(subject) else {
            throw SinkRefusalError("\"subject\" must be a subject without wildcards, such as \"orders.out\"")
        }
        guard delivery.isOrdered else {
            throw SinkRefusalError(
                "\"concurrency\" must be 1: a subject keeps the outputs in order"
            )
        }
        if let partition = fence?.partition { subject += ".\(partition)" }
        let value = delivery.request["value"] ?? .null
        do {
            try await publish(Array((value.string ?? value.description).utf8), to: subject, delivery.key)
        } catch let error as NATSError {
            switch error {
            case .invalidName, .tooLarge: throw SinkRefusalError("\(error)")
            // Another program has published there meanwhile, or another worker: the next attempt looks again.
            case .stale: throw SinkHoldError("\(error)", for: .zero)
            default: throw SinkRetryError("\(error)")
            }
        }
    }

    /// Delivers an output to the subscribers of the stream on other hubs and on workers.
    @Sendable func share(_ delivery: SinkDelivery) async throws {
        guard let subject = delivery.request["arguments"]?["subject"]?.string, isSubject(subject) else {
            throw SinkRefusalError("\"subject\" must be a subject without wildcards")
        }
        func send(_ content: SharedOutput.Content) async throws {
            try await publish(OutputMessage(place: nil, content: content).bytes, to: subject, delivery.key)
        }
        do {
            do { try await send(.value((delivery.request["value"] ?? .null).description)) } catch NATSError.tooLarge(
                _,
                let size,
                let limit
            ) {
                try await send(.missing(reason: "an output has \(size) bytes, and the NATS server takes \(limit)"))
            }
        } catch let error as NATSError {
            if case .stale = error { throw SinkHoldError("\(error)", for: .zero) }
            throw SinkRetryError("\(error)")
        }
    }

    /// Publishes a message behind the last one of the subject, unless it is there.
    private func publish(_ bytes: [UInt8], to subject: String, _ id: String) async throws {
        let key = DeliveryPlace(id)
        let sink = key?.sink ?? ""
        // While an attempt is under way, nothing is known for sure.
        let known = stored.withLock { $0.removeValue(forKey: sink) }
        let head = try await connection.perform { [fence, subject, onRepeat] connection -> Head in
            let head = try known ?? Self.head(of: subject, connection)
            if let key, let place = head.place, place.sink == key.sink, place.sequence >= key.sequence {
                onRepeat?()
                return head
            }
            // A worker that was stopped before it has read the head knows what others have published since.
            try fence?.check()
            let expected = fence == nil ? nil : head.sequence
            let receipt = try connection.publish(bytes, to: subject, id: id, ifLast: expected)
            return Head(sequence: receipt.sequence, place: key)
        }
        if key != nil { stored.withLock { $0[sink] = head } }
    }

    /// Returns the last message of the subject.
    private static func head(of subject: String, _ connection: NATSConnection) throws -> Head {
        guard let stream = try connection.stream(of: subject),
            let last = try connection.lastMessage(of: subject, in: stream)
        else { return Head(sequence: 0, place: nil) }
        return Head(sequence: last.sequence, place: last.id.flatMap { DeliveryPlace($0) })
    }
}

/// The place of a delivery: `STREAM/RUN/SINK/SEQUENCE`.
private struct DeliveryPlace: Sendable {
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
