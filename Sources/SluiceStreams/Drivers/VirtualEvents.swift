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

    /// A new run.
    public func makeIterator() -> Iterator { Iterator(engine: Engine(items)) }

    /// One run in virtual time.
    public struct Iterator: IteratorProtocol {
        var engine: Engine<Value>
        private var events = FIFO<StreamEvent<Value>>()

        init(engine: Engine<Value>) { self.engine = engine }

        /// The next event; `nil` after the last.
        public mutating func next() -> StreamEvent<Value>? {
            while events.isEmpty, let due = engine.nextDue {
                engine.advance(to: due) { events.append($0) }
            }
            return events.popFirst()
        }
    }
}
