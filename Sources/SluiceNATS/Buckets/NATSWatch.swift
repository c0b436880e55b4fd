#if NATS
import CNATS
import Foundation
import Sluice
import SluiceRuns

/// A watch of keys in a bucket: first come their present values, then every write.
///
/// It survives reconnects: what was written meanwhile comes then. An expiry raises no event.
package final class NATSWatch: Sendable {
    /// The next thing that a watch sees.
    package enum Event: Sendable, Hashable {
        /// A value, or a removal.
        case entry(NATSEntry)
        /// The end of the values that were present when the watch began.
        case current
        /// Nothing has come in time.
        case nothing
        /// The watch was stopped, or the connection was closed.
        case stopped
    }

    /// The bucket, which exists as long as its watcher.
    private let bucket: NATSBucket
    /// The watcher of the library.
    ///
    /// `nonisolated(unsafe)`: it is set once, and the library locks every use of a watcher. It is destroyed in `deinit` only,
    /// when no method of this class runs, since each of them holds `self`.
    private nonisolated(unsafe) let pointer: OpaquePointer

    init(_ bucket: NATSBucket, _ keys: String) throws(NATSError) {
        self.bucket = bucket
        pointer = try bucket.watcher(keys)
    }

    deinit { kvWatcher_Destroy(pointer) }

    /// Waits for the next event; blocks the thread.
    package func next(waiting wait: Duration) throws(NATSError) -> Event {
        var entry: OpaquePointer?
        let status = kvWatcher_Next(&entry, pointer, wait.wholeMilliseconds)
        switch status {
        case NATS_OK:
            guard let entry else { return .current }
            defer { kvEntry_Destroy(entry) }
            return .entry(NATSEntry(entry))
        case NATS_TIMEOUT: return .nothing
        case NATS_ILLEGAL_STATE, NATS_CONNECTION_CLOSED, NATS_INVALID_SUBSCRIPTION: return .stopped
        default: throw .last(status, "watching the bucket \(bucket.name)")
        }
    }

    /// Stops the watch, also one that waits on another thread.
    package func stop() { kvWatcher_Stop(pointer) }

    /// Returns the events as they come, on a thread of their own, without ``Event/nothing``; the watch stops when the sequence
    /// is released, or its task canceled.
    package func events() -> AsyncThrowingStream<Event, any Error> {
        let (events, continuation) = AsyncThrowingStream<Event, any Error>.makeStream()
        continuation.onTermination = { [self] _ in stop() }
        Thread.start("sluice.watch") { [self] in
            while true {
                do {
                    switch try next(waiting: .seconds(60)) {
                    case .nothing: continue
                    case .stopped: return continuation.finish()
                    case let event: continuation.yield(event)
                    }
                } catch {
                    return continuation.finish(throwing: error)
                }
            }
        }
        return events
    }
}
#endif
