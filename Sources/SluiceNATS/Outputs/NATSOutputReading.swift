#if NATS
import Foundation
import SluiceRuns

/// A reading of the shared outputs of one stream.
actor NATSOutputReading: SharedOutputReading {
    private let connection: NATSConnection
    private let settings: NATSConsumerSettings
    private let consumer: NATSConsumer
    private let isFromStart: Bool
    private var place: SubjectPlace
    private var mayMissOutputs: Bool
    /// The number of the next message among those of the consumer.
    private var expected: UInt64 = 1
    private var fetchSize = FetchSize()

    /// The time to wait for an output.
    private static let wait = Duration.seconds(2)
    /// The largest number of outputs of other streams, and of waits without an output, after which the position moves on: it is not
    /// to be older than what is kept.
    private static let (longestGap, mostWaits): (UInt64, Int) = (4096, 300)
    /// The number of waits without an output.
    private var waits = 0

    /// Opens the outputs; blocks the thread.
    init(
        _ connection: NATSConnection,
        _ subject: String,
        after last: SubjectPlace?,
        isFromStart: Bool
    ) throws(NATSError) {
        let state = try connection.streamState(NATSSharedOutputs.stream)
        var settings = NATSConsumerSettings(
            stream: NATSSharedOutputs.stream,
            name: "sluice-\(ULID.make(at: Date()))",
            subject: subject
        )
        settings.isUnacknowledged = true
        if let last, last.created == state.created {
            place = last
            mayMissOutputs = state.first > last.sequence + 1
            settings.start = .sequence(last.sequence + 1)
        } else if isFromStart || last != nil {
            // A stream that was created again has lost what the one before had.
            place = SubjectPlace(created: state.created, sequence: 0)
            mayMissOutputs = last != nil
            settings.start = .first
        } else {
            place = SubjectPlace(created: state.created, sequence: state.last)
            mayMissOutputs = false
            settings.start = .sequence(state.last + 1)
        }
        (self.connection, self.settings, self.isFromStart) = (connection, settings, isFromStart)
        consumer = try connection.consumer(settings)
    }

    /// As `SharedOutputReading.position`.
    var position: String { place.text }

    /// As `SharedOutputReading.next()`.
    func next() async throws -> SharedOutputPage {
        do {
            var outputs: [SharedOutput] = []
            var isWaiting = true
            // Messages of the other copy alone are no page: one without outputs says that nothing has come.
            while isWaiting, outputs.isEmpty {
                let messages = try await consumer.fetch(fetchSize.count, waiting: Self.wait)
                fetchSize.note(messages)
                for message in messages { if let output = try take(message) { outputs.append(output) } }
                waits = messages.isEmpty ? waits + 1 : 0
                isWaiting = !messages.isEmpty
            }
            if !isWaiting { try await moveOn() }
            defer { mayMissOutputs = false }
            return SharedOutputPage(outputs: outputs, position: place.text, mayMissOutputs: mayMissOutputs)
        } catch let error as NATSError {
            throw StoreError(.unavailable(reason: "\(error)"))
        }
    }

    /// Moves the position to a message, and returns its output; `nil` for one of the other copy.
    private func take(_ message: NATSMessage) throws(NATSError) -> SharedOutput? {
        // A message was lost on its way: another reading begins after the last one that came.
        guard message.consumerSequence == expected else { throw NATSError.timedOut(request: "shared outputs") }
        expected += 1
        place = SubjectPlace(created: place.created, sequence: message.sequence)
        // A consumer of NATS 2.9 has one pattern, so both copies come.
        guard let subject = OutputSubject(message.subject), subject.isRead(fromStart: isFromStart),
            let output = OutputMessage(message.bytes)
        else { return nil }
        return SharedOutput(position: place.text, content: output.content, place: output.place, run: subject.run)
    }

    /// Moves the position behind the outputs of other streams. A server that has lost the consumer answers like one that has nothing.
    private func moveOn() async throws {
        let (last, state) = try await connection.perform { [settings] connection in
            (try connection.streamState(settings.stream).last, try connection.consumerState(settings))
        }
        guard state.pending == 0, state.delivered == expected - 1, last > place.sequence else { return }
        guard last - place.sequence > Self.longestGap || waits >= Self.mostWaits else { return }
        waits = 0
        place = SubjectPlace(created: place.created, sequence: last)
    }

    /// As `SharedOutputReading.close()`.
    func close() async {
        consumer.close()
        // The task may be canceled, and the server removes a consumer that nobody uses anyway.
        let work = Task { [connection, settings] in
            _ = try? await connection.perform { try $0.deleteConsumer(settings.name, of: settings.stream) }
        }
        await work.value
    }
}
#endif
