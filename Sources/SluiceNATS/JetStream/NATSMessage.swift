#if NATS
import CNATS
import Sluice

/// A message that a consumer has pulled, and that is to be acknowledged.
package final class NATSMessage: Sendable {
    /// The subject.
    package let subject: String
    /// The content.
    package let bytes: [UInt8]
    /// The value of `Nats-Msg-Id`; `nil` if it has none.
    package let id: String?
    /// The sequence in its stream.
    package let sequence: UInt64
    /// The number of the delivery among those of the consumer, from 1.
    package let consumerSequence: UInt64
    /// The number of times that it was delivered, this one included.
    package let deliveries: UInt64
    /// The number of messages that wait behind it.
    package let pending: UInt64
    /// The consumer whose subscription the message of the library points to: it has to exist as long.
    private let consumer: NATSConsumer
    /// The message of the library.
    ///
    /// `nonisolated(unsafe)`: it is set once, used within `turn` only, by one thread at a time, and destroyed in `deinit`,
    /// when nobody holds the message.
    private nonisolated(unsafe) let pointer: OpaquePointer
    private let turn = Locked(())

    /// Takes over a message of the library.
    init(owning pointer: OpaquePointer, of consumer: NATSConsumer) {
        (self.pointer, self.consumer) = (pointer, consumer)
        subject = natsMsg_GetSubject(pointer).map { String(cString: $0) } ?? ""
        bytes = NATSStoredMessage.bytes(of: pointer)
        id = NATSStoredMessage.header("Nats-Msg-Id", of: pointer)
        var data: UnsafeMutablePointer<jsMsgMetaData>?
        if natsMsg_GetMetaData(&data, pointer) == NATS_OK, let data {
            sequence = data.pointee.Sequence.Stream
            consumerSequence = data.pointee.Sequence.Consumer
            deliveries = data.pointee.NumDelivered
            pending = data.pointee.NumPending
            jsMsgMetaData_Destroy(data)
        } else {
            (sequence, consumerSequence, deliveries, pending) = (0, 0, 1, 0)
        }
    }

    deinit { natsMsg_Destroy(pointer) }

    /// Acknowledges the message, and waits until the server has noted it; blocks the thread.
    package func acknowledge() throws(NATSError) {
        var code = jsErrCode(rawValue: 0)
        let status = turn.withLock { _ in natsMsg_AckSync(pointer, nil, &code) }
        guard status == NATS_OK else { throw .last(status, "acknowledging \(subject)", code: code) }
    }

    /// Acknowledges the message without waiting for the server.
    package func acknowledgeSoon() throws(NATSError) {
        try check(turn.withLock { _ in natsMsg_Ack(pointer, nil) }, "acknowledging")
    }

    /// Returns the message to the server, which delivers it again, behind those that are already on their way.
    ///
    /// - Parameter delay: The time until then.
    package func refuse(after delay: Duration = .zero) throws(NATSError) {
        let status = turn.withLock { _ in
            delay > .zero ? natsMsg_NakWithDelay(pointer, delay.wholeMilliseconds, nil) : natsMsg_Nak(pointer, nil)
        }
        try check(status, "returning")
    }

    /// Asks the server to wait longer for the acknowledgment: the time begins again.
    package func extend() throws(NATSError) {
        try check(turn.withLock { _ in natsMsg_InProgress(pointer, nil) }, "extending")
    }

    private func check(_ status: natsStatus, _ what: String) throws(NATSError) {
        if status != NATS_OK { throw .last(status, "\(what) \(subject)") }
    }
}
#endif
