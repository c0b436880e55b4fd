#if NATS
import CNATS

/// A stream of JetStream to be created.
package struct NATSStreamSettings: Sendable, Hashable {
    /// The name of the stream.
    package var name: String
    /// The subjects whose messages it keeps.
    package var subjects: [String]
    /// The number of servers that keep a copy.
    package var replicas = 1
    /// A Boolean value that indicates whether it is kept in memory only.
    package var isInMemory = false
    /// The time for which a repeated `Nats-Msg-Id` is recognized.
    package var duplicateWindow: Duration = .seconds(120)
    /// A Boolean value that indicates whether a message may take the place of all messages of its subject.
    package var allowsReplacing = false
    /// The rule by which messages are kept.
    package var retention = NATSRetention.limits
    /// The time after which a message is removed; `nil` for never.
    package var expiry: Duration?
    /// The size of all messages above which the oldest ones are removed, in bytes; `nil` for no limit.
    package var size: Int?

    /// Creates settings.
    package init(name: String, subjects: [String]) { (self.name, self.subjects) = (name, subjects) }
}

/// The rule by which a stream keeps its messages.
package enum NATSRetention: Sendable, Hashable {
    /// Up to a number, a size, or an age, whoever has read them.
    case limits
    /// As long as a consumer has not acknowledged them.
    case interest
    /// Until one consumer has acknowledged them.
    case workQueue

    /// Reads the rule of the library.
    init(_ policy: jsRetentionPolicy?) {
        switch policy {
        case js_InterestPolicy: self = .interest
        case js_WorkQueuePolicy: self = .workQueue
        default: self = .limits
        }
    }
}

/// The state of a stream.
package struct NATSStreamState: Sendable, Hashable {
    /// The number of messages that are kept.
    package let messages: UInt64
    /// The sequence of the first message that is kept.
    package let first: UInt64
    /// The sequence of the last message.
    package let last: UInt64
    /// The time at which the stream was created, in nanoseconds since 1970.
    package let created: Int64
    /// The time after which a message is removed; `nil` for never.
    package let expiry: Duration?
    /// The rule by which messages are kept.
    package let retention: NATSRetention
}

extension NATSConnection {
    /// Creates a stream, unless one with its name and settings exists.
    package func createStream(_ settings: NATSStreamSettings) throws(NATSError) {
        guard isName(settings.name) else { throw .invalidName(what: "stream", name: settings.name) }
        for subject in settings.subjects where !isSubject(subject, allowsWildcards: true) {
            throw .invalidName(what: "subject", name: subject)
        }
        var code = jsErrCode(rawValue: 0)
        let status = settings.name.withCString { name in
            withCStrings(settings.subjects) { subjects, count in
                var config = jsStreamConfig()
                jsStreamConfig_Init(&config)
                config.Name = name
                config.Subjects = subjects
                config.SubjectsLen = count
                config.Storage = settings.isInMemory ? js_MemoryStorage : js_FileStorage
                config.Replicas = Int64(settings.replicas)
                config.Duplicates = settings.duplicateWindow.wholeNanoseconds
                config.AllowDirect = true
                config.AllowRollup = settings.allowsReplacing
                config.MaxAge = settings.expiry?.wholeNanoseconds ?? 0
                if let size = settings.size { config.MaxBytes = Int64(size) }
                config.Retention =
                    switch settings.retention {
                    case .limits: js_LimitsPolicy
                    case .interest: js_InterestPolicy
                    case .workQueue: js_WorkQueuePolicy
                    }
                return js_AddStream(nil, context, &config, nil, &code)
            }
        }
        guard status == NATS_OK else { throw .last(status, "creating the stream \(settings.name)", code: code) }
    }

    /// Removes a stream with its messages and consumers.
    package func deleteStream(_ name: String) throws(NATSError) {
        guard isName(name) else { throw .invalidName(what: "stream", name: name) }
        var code = jsErrCode(rawValue: 0)
        let status = js_DeleteStream(context, name, nil, &code)
        guard status == NATS_OK else { throw .last(status, "stream \(name)", code: code) }
    }

    /// Removes messages of a stream by their sequences. Those that it no longer has are left out.
    ///
    /// It is used in place of a purge of a subject: servers with copies of a stream that repeat a purge after they were
    /// killed have removed messages of other subjects too (nats-server 2.9.10).
    package func remove(_ sequences: some Sequence<UInt64>, of stream: String) throws(NATSError) {
        guard isName(stream) else { throw .invalidName(what: "stream", name: stream) }
        for sequence in sequences {
            var code = jsErrCode(rawValue: 0)
            let status = js_DeleteMsg(context, stream, sequence, nil, &code)
            if status == NATS_OK || status == NATS_NOT_FOUND || code == JSSequenceNotFoundErr { continue }
            if code == JSNoMessageFoundErr || code == JSStreamMsgDeleteFailed { continue }
            throw .last(status, "removing a message of \(stream)", code: code)
        }
    }

    /// Removes all messages of a subject from a stream whose messages may replace others.
    package func removeMessages(of subject: String, in stream: String) throws(NATSError) {
        while let last = try lastMessage(of: subject, in: stream) {
            do {
                let receipt = try publish([], to: subject, ifLast: last.sequence, replacesSubject: true)
                return try remove([receipt.sequence], of: stream)
            } catch NATSError.stale {}
        }
    }

    /// Returns the state of a stream.
    package func streamState(_ name: String) throws(NATSError) -> NATSStreamState {
        guard isName(name) else { throw .invalidName(what: "stream", name: name) }
        var code = jsErrCode(rawValue: 0)
        var info: UnsafeMutablePointer<jsStreamInfo>?
        let status = js_GetStreamInfo(&info, context, name, nil, &code)
        guard status == NATS_OK, let info else { throw .last(status, "stream \(name)", code: code) }
        defer { jsStreamInfo_Destroy(info) }
        let state = info.pointee.State
        return NATSStreamState(
            messages: state.Msgs,
            first: state.FirstSeq,
            last: state.LastSeq,
            created: info.pointee.Created,
            expiry: (info.pointee.Config?.pointee.MaxAge).flatMap { $0 > 0 ? .nanoseconds($0) : nil },
            retention: NATSRetention(info.pointee.Config?.pointee.Retention)
        )
    }

    /// Returns the subjects with messages in a stream, up to 100,000.
    ///
    /// - Parameter pattern: A subject with wildcards or without.
    package func subjects(matching pattern: String, in stream: String) throws(NATSError) -> [String] {
        guard isName(stream) else { throw .invalidName(what: "stream", name: stream) }
        guard isSubject(pattern, allowsWildcards: true) else { throw .invalidName(what: "subject", name: pattern) }
        var code = jsErrCode(rawValue: 0)
        var info: UnsafeMutablePointer<jsStreamInfo>?
        let status = withSubjects(pattern) { js_GetStreamInfo(&info, context, stream, $0, &code) }
        guard status == NATS_OK, let info else { throw .last(status, "stream \(stream)", code: code) }
        defer { jsStreamInfo_Destroy(info) }
        guard let subjects = info.pointee.State.Subjects else { return [] }
        return (0..<Int(subjects.pointee.Count)).compactMap { index in
            (subjects.pointee.List?[index].Subject).map { String(cString: $0) }
        }
    }

    /// Calls `body` with the options of a request about subjects that match.
    private func withSubjects(
        _ pattern: String,
        _ body: (UnsafeMutablePointer<jsOptions>) -> natsStatus
    ) -> natsStatus {
        pattern.withCString { pattern in
            var options = jsOptions()
            jsOptions_Init(&options)
            options.Stream.Info.SubjectsFilter = pattern
            return body(&options)
        }
    }

    /// Returns the name of the stream that keeps a subject; `nil` if no stream does.
    package func stream(of subject: String) throws(NATSError) -> String? {
        guard isSubject(subject, allowsWildcards: true) else { throw .invalidName(what: "subject", name: subject) }
        var code = jsErrCode(rawValue: 0)
        var names: UnsafeMutablePointer<jsStreamNamesList>?
        let status = withSubjects(subject) { js_StreamNames(&names, context, $0, &code) }
        if status == NATS_NOT_FOUND { return nil }
        guard status == NATS_OK, let names else { throw .last(status, "streams of \(subject)", code: code) }
        defer { jsStreamNamesList_Destroy(names) }
        guard names.pointee.Count > 0, let first = names.pointee.List?[0] else { return nil }
        return String(cString: first)
    }

    /// Returns the last message of a subject that a stream keeps, as the stream's leader has it; `nil` if the subject has no message.
    package func lastMessage(of subject: String, in stream: String) throws(NATSError) -> NATSStoredMessage? {
        guard isName(stream) else { throw .invalidName(what: "stream", name: stream) }
        guard isSubject(subject) else { throw .invalidName(what: "subject", name: subject) }
        var code = jsErrCode(rawValue: 0)
        var message: OpaquePointer?
        let status = js_GetLastMsg(&message, context, stream, subject, nil, &code)
        if status == NATS_NOT_FOUND, code != JSStreamNotFoundErr { return nil }
        guard status == NATS_OK, let message else { throw .last(status, "message of \(subject)", code: code) }
        defer { natsMsg_Destroy(message) }
        return NATSStoredMessage(message)
    }

    /// Returns a Boolean value that indicates whether a stream, which was created at a time, no longer keeps a message that it
    /// has had. A server that has not caught up yet does not count as one that has lost it.
    package func hasLost(_ sequence: UInt64, of stream: String, createdAt created: Int64) throws(NATSError) -> Bool {
        let state = try streamState(stream)
        if state.created != created || state.first > sequence { return true }
        guard state.last >= sequence else { return false }
        var code = jsErrCode(rawValue: 0)
        var message: OpaquePointer?
        let status = js_GetMsg(&message, context, stream, sequence, nil, &code)
        if status == NATS_NOT_FOUND, code != JSStreamNotFoundErr { return true }
        guard status == NATS_OK else { throw .last(status, "message \(sequence) of \(stream)", code: code) }
        natsMsg_Destroy(message)
        return false
    }
}

/// A message that a stream keeps.
package struct NATSStoredMessage: Sendable, Hashable {
    /// The subject.
    package let subject: String
    /// The content.
    package let bytes: [UInt8]
    /// The sequence in its stream.
    package let sequence: UInt64
    /// The value of `Nats-Msg-Id`; `nil` if it has none.
    package let id: String?
    /// The operation of a bucket that has removed the key, such as `DEL`; `nil` for a value.
    let removal: String?

    /// Copies a message of the library, which stays with the caller.
    init(_ message: OpaquePointer) {
        subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
        bytes = NATSStoredMessage.bytes(of: message)
        sequence = natsMsg_GetSequence(message)
        id = NATSStoredMessage.header("Nats-Msg-Id", of: message)
        removal = NATSStoredMessage.header("KV-Operation", of: message)
    }

    static func bytes(of message: OpaquePointer) -> [UInt8] {
        let count = Int(natsMsg_GetDataLength(message))
        guard count > 0, let data = natsMsg_GetData(message) else { return [] }
        return Array(UnsafeRawBufferPointer(start: data, count: count))
    }

    static func header(_ name: String, of message: OpaquePointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, name, &value) == NATS_OK, let value else { return nil }
        return String(cString: value)
    }
}
#endif
