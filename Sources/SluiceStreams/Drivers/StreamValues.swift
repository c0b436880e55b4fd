/// The values of a stream, each when it is due by a clock.
///
/// Made by ``StreamModel/values(clock:)``.
public struct StreamValues<Value, C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    let events: LiveEvents<Value, C>

    /// A new run.
    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        var events: LiveEvents<Value, C>.Iterator

        /// Waits for the next value; `nil` when the stream has ended.
        ///
        /// - Throws: ``StreamError`` when the stream fails; `CancellationError`, at once, when the task is cancelled.
        public mutating func next() async throws -> Value? {
            while let event = try await events.next() {
                switch event.kind {
                case .value(let value): return value
                case .failed(let error): throw error.underlying ?? error
                case .completed: return nil
                case .reported: continue
                }
            }
            return nil
        }
    }
}

extension Flow {
    /// The values of the stream, each when it is due; see ``StreamModel/values(clock:)``.
    public func values<C: Clock>(clock: C = .continuous) -> StreamValues<Value, C> where C.Duration == Duration {
        StreamValues(events: events(clock: clock))
    }
}

extension StreamModel {
    /// The values of the stream, each when it is due.
    ///
    /// ```swift
    /// for try await value in model.values() { print(value) }
    /// ```
    ///
    /// Each iteration is a run of its own. Cancelling the task that iterates ends the run with `CancellationError`.
    /// A slow reader holds the stream up; no value is lost.
    ///
    /// - Parameter clock: the clock that measures the delays.
    public func values<C: Clock>(clock: C = .continuous) -> StreamValues<Value, C> where C.Duration == Duration {
        flow.values(clock: clock)
    }

    /// The events of the stream, with their times, the completion among them.
    ///
    /// - Parameters:
    ///   - limit: when the run is broken off; events due then are the last. `nil` is never.
    ///   - clock: the clock that measures the delays.
    public func events<C: Clock>(
        until limit: StreamTime? = nil,
        clock: C = .continuous
    ) -> LiveEvents<Value, C> where C.Duration == Duration {
        flow.events(until: limit, clock: clock)
    }

    /// The events of the stream in virtual time, those due at `limit` the last.
    public func virtualEvents(until limit: StreamTime? = nil) -> VirtualEvents<Value> {
        flow.virtualEvents(until: limit)
    }
}
