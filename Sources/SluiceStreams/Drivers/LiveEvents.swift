/// The events of a stream in live time, each when it is due by a clock.
///
/// Each iteration is a run of its own that starts with the first `next()`. A reader that takes its time holds the
/// stream up; what has come due meanwhile then follows at once, with the time at which it was due.
public struct LiveEvents<Value: Codable & Sendable, C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    let items: [StreamItem<Value>]
    let limit: StreamTime?
    let clock: C

    /// A new run.
    public func makeAsyncIterator() -> Iterator { Iterator(engine: Engine(items), limit: limit, clock: clock) }

    /// One run in live time.
    public struct Iterator: AsyncIteratorProtocol {
        var engine: Engine<Value>
        let limit: StreamTime?
        let clock: C
        private var start: C.Instant?
        private var events = FIFO<StreamEvent<Value>>()

        init(engine: Engine<Value>, limit: StreamTime?, clock: C) {
            self.engine = engine
            self.limit = limit
            self.clock = clock
        }

        /// Waits for the next event; `nil` after the last, or when the limit has come.
        ///
        /// - Throws: `CancellationError`, at once, when the task is cancelled.
        public mutating func next() async throws -> StreamEvent<Value>? {
            let start = start ?? clock.now
            self.start = start
            while events.isEmpty, let due = engine.nextDue {
                try Task.checkCancellation()
                let instant = start.advanced(by: Swift.min(due, limit ?? due).duration)
                if clock.now < instant { try await clock.sleep(until: instant, tolerance: nil) }
                if let limit, due > limit { return nil }
                engine.advance(to: due) { events.append($0) }
            }
            return events.popFirst()
        }
    }
}
