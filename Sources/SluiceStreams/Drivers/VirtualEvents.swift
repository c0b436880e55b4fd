/// The events of a stream in virtual time: it jumps from event to event.
///
/// ```swift
/// let model = StreamModel(stream: [StreamItem(value: "a", operators: [.delay(seconds: 60)])])
/// let times = model.virtualEvents().map(\.time.seconds)  // [60, 60]: the value, the completion
/// ```
///
/// The same document gives the same events, always. Nothing is done before it is asked for: one instant at a time.
public struct VirtualEvents<Value>: Sequence {
    let flow: Flow<Value>
    let limit: StreamTime?
    let count: Int?
    let limits: StreamLimits

    /// A new run.
    public func makeIterator() -> Iterator {
        Iterator(engine: Engine(flow, limits: limits, taking: count), limit: limit)
    }

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
    /// The events of the stream in virtual time.
    ///
    /// ```swift
    /// let three = Flow.values(1, 2, 3, 4).virtualEvents(taking: 3).compactMap(\.value)  // [1, 2, 3], and no completion
    /// ```
    ///
    /// - Parameters:
    ///   - limit: when the run is broken off; events due then are the last. `nil` is never.
    ///   - count: after how many values the run is broken off. `nil` is never.
    ///   - limits: how much the run may do; one that does more fails, and says so.
    public func virtualEvents(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        limits: StreamLimits = StreamLimits()
    ) -> VirtualEvents<Value> {
        VirtualEvents(flow: self, limit: limit, count: count, limits: limits)
    }
}
