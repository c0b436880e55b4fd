#if NATS
import CNATS

/// The answer of a stream that has stored a message.
package struct NATSReceipt: Sendable, Hashable {
    /// The name of the stream.
    package let stream: String
    /// The sequence of the message; of a duplicate, that of the first one.
    package let sequence: UInt64
    /// A Boolean value that indicates whether the stream has had a message with the same `Nats-Msg-Id`.
    package let isDuplicate: Bool
}

extension NATSConnection {
    /// Publishes a message to the stream that keeps its subject, and waits until it is stored.
    ///
    /// - Parameters:
    ///   - bytes: The content.
    ///   - subject: The subject.
    ///   - id: The value of `Nats-Msg-Id`: within the stream's window a message with an id that it has had is not stored again.
    ///   - expected: The sequence of the last message of the subject; 0 for a subject without messages, and `nil` for any.
    ///   - replacesSubject: A Boolean value that indicates whether the message takes the place of all messages of its subject.
    /// - Throws: ``NATSError/stale(subject:reason:)`` when the subject is at another sequence;
    ///   ``NATSError/missing(what:)`` when no stream keeps the subject; ``NATSError/timedOut(request:)`` when no answer has
    ///   come, in which case the message may have been stored.
    package func publish(
        _ bytes: [UInt8],
        to subject: String,
        id: String? = nil,
        ifLast expected: UInt64? = nil,
        replacesSubject: Bool = false
    ) throws(NATSError) -> NATSReceipt {
        guard isSubject(subject) else { throw .invalidName(what: "subject", name: subject) }
        // A header can't hold the end of a line.
        if let id, id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .invalidName(what: "message", name: id)
        }
        let size = bytes.count + subject.utf8.count + (id?.utf8.count ?? 0) + 128
        let limit = largestPayload
        guard size <= limit else { throw .tooLarge(subject: subject, size: bytes.count, limit: limit) }
        var code = jsErrCode(rawValue: 0)
        var receipt: UnsafeMutablePointer<jsPubAck>?
        let status = withCString(id) { id in
            withBytes(bytes) { data, count in
                var options = jsPubOptions()
                jsPubOptions_Init(&options)
                options.MsgId = id
                options.ExpectLastSubjectSeq = expected ?? 0
                options.ExpectNoMessage = expected == 0
                guard replacesSubject else {
                    return js_Publish(&receipt, context, subject, data, count, &options, &code)
                }
                var message: OpaquePointer?
                var status = natsMsg_Create(&message, subject, nil, data, count)
                defer { natsMsg_Destroy(message) }
                if status == NATS_OK { status = natsMsgHeader_Set(message, "Nats-Rollup", "sub") }
                return status == NATS_OK ? js_PublishMsg(&receipt, context, message, &options, &code) : status
            }
        }
        guard status == NATS_OK, let receipt else { throw .last(status, subject, code: code) }
        defer { jsPubAck_Destroy(receipt) }
        return NATSReceipt(
            stream: receipt.pointee.Stream.map { String(cString: $0) } ?? "",
            sequence: receipt.pointee.Sequence,
            isDuplicate: receipt.pointee.Duplicate
        )
    }
}
#endif
