/// What a stream does at one moment of its run.
public struct StreamEvent<Value> {
    /// The kinds of events.
    public enum Kind {
        /// A value is passed on.
        case value(Value)
        /// An item went wrong and was left out, at an operator with ``ErrorRoute/report``; the stream goes on.
        case reported(StreamError)
        /// The stream has ended: no event follows.
        case completed
        /// The stream has failed: no event follows.
        case failed(StreamError)

        /// Whether no event follows.
        @inlinable
        public var isEnd: Bool {
            switch self {
            case .value, .reported: false
            case .completed, .failed: true
            }
        }
    }

    /// When, from the start of the run.
    public let time: StreamTime
    /// What.
    public let kind: Kind

    /// Makes an event.
    @inlinable
    public init(time: StreamTime, kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// Whether no event follows.
    public var isLast: Bool { kind.isEnd }

    /// The value that is passed on, if it is that.
    public var value: Value? { if case .value(let value) = kind { value } else { nil } }
}

extension StreamEvent.Kind: Sendable where Value: Sendable {}
extension StreamEvent: Sendable where Value: Sendable {}
extension StreamEvent.Kind: Equatable where Value: Equatable {}
extension StreamEvent: Equatable where Value: Equatable {}
