/// The events of a stream in virtual time: it jumps from event to event.
///
/// ```swift
/// let model = StreamModel(stream: [StreamItem(value: "a", operators: [.delay(seconds: 60)])])
/// let times = model.virtualEvents().map(\.time.seconds)  // [60, 60]: the value, the completion
/// ```
///
/// The same document gives the same events, always.
public struct VirtualEvents<Value>: Sequence {
    let flow: Flow<Value>
    let limit: StreamTime?
    var limits = StreamLimits()

    /// A new run.
    public func makeIterator() -> Iterator { Iterator(engine: Engine(flow, limits: limits), limit: limit) }

    /// One run in virtual time.
    public struct Iterator: IteratorProtocol {
        let engine: Engine<Value>
        let limit: StreamTime?

        /// The next event; `nil` after the last, or when the limit has come.
        public mutating func next() -> StreamEvent<Value>? {
            while true {
                if let event = engine.next() { return event }
                guard let due = engine.nextDue, limit.map({ due <= $0 }) ?? true else { return nil }
                engine.advance(to: due)
            }
        }
    }
}

extension VirtualEvents: Sendable where Value: Sendable {}

extension Flow {
    /// The events of the stream in virtual time, those due at `limit` the last.
    public func virtualEvents(until limit: StreamTime? = nil, limits: StreamLimits = StreamLimits())
        -> VirtualEvents<Value>
    {
        VirtualEvents(flow: self, limit: limit, limits: limits)
    }
}
