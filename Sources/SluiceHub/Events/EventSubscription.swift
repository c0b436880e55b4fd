import NIOCore
import Sluice

/// One who listens to the hub.
struct EventSubscription: Sendable {
    /// The events as they go over the wire.
    let events: AsyncStream<ByteBuffer>
    fileprivate let continuation: AsyncStream<ByteBuffer>.Continuation
    fileprivate let slow: Flag

    /// Whether it was dropped for being slow.
    var isSlow: Bool { slow.isSet.withLock { $0 } }

    /// What it is told at last, after all that waited.
    var farewell: ByteBuffer? {
        isSlow ? Notice.bytes("slow", #"{"reason": "too many events were waiting"}"#) : nil
    }

    /// Ends it: nothing more is told.
    func leave() { continuation.finish() }
}

/// The hub's end of a subscription. What it does may call others: none of it under a lock of theirs, but for `tell`.
struct EventListener: Sendable {
    private let continuation: AsyncStream<ByteBuffer>.Continuation
    private let slow = Flag()

    /// Makes both ends.
    ///
    /// - Parameter backlog: how many events wait for who reads slowly.
    static func make(backlog: Int) -> (listener: EventListener, subscription: EventSubscription) {
        let (events, continuation) = AsyncStream.makeStream(
            of: ByteBuffer.self,
            bufferingPolicy: .bufferingOldest(backlog)
        )
        let listener = EventListener(continuation: continuation)
        return (listener, EventSubscription(events: events, continuation: continuation, slow: listener.slow))
    }

    private init(continuation: AsyncStream<ByteBuffer>.Continuation) { self.continuation = continuation }

    /// Tells of an event; `false` where too many wait already: it is to be dropped then.
    @discardableResult
    func tell(_ bytes: ByteBuffer) -> Bool {
        if case .dropped = continuation.yield(bytes) { false } else { true }
    }

    /// Ends the subscription of one that is slow.
    func drop() {
        slow.isSet.withLock { $0 = true }
        continuation.finish()
    }

    /// Ends the subscription.
    func finish() { continuation.finish() }

    /// Calls `body` once when the subscription has ended, from either end.
    func onEnd(_ body: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in body() } }
}

private final class Flag: Sendable {
    let isSet = Locked(false)
}
