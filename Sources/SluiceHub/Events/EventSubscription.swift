#if Hub
import NIOCore
import Sluice
import SluiceRuns

/// A subscription to the events of a hub.
struct EventSubscription: Sendable {
    /// The events as they go over the wire.
    let events: Events
    fileprivate let continuation: AsyncStream<QueuedEvent>.Continuation

    /// A Boolean value that indicates whether it was cut off for being slow.
    var isSlow: Bool { events.backlog.exceeded != nil }

    /// The last event of a slow subscriber, after all that waited.
    var farewell: ByteBuffer? {
        events.backlog.exceeded.map {
            Notice.bytes("slow", #"{"reason": "too many events were waiting: more than \#($0)"}"#)
        }
    }

    /// Ends it: nothing more is published to it.
    func leave() { continuation.finish() }

    /// Returns the subscription with events of before it, which come first and count for no backlog.
    func after(_ history: EventHistory) -> EventSubscription {
        events.history.put(history)
        return self
    }

    /// The queued and coming events. The first iterator begins with the history.
    struct Events: AsyncSequence, Sendable {
        typealias Element = ByteBuffer
        fileprivate let history = UnreadHistory()
        fileprivate let stream: AsyncStream<QueuedEvent>
        fileprivate let backlog: EventBacklog

        func makeAsyncIterator() -> Iterator {
            Iterator(history: history.take()?.makeIterator(), events: stream.makeAsyncIterator(), backlog: backlog)
        }

        struct Iterator: AsyncIteratorProtocol {
            fileprivate var history: EventHistory.Iterator?
            fileprivate var events: AsyncStream<QueuedEvent>.AsyncIterator
            fileprivate let backlog: EventBacklog

            mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ByteBuffer? {
                if let bytes = history?.next() { return bytes }
                // Release the replayed events and the status texts.
                history = nil
                guard let event = await events.next(isolation: actor) else { return nil }
                backlog.remove(event.size)
                return event.bytes
            }

            /// Returns the events that wait, in one buffer, or the next one if none waits.
            ///
            /// A write for each event of a fast run would leave the connection's event loop no time for other connections.
            mutating func nextBatch(upTo limit: Int = 65_536) async -> ByteBuffer? {
                guard var bytes = await next(isolation: nil) else { return nil }
                while bytes.readableBytes < limit, !(history?.isAtEnd ?? true) || backlog.hasWaiting,
                    let event = await next(isolation: nil)
                { bytes.writeImmutableBuffer(event) }
                return bytes
            }

            mutating func next() async -> ByteBuffer? { await next(isolation: nil) }
        }
    }
}

/// The history of a subscription until its reader takes it. A subscription lives as long as its connection, and must not keep
/// a history that was already read.
private final class UnreadHistory: Sendable {
    private let history = Locked<EventHistory?>(nil)

    func put(_ history: EventHistory) { self.history.withLock { $0 = history } }

    func take() -> EventHistory? {
        history.withLock { history in
            defer { history = nil }
            return history
        }
    }
}

private struct QueuedEvent: Sendable {
    let bytes: ByteBuffer
    /// The bytes that it counts for.
    let size: Int
}

/// The bytes that wait for one subscriber.
private final class EventBacklog: Sendable {
    private let limit: Int
    private let shared: SharedBudget
    private let state = Locked((size: 0, count: 0, exceeded: String?.none))

    init(_ limit: Int, shared: SharedBudget) {
        (self.limit, self.shared) = (limit, shared)
        shared.join()
    }

    deinit { shared.leave(state.withLock { $0.size }) }

    /// The limit that was exceeded.
    var exceeded: String? { state.withLock { $0.exceeded } }

    /// A Boolean value that indicates whether an event waits, so that reading it takes no time.
    var hasWaiting: Bool { state.withLock { $0.count > 0 } }

    /// Adds an event; returns `false` if it doesn't fit. An event always fits if no other waits.
    func add(_ size: Int) -> Bool {
        state.withLock { state in
            guard state.size == 0 || state.size + size <= limit else {
                state.exceeded = "\(limit) bytes"
                return false
            }
            guard state.size == 0 || !shared.isExhausted(at: state.size + size) else {
                state.exceeded = "\(shared.limit) bytes for all subscribers"
                return false
            }
            state.size += size
            state.count += 1
            shared.change(by: size)
            return true
        }
    }

    func remove(_ size: Int) {
        state.withLock { state in
            state.size -= size
            state.count -= 1
        }
        if size > 0 { shared.change(by: -size) }
    }

    func cut() { state.withLock { $0.exceeded = $0.exceeded ?? "the limit" } }

    func exceed(_ count: Int) { state.withLock { $0.exceeded = $0.exceeded ?? "\(count) events" } }
}

/// The hub's end of a subscription. Its methods may call others: none of them is called under a lock of theirs, but for
/// `send`.
struct EventSubscriber: Sendable {
    private let continuation: AsyncStream<QueuedEvent>.Continuation
    private let backlog: EventBacklog
    private let count: Int

    /// Makes both ends.
    ///
    /// - Parameters:
    ///   - count: the most events that wait for a slow reader.
    ///   - size: the most bytes that these have.
    ///   - shared: the bytes that wait for all subscribers.
    static func make(
        backlog count: Int,
        size: Int,
        shared: SharedBudget
    ) -> (subscriber: EventSubscriber, subscription: EventSubscription) {
        let (events, continuation) = AsyncStream.makeStream(
            of: QueuedEvent.self,
            bufferingPolicy: .bufferingOldest(count)
        )
        let backlog = EventBacklog(size, shared: shared)
        let subscriber = EventSubscriber(continuation: continuation, backlog: backlog, count: count)
        let subscription = EventSubscription(
            events: EventSubscription.Events(stream: events, backlog: backlog),
            continuation: continuation
        )
        return (subscriber, subscription)
    }

    private init(continuation: AsyncStream<QueuedEvent>.Continuation, backlog: EventBacklog, count: Int) {
        (self.continuation, self.backlog, self.count) = (continuation, backlog, count)
    }

    /// Publishes an event; returns `false` where too many wait already: the subscriber is to be cut off then.
    ///
    /// - Parameter isKept: whether the hub keeps the bytes anyway, so that they don't count.
    @discardableResult
    func send(_ bytes: ByteBuffer, isKept: Bool = false) -> Bool {
        let size = isKept ? 0 : bytes.readableBytes
        guard backlog.add(size) else { return false }
        guard case .dropped = continuation.yield(QueuedEvent(bytes: bytes, size: size)) else { return true }
        backlog.remove(size)
        if !isKept { backlog.exceed(count) }
        return false
    }

    /// Cuts off a subscriber that is slow.
    func drop() {
        backlog.cut()
        continuation.finish()
    }

    /// Ends the subscription.
    func finish() { continuation.finish() }

    /// Calls `body` once when the subscription has ended, from either end.
    func onEnd(_ body: @escaping @Sendable () -> Void) { continuation.onTermination = { _ in body() } }
}
#endif
