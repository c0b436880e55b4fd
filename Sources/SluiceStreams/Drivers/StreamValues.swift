/// The values of a stream, each when it is due by a clock.
///
/// Created by ``StreamModel/values(host:clock:)``.
public struct StreamValues<Value, C: Clock>: AsyncSequence, Sendable where C.Duration == Duration {
    let events: LiveEvents<Value, C>

    /// Returns an iterator of a new run.
    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    /// One run.
    public struct Iterator: AsyncIteratorProtocol {
        var events: LiveEvents<Value, C>.Iterator

        /// Waits for the next value; returns `nil` when the stream has ended.
        ///
        /// - Throws: ``StreamError``, or the error of a closure or a source, when the stream fails;
        ///   `CancellationError`, immediately, when the task is canceled.
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
    /// Returns the values of the stream, each when it is due; see ``StreamModel/values(host:clock:)``.
    public func values<C: Clock>(
        host: StreamHost = StreamHost(),
        clock: C = .continuous
    ) -> StreamValues<Value, C> where C.Duration == Duration {
        StreamValues(events: events(host: host, clock: clock))
    }
}
