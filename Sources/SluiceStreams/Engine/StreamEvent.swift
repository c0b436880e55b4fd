/// What a stream does at one moment of its run.
public struct StreamEvent<Value: Sendable>: Sendable {
    /// The kinds of events.
    public enum Kind: Sendable {
        /// A value is passed on.
        case value(Value)
        /// The stream has ended: no event follows.
        case completed
        /// The stream has failed: no event follows.
        case failed(StreamError)
    }

    /// When, from the start of the run.
    public let time: StreamTime
    /// What.
    public let kind: Kind

    /// Makes an event.
    public init(time: StreamTime, kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// Whether no event follows.
    public var isLast: Bool {
        if case .value = kind { false } else { true }
    }
}

extension StreamEvent.Kind: Equatable where Value: Equatable {}
extension StreamEvent: Equatable where Value: Equatable {}

/// Why a stream failed.
public struct StreamError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where in the document, such as `stream[2].operators[0].delay.seconds`; empty when no place is at fault.
    public let path: String
    /// What happened, and what to do.
    public let message: String

    /// Makes an error.
    public init(path: String = "", message: String) {
        self.path = path
        self.message = message
    }

    /// The path, if there is one, and the message.
    public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}
