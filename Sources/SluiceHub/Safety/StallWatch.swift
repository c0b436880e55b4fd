import NIOCore
import Sluice

/// Closes a connection whose reader takes nothing: what waits for it would be held for as long as it likes.
///
/// It looks at what the connection holds, and not at who writes: a write is over when the connection has what is written,
/// and a loop that is busy takes much at once. It looks now and then alone, so that an event costs nothing.
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

    /// Ends it; the connection may be used for what comes next.
    func end() { task.cancel() }

    /// How many bytes wait in a connection; zero where it has room for more.
    private static func held(by channel: any Channel) -> Int {
        if channel.isWritable { return 0 }
        return (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 1
    }

    /// Since when what waits in a connection has not become less.
    struct Stall {
        private var held = 0
        private var since: NIODeadline

        init(since: NIODeadline) { self.since = since }

        /// Whether it has lasted for longer than `patience`.
        mutating func lasts(_ patience: TimeAmount, holding bytes: Int, at now: NIODeadline) -> Bool {
            defer { held = bytes }
            // While it has no room nobody writes, so that what is less has been read.
            if bytes == 0 || held == 0 || bytes < held { since = now }
            return now - since > patience
        }
    }
}
