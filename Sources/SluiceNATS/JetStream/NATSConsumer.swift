#if NATS
import CNATS
import Foundation
import Sluice

/// A durable pull consumer to be created.
package struct NATSConsumerSettings: Sendable, Hashable {
    /// The place in the stream where a consumer begins.
    package enum Start: Sendable, Hashable {
        /// The first message that is kept.
        case first
        /// The messages that come after its creation.
        case next
        /// A sequence of the stream, or the first message after it.
        case sequence(UInt64)
    }

    /// The name of the stream.
    package var stream: String
    /// The name of the consumer.
    package var name: String
    /// The subject of the messages, with wildcards or without; `nil` for all of the stream.
    package var subject: String?
    /// The place where it begins.
    package var start = Start.first
    /// The time after which a message that was not acknowledged is delivered again.
    package var acknowledgmentWait: Duration = .seconds(30)
    /// The number of messages that may wait for their acknowledgment.
    package var mostPending = 1000
    /// A Boolean value that indicates whether an acknowledgment is one of all messages before it too.
    package var acknowledgesAll = false
    /// A Boolean value that indicates whether messages are not acknowledged: each is delivered once, and may be lost on its
    /// way. The server removes such a consumer when nobody has used it for five minutes.
    package var isUnacknowledged = false

    /// Creates settings.
    package init(stream: String, name: String, subject: String? = nil) {
        (self.stream, self.name, self.subject) = (stream, name, subject)
    }
}

/// A durable pull consumer: the messages come when they are asked for.
package final class NATSConsumer: Sendable {
    private let connection: NATSConnection
    private let settings: NATSConsumerSettings
    /// The subscription of the library.
    ///
    /// `nonisolated(unsafe)`: it is set once, and the library locks every use of a subscription. It is destroyed in `deinit`
    /// only, when no method of this class runs, since each of them holds `self`; the messages that point to it hold `self` too.
    private nonisolated(unsafe) let subscription: OpaquePointer
    /// The thread that waits for messages: one call at a time.
    private let calls = BlockingCalls(atOnce: 1)

    /// Creates a consumer, or opens the one of its name, which has to have the same settings; blocks the thread.
    init(_ connection: NATSConnection, _ settings: NATSConsumerSettings) throws(NATSError) {
        guard isName(settings.stream) else { throw .invalidName(what: "stream", name: settings.stream) }
        guard isName(settings.name) else { throw .invalidName(what: "consumer", name: settings.name) }
        if let subject = settings.subject, !isSubject(subject, allowsWildcards: true) {
            throw .invalidName(what: "subject", name: subject)
        }
        try connection.createConsumer(settings)
        var code = jsErrCode(rawValue: 0)
        var subscription: OpaquePointer?
        let status = settings.stream.withCString { stream in
            settings.name.withCString { name in
                withCString(settings.subject) { subject in
                    var options = jsSubOptions()
                    jsSubOptions_Init(&options)
                    options.Stream = stream
                    options.Consumer = name
                    options.ManualAck = true
                    return js_PullSubscribe(&subscription, connection.context, subject, name, nil, &options, &code)
                }
            }
        }
        guard status == NATS_OK, let subscription else {
            throw .last(status, "consumer \(settings.name) of \(settings.stream)", code: code)
        }
        (self.connection, self.settings, self.subscription) = (connection, settings, subscription)
    }

    deinit { natsSubscription_Destroy(subscription) }

    /// Returns the next messages, as soon as there is one.
    ///
    /// - Parameters:
    ///   - most: The largest number of messages.
    ///   - wait: The time to wait for the first one.
    /// - Returns: No message if none has come in time.
    /// - Throws: `CancellationError` if the task is canceled, which ends the wait and closes the consumer here, but not at the
    ///   server; ``NATSError``.
    package func fetch(_ most: Int, waiting wait: Duration = .seconds(5)) async throws -> [NATSMessage] {
        try await withTaskCancellationHandler {
            do {
                return try await calls.perform { [self] in try fetchNow(most, waiting: wait) }
            } catch {
                // The wait ends with an error of its own when the subscription is closed.
                try Task.checkCancellation()
                throw error
            }
        } onCancel: {
            close()
        }
    }

    /// Ends the wait for messages, and closes the consumer here, but not at the server.
    package func close() { natsSubscription_Unsubscribe(subscription) }

    private func fetchNow(_ most: Int, waiting wait: Duration) throws(NATSError) -> [NATSMessage] {
        var code = jsErrCode(rawValue: 0)
        var list = natsMsgList()
        let count = Int32(clamping: max(1, most))
        let status = natsSubscription_Fetch(&list, subscription, count, wait.wholeMilliseconds, &code)
        // The messages change owner: the list is destroyed without them.
        var messages: [NATSMessage] = []
        for index in 0..<Int(list.Count) {
            guard let pointer = list.Msgs?[index] else { continue }
            list.Msgs?[index] = nil
            messages.append(NATSMessage(owning: pointer, of: self))
        }
        natsMsgList_Destroy(&list)
        if status == NATS_OK || status == NATS_TIMEOUT || !messages.isEmpty { return messages }
        throw .last(status, "consumer \(settings.name) of \(settings.stream)", code: code)
    }
}

/// The state of a consumer, as its server has it.
package struct NATSConsumerState: Sendable, Hashable {
    /// The number of the last message that was delivered.
    package let delivered: UInt64
    /// The number of messages that wait to be delivered.
    package let pending: UInt64
    /// The sequence of the stream up to which all messages are acknowledged.
    package let acknowledged: UInt64
    /// The number of messages that were delivered, and are not acknowledged.
    package let unacknowledged: Int
}

extension NATSConnection {
    /// Opens a durable pull consumer, which is created if it does not exist.
    package func consumer(_ settings: NATSConsumerSettings) throws(NATSError) -> NATSConsumer {
        try NATSConsumer(self, settings)
    }

    /// Creates a durable pull consumer, unless it exists.
    func createConsumer(_ settings: NATSConsumerSettings) throws(NATSError) {
        var code = jsErrCode(rawValue: 0)
        let status = settings.name.withCString { name in
            withCString(settings.subject) { subject in
                var config = jsConsumerConfig()
                jsConsumerConfig_Init(&config)
                config.Durable = name
                config.FilterSubject = subject
                if settings.isUnacknowledged {
                    config.AckPolicy = js_AckNone
                    config.InactiveThreshold = Duration.seconds(300).wholeNanoseconds
                } else {
                    config.AckPolicy = settings.acknowledgesAll ? js_AckAll : js_AckExplicit
                    config.AckWait = settings.acknowledgmentWait.wholeNanoseconds
                    config.MaxAckPending = Int64(settings.mostPending)
                }
                switch settings.start {
                case .first: config.DeliverPolicy = js_DeliverAll
                case .next: config.DeliverPolicy = js_DeliverNew
                case .sequence(let sequence):
                    config.DeliverPolicy = js_DeliverByStartSequence
                    config.OptStartSeq = max(1, sequence)
                }
                return js_AddConsumer(nil, context, settings.stream, &config, nil, &code)
            }
        }
        guard status == NATS_OK else {
            throw .last(status, "creating the consumer \(settings.name) of \(settings.stream)", code: code)
        }
    }

    /// Returns the state of a consumer.
    ///
    /// - Throws: ``NATSError``, where it doesn't exist.
    func consumerState(_ settings: NATSConsumerSettings) throws(NATSError) -> NATSConsumerState {
        var code = jsErrCode(rawValue: 0)
        var info: UnsafeMutablePointer<jsConsumerInfo>?
        let status = js_GetConsumerInfo(&info, context, settings.stream, settings.name, nil, &code)
        guard status == NATS_OK, let info else {
            throw .last(status, "consumer \(settings.name) of \(settings.stream)", code: code)
        }
        defer { jsConsumerInfo_Destroy(info) }
        return NATSConsumerState(
            delivered: info.pointee.Delivered.Consumer,
            pending: info.pointee.NumPending,
            acknowledged: info.pointee.AckFloor.Stream,
            unacknowledged: Int(clamping: info.pointee.NumAckPending)
        )
    }

    /// Removes a consumer; does nothing if it does not exist.
    package func deleteConsumer(_ name: String, of stream: String) throws(NATSError) {
        guard isName(stream) else { throw .invalidName(what: "stream", name: stream) }
        guard isName(name) else { throw .invalidName(what: "consumer", name: name) }
        var code = jsErrCode(rawValue: 0)
        let status = js_DeleteConsumer(context, stream, name, nil, &code)
        guard status == NATS_OK || code == JSConsumerNotFoundErr || code == JSStreamNotFoundErr else {
            throw .last(status, "consumer \(name) of \(stream)", code: code)
        }
    }
}
#endif
