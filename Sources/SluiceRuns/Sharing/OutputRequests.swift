import Sluice

/// The requests of subscribers elsewhere that hold.
package final class OutputRequests: Sendable {
    /// The time until which each request holds, in nanoseconds of the timer.
    private let ends = Locked<[SharedOutputRequest: Int64]>([:])
    private let timer: any RunTimer

    /// Creates a set without requests.
    package init(timer: any RunTimer) { self.timer = timer }

    /// Notes a request.
    ///
    /// - Returns: A Boolean value that indicates whether the request did not hold before.
    package func note(_ request: SharedOutputRequest) -> Bool {
        let end = timer.now.advanced(byClamping: SharedOutputRequest.lifetime.inNanoseconds)
        return ends.withLock { $0.updateValue(end, forKey: request) == nil }
    }

    /// Returns a Boolean value that indicates whether a request holds.
    package func contains(_ request: SharedOutputRequest) -> Bool { ends.withLock { $0[request] != nil } }

    /// Returns a Boolean value that indicates whether a request for a stream holds.
    package func contains(stream: String) -> Bool {
        [true, false].contains { contains(SharedOutputRequest(stream: stream, isFromStart: $0)) }
    }

    /// Removes the requests that nobody has repeated for a day, and returns them.
    package func removeExpired() -> [SharedOutputRequest] {
        let now = timer.now
        return ends.withLock { ends in
            let expired = ends.filter { $0.value <= now }.map(\.key)
            for request in expired { ends[request] = nil }
            return expired
        }
    }
}
