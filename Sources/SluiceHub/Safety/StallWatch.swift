#if Hub
import NIOCore
import Sluice

/// Closes a connection whose reader accepts nothing, since its waiting events would be held for as long as it likes.
///
/// It looks at the bytes that the connection holds, not at the writer: a write is over when the connection has the bytes,
/// and a busy loop takes many at once. It looks only from time to time, so that an event costs nothing.
struct StallWatch: Sendable {
    private let task: RepeatedTask

    /// Watches a connection.
    ///
    /// - Parameter onStall: called when it is closed, on its event loop.
    init(_ channel: any Channel, patience: Duration, onStall: @escaping @Sendable () -> Void) {
        let patience = TimeAmount(patience)
        let interval = TimeAmount.nanoseconds(max(1_000_000, patience.nanoseconds / 3))
        let stall = Locked(Stall(since: .now()))
        task = channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { task in
            guard stall.withLock({ $0.lasts(patience, holding: Self.held(by: channel), at: .now()) }) else { return }
            task.cancel()
            channel.close(promise: nil)
            onStall()
        }
    }

    /// Ends the watch; the connection may be used for another request.
    func end() { task.cancel() }

    /// Returns the number of bytes that wait in a connection; zero if it has room for more.
    private static func held(by channel: any Channel) -> Int {
        if channel.isWritable { return 0 }
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 1
    }

    /// The time since which the waiting bytes of a connection have not decreased.
    struct Stall {
        private var held = 0
        private var since: NIODeadline

        init(since: NIODeadline) { self.since = since }

        /// Returns a Boolean value that indicates whether the stall has lasted for longer than `patience`.
        mutating func lasts(_ patience: TimeAmount, holding bytes: Int, at now: NIODeadline) -> Bool {
            defer { held = bytes }
            // While it has no room nothing is written, so a decrease means that the reader has read.
            if bytes == 0 || held == 0 || bytes < held { since = now }
            return now - since > patience
        }
    }
}
#endif
