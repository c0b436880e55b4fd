/// The events of a stream in live time, each when it is due by a clock.
///
/// Each iteration is a run of its own that starts with the first call of `next()`. A slow reader delays the stream;
/// events that became due meanwhile follow immediately, with the times at which they were due. Items from outside wait
/// in the buffer of their source.
public struct LiveEvents<Value, C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    let flow: Flow<Value>
    let limit: StreamTime?
    let count: Int?
    let host: StreamHost
    let limits: StreamLimits
    let clock: C

    /// Returns an iterator of a new run.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// One run in live time.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let engine: Engine<Value>
        private let readySources: ReadySources
        private let limit: StreamTime?
        @usableFromInline let clock: C
        @usableFromInline var start: C.Instant?

        init(_ events: LiveEvents) {
            let readySources = ReadySources()
            engine = Engine(
                events.flow,
                limits: events.limits,
                taking: events.count,
                outside: OutsideInputs(events.host, readySources)
            )
            self.readySources = readySources
            limit = events.limit
            clock = events.clock
        }

        /// Waits for the next event; returns `nil` after the last, when the limit is reached, or when nothing more can
        /// come.
        ///
        /// - Throws: `CancellationError`, immediately, when the task is canceled; that ends the run, and cancels the
        ///   tasks that read its sources.
        @inlinable
        public mutating func next() async throws -> StreamEvent<Value>? {
            // A stream can emit a million events in one instant. Inlining compiles the code that emits them for their type.
            if start == nil, !Task.isCancelled {
                start = clock.now
                engine.begin()
            }
            if let event = engine.next() { return event }
            return try await nextInstant()
        }

        /// A Boolean value that indicates whether ``next()`` returns an event without waiting for one.
        @inlinable package var hasEvent: Bool { engine.hasEvent }

        /// Waits for the next instant with events; returns the first of them.
        @usableFromInline
        mutating func nextInstant() async throws -> StreamEvent<Value>? {
            let start = start ?? clock.now
            self.start = start
            while true {
                if let event = engine.next() { return event }
                if Task.isCancelled {
                    engine.close()
                    throw CancellationError()
                }
                let now = StreamTime(since: start, clock)
                let due = engine.nextDue
                if let due, due <= Swift.min(now, limit ?? now) {
                    engine.advance(to: due)
                } else if let limit, limit <= now {
                    engine.close()
                    return nil
                } else if !engine.letIn(at: now) {
                    guard due != nil || engine.listensOutside else { return nil }
                    await wait(until: [due, limit].compactMap(\.self).min(), from: start)
                }
            }
        }

        /// Waits until the time, or something from outside, has come, or the task is canceled.
        private func wait(until time: StreamTime?, from start: C.Instant) async {
            let instant = time.map { start.advanced(by: $0.duration) }
            guard engine.listensOutside else {
                if let instant { try? await clock.sleep(until: instant, tolerance: nil) }
                return
            }
            guard let instant else { return await readySources.wait() }
            await withTaskGroup { [clock, readySources] group in
                group.addTask { try? await clock.sleep(until: instant, tolerance: nil) }
                group.addTask { await readySources.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }
}

extension StreamTime {
    /// Creates the time that a clock shows for a run that began at `start`.
    init<C: Clock>(since start: C.Instant, _ clock: C) where C.Duration == Duration {
        let (seconds, attoseconds) = start.duration(to: clock.now).components
        // Beyond 292 years, nothing is left to come.
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflow ? .max : max(0, nanoseconds + attoseconds / 1_000_000_000))
    }
}

extension Flow {
    /// Returns the events of the stream, with their times, including the end.
    ///
    /// - Parameters:
    ///   - limit: The time at which the run ends early; events due then are the last. `nil` means no limit.
    ///   - count: The number of values after which the run ends early. `nil` means no limit.
    ///   - host: The sources and sinks that the stream may use.
    ///   - limits: The limits on the work of the run.
    ///   - clock: The clock that measures the delays.
    public func events<C: Clock>(
        until limit: StreamTime? = nil,
        taking count: Int? = nil,
        host: StreamHost = StreamHost(),
        limits: StreamLimits = StreamLimits(),
        clock: C = .continuous
    ) -> LiveEvents<Value, C> where C.Duration == Duration {
        LiveEvents(flow: self, limit: limit, count: count, host: host, limits: limits, clock: clock)
    }
}
