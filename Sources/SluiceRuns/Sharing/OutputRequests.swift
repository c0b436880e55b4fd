import Sluice

/// The streams whose outputs subscribers elsewhere ask for.
package final class OutputRequests: Sendable {
    /// The time until which each stream is asked for, in nanoseconds of the timer.
    private let ends = Locked<[String: Int64]>([:])
    private let timer: any RunTimer

    /// Creates a set without streams.
    package init(timer: any RunTimer) { self.timer = timer }

    /// Notes a request.
    ///
    /// - Returns: A Boolean value that indicates whether the stream was not asked for before.
    package func note(_ request: SharedOutputRequest) -> Bool {
        let end = timer.now.advanced(byClamping: SharedOutputRequest.lifetime.inNanoseconds)
        return ends.withLock { $0.updateValue(end, forKey: request.stream) == nil }
    }

    /// Returns a Boolean value that indicates whether a stream is asked for.
    package func contains(_ stream: String) -> Bool { ends.withLock { $0[stream] != nil } }

    /// Removes the streams of which nobody has asked for a day, and returns them.
    package func removeExpired() -> [String] {
        let now = timer.now
        return ends.withLock { ends in
            let expired = ends.filter { $0.value <= now }.map(\.key)
            for stream in expired { ends[stream] = nil }
            return expired
        }
    }
}
