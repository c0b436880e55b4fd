/// The events of a stream in live time, each when it is due by a clock.
///
/// Each iteration is a run of its own that starts with the first `next()`. A reader that takes its time holds the
/// stream up; what has come due meanwhile then follows at once, with the time at which it was due.
public struct LiveEvents<Value, C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    let flow: Flow<Value>
    let limit: StreamTime?
    let clock: C

    /// A new run.
    public func makeAsyncIterator() -> Iterator { Iterator(engine: Engine(flow), limit: limit, clock: clock) }

    /// One run in live time.
    public struct Iterator: AsyncIteratorProtocol {
        let engine: Engine<Value>
        let limit: StreamTime?
        let clock: C
        private var start: C.Instant?

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
            while true {
                if let event = engine.next() { return event }
                guard let due = engine.nextDue else { return nil }
                try Task.checkCancellation()
                let instant = start.advanced(by: Swift.min(due, limit ?? due).duration)
                if clock.now < instant { try await clock.sleep(until: instant, tolerance: nil) }
                if let limit, due > limit { return nil }
                engine.advance(to: due)
            }
        }
    }
}

extension Flow {
    /// The events of the stream, with their times, the end among them.
    ///
    /// - Parameters:
    ///   - limit: when the run is broken off; events due then are the last. `nil` is never.
    ///   - clock: the clock that measures the delays.
    public func events<C: Clock>(
        until limit: StreamTime? = nil,
        clock: C = .continuous
    ) -> LiveEvents<Value, C> where C.Duration == Duration {
        LiveEvents(flow: self, limit: limit, clock: clock)
    }
}
