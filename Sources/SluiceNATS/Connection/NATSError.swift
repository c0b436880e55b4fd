#if NATS
import CNATS

/// An error of a NATS server, or of the way to it.
public enum NATSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No server answers at the address.
    case unreachable(address: String, reason: String)
    /// The server refuses the credentials.
    case unauthorized(address: String, reason: String)
    /// The settings are invalid: the address, or a file of certificates or credentials.
    case invalidSettings(reason: String)
    /// The server has no JetStream: it was started without `-js`, or the account may not use it.
    case noJetStream(reason: String)
    /// The server has not answered in time, or the connection broke: the request may have been carried out.
    case timedOut(request: String)
    /// The servers of a cluster have no leader for the request yet, or too few of them are there.
    case notReady(request: String, reason: String)
    /// The connection is closed.
    case closed
    /// The stream, consumer, bucket, key, or message does not exist.
    case missing(what: String)
    /// Nobody answers: no stream keeps the subject, or its servers have not elected a leader yet.
    case unanswered(subject: String)
    /// The key or subject is not at the expected sequence, or exists where it was to be created.
    case stale(subject: String, reason: String)
    /// The message is larger than the server takes.
    case tooLarge(subject: String, size: Int, limit: Int)
    /// The text can't be a name of NATS.
    case invalidName(what: String, name: String)
    /// The server has refused the request for another reason.
    case failed(request: String, reason: String)

    /// A text that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .unreachable(let address, let reason):
            "no NATS server answers at \(address) (\(reason)): start it with nats-server -js, or correct the address"
        case .unauthorized(let address, let reason):
            "the NATS server at \(address) refuses the credentials (\(reason)): correct the user, token, or file"
        case .invalidSettings(let reason): "the settings of NATS are invalid: \(reason)"
        case .noJetStream(let reason): "the NATS server offers no JetStream (\(reason)): start it with -js"
        case .timedOut(let request): "the NATS server has not answered in time: \(request)"
        case .notReady(let request, let reason):
            "the NATS servers are not ready (\(reason)), and \(request) waits: start enough of them to elect a leader"
        case .closed: "the connection to NATS is closed"
        case .missing(let what): "NATS has no \(what)"
        case .unanswered(let subject):
            "no stream of NATS keeps \(subject), or its servers are not ready: create one, or try again"
        case .stale(let subject, let reason): "\(subject) was written meanwhile (\(reason)): read it again"
        case .tooLarge(let subject, let size, let limit):
            "the message for \(subject) has \(size) bytes, and the NATS server takes \(limit): raise its max_payload"
        case .invalidName(let what, let name): "'\(name.prefix(100))' can't be the name of a \(what) of NATS"
        case .failed(let request, let reason): "\(request) failed: \(reason)"
        }
    }

    /// A Boolean value that indicates whether the same request may succeed later.
    package var isTemporary: Bool {
        switch self {
        case .unreachable, .timedOut, .notReady, .unanswered: true
        default: false
        }
    }

    /// Returns the error of a call that has just failed on this thread.
    ///
    /// The library keeps the reason of the last failure of each thread: it has to be read before anything suspends.
    static func last(
        _ status: natsStatus,
        _ request: @autoclosure () -> String,
        code: jsErrCode = jsErrCode(rawValue: 0)
    )
        -> NATSError
    {
        let text = lastReason(status)
        if status == NATS_NO_RESPONDERS { return .unanswered(subject: request()) }
        switch code {
        case JSStreamWrongLastSequenceErr, JSStreamWrongLastMsgIDErr: return .stale(subject: request(), reason: text)
        case JSStreamNotFoundErr, JSConsumerNotFoundErr, JSNoMessageFoundErr: return .missing(what: request())
        case JSNotEnabledErr, JSNotEnabledForAccountErr: return .noJetStream(reason: text)
        case JSClusterNotAvailErr, JSClusterNoPeersErr, JSInsufficientResourcesErr:
            return .notReady(request: request(), reason: text)
        default: break
        }
        switch status {
        case NATS_TIMEOUT, NATS_IO_ERROR, NATS_STALE_CONNECTION, NATS_CONNECTION_DISCONNECTED, NATS_NOT_YET_CONNECTED:
            return .timedOut(request: request())
        case NATS_CONNECTION_CLOSED, NATS_DRAINING: return .closed
        case NATS_NOT_FOUND: return .missing(what: request())
        default: return .failed(request: request(), reason: text)
        }
    }

    /// Returns the error of a connection whose server does not offer JetStream, or not yet.
    static func ofJetStream(_ status: natsStatus, _ code: jsErrCode) -> NATSError {
        switch last(status, "JetStream", code: code) {
        case .notReady(let request, let reason): .notReady(request: request, reason: reason)
        case .timedOut(let request): .timedOut(request: request)
        case .closed: .closed
        default: .noJetStream(reason: lastReason(status))
        }
    }

    /// Returns the library's text of the last failure of this thread.
    static func lastReason(_ status: natsStatus) -> String {
        var last = NATS_OK
        if let text = nats_GetLastError(&last), last == status, text.pointee != 0 {
            // It begins with the place in the library's source, as in "(js.c:535): ".
            let reason = String(cString: text)
            guard reason.hasPrefix("("), let end = reason.firstRange(of: "): ") else { return reason }
            return String(reason[end.upperBound...])
        }
        return String(cString: natsStatus_GetText(status))
    }
}
#endif
