/// The events of a stream in virtual time: it jumps from event to event.
///
/// ```swift
/// let model = StreamModel(stream: [StreamItem(value: "a", operators: [.delay(seconds: 60)])])
/// let times = model.virtualEvents().map(\.time.seconds)  // [60, 60]: the value, the completion
/// ```
///
/// The same document gives the same events, always.
public struct VirtualEvents<Value: Codable & Sendable>: Sequence, Sendable {
    let items: [StreamItem<Value>]
    let limit: StreamTime?

    /// A new run.
    public func makeIterator() -> Iterator { Iterator(engine: Engine(items), limit: limit) }

    /// One run in virtual time.
    public struct Iterator: IteratorProtocol {
        var engine: Engine<Value>
        let limit: StreamTime?
        private var events = FIFO<StreamEvent<Value>>()

        init(engine: Engine<Value>, limit: StreamTime?) {
            self.engine = engine
            self.limit = limit
        }

        /// The next event; `nil` after the last, or when the limit has come.
        public mutating func next() -> StreamEvent<Value>? {
            while events.isEmpty, let due = engine.nextDue, limit.map({ due <= $0 }) ?? true {
                engine.advance(to: due) { events.append($0) }
            }
            return events.popFirst()
        }
    }
}
