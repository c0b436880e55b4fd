import NIOCore
import Sluice

/// Closes a connection whose reader takes nothing: what waits for it would be held for as long as it likes.
final class StallWatch: Sendable {
    /// Since when the connection has not taken what was written.
    private final class Pending: Sendable {
        let since = Locked<NIODeadline?>(nil)
    }

    private let pending = Pending()
    private let task: RepeatedTask

    /// Watches a connection.
    ///
    /// - Parameter onStall: called when it is closed, on its event loop.
    init(_ channel: any Channel, patience: Duration, onStall: @escaping @Sendable () -> Void) {
        let patience = TimeAmount(patience)
        // It is looked at now and then alone, so that an event costs no timer.
        let interval = TimeAmount.nanoseconds(max(1_000_000, patience.nanoseconds / 3))
        task = channel.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { [pending] _ in
            guard let begun = pending.since.withLock({ $0 }), NIODeadline.now() - begun > patience else { return }
            channel.close(promise: nil)
            onStall()
        }
    }

    /// Something is about to be written.
    func begin() { pending.since.withLock { $0 = .now() } }

    /// The connection has taken it.
    func taken() { pending.since.withLock { $0 = nil } }

    /// Ends it; the connection may be used for what comes next.
    func end() { task.cancel() }
}
