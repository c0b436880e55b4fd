#if NATS
import Sluice
import SluiceStreams

/// The messages of a durable consumer that wait for their acknowledgment: until the run has stored them.
final class SubjectAcknowledgments: Sendable {
    private struct State {
        /// The sequence up to which the run has stored everything.
        var stored: UInt64
        /// The messages that are not acknowledged yet.
        var messages: [NATSMessage] = []

        /// Removes and returns the messages that the run has stored.
        mutating func takeStored() -> [NATSMessage] {
            defer { messages.removeAll { $0.sequence <= stored } }
            return messages.filter { $0.sequence <= stored }
        }
    }

    private let connection: NATSConnection
    private let state: Locked<State>

    /// - Parameter sequence: The sequence of the last message that the run has stored.
    init(_ connection: NATSConnection, storedUpTo sequence: UInt64) {
        self.connection = connection
        state = Locked(State(stored: sequence))
    }

    /// Forgets the messages of the consumer before: the next one delivers them again.
    ///
    /// - Parameter isOtherStream: A Boolean value that indicates whether the stream was created again, with other messages.
    func begin(isOtherStream: Bool) {
        state.withLock { state in
            state.messages = []
            if isOtherStream { state.stored = 0 }
        }
    }

    /// Takes messages, and acknowledges those that the run has stored already.
    func take(_ messages: [NATSMessage]) {
        acknowledge(
            state.withLock { state in
                state.messages += messages
                return state.takeStored()
            }
        )
    }

    /// Returns the delivery of a message, with whose end everything up to it is acknowledged.
    func delivery(of sequence: UInt64) -> StreamDelivery {
        StreamDelivery { [weak self] in
            guard let self else { return }
            acknowledge(
                state.withLock { state in
                    state.stored = max(state.stored, sequence)
                    return state.takeStored()
                }
            )
        }
    }

    /// Acknowledges messages. If an acknowledgment is lost, the server delivers its message again, and it is acknowledged then.
    private func acknowledge(_ messages: [NATSMessage]) {
        if messages.isEmpty { return }
        Task { [connection] in
            try? await connection.perform { _ in for message in messages { try message.acknowledgeSoon() } }
        }
    }
}
#endif
