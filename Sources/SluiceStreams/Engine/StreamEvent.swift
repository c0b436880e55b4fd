/// An event of a stream at one moment of its run.
public struct StreamEvent<Value> {
    /// The kinds of events.
    public enum Kind {
        /// A value is passed on.
        case value(Value)
        /// An item failed and was omitted, at an operator with ``ErrorPolicy/report``; the stream continues.
        case reported(StreamError)
        /// The stream has ended: no event follows.
        case completed
        /// The stream has failed: no event follows.
        case failed(StreamError)

        /// A Boolean value that indicates whether no event follows.
        @inlinable
        public var isEnd: Bool {
            switch self {
            case .value, .reported: false
            case .completed, .failed: true
            }
        }
    }

    /// The time from the start of the run.
    public let time: StreamTime
    /// The kind of the event.
    public let kind: Kind

    /// Creates an event.
    @inlinable
    public init(time: StreamTime, kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// A Boolean value that indicates whether no event follows.
    public var isLast: Bool { kind.isEnd }

    /// The value that is passed on; `nil` for another kind of event.
    public var value: Value? { if case .value(let value) = kind { value } else { nil } }
}

extension StreamEvent.Kind: Sendable where Value: Sendable {}
extension StreamEvent: Sendable where Value: Sendable {}
extension StreamEvent.Kind: Equatable where Value: Equatable {}
extension StreamEvent: Equatable where Value: Equatable {}
