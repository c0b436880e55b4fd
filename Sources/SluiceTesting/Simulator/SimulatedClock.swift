internal import Sluice
internal import SluiceFilters

/// The clock of a ``Simulation``: its time is constant while anything runs, and jumps to the next deadline when nothing
/// does.
///
/// Its instants are those of `ContinuousClock`, so that they can be compared to deadlines in a call context.
public final class SimulatedClock: Clock {
    /// An instant of this clock.
    public typealias Instant = ContinuousClock.Instant
    /// A duration.
    public typealias Duration = Swift.Duration

    fileprivate struct Storage {
        var now: Int64 = 0
        var lastID = -1
        /// The pending closures by id. A canceled one is no longer here, but remains in the heap until its time.
        var bodies: [Int: @Sendable () -> Void] = [:]
        var heap: [(deadline: Int64, id: Int)] = []
    }

    /// The start of the simulation.
    public let start = ContinuousClock.now
    private let storage = Locked(Storage())

    init() {}

    /// The current time of the clock.
    public var now: Instant { start + .nanoseconds(elapsed) }

    /// The minimum resolution: zero.
    public var minimumResolution: Duration { .zero }

    /// The nanoseconds since the start.
    var elapsed: Int64 { storage.withLock { $0.now } }

    /// Waits until the simulation reaches the deadline.
    ///
    /// - Throws: `CancellationError` when the task is canceled, immediately, or when the simulation ends before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let timer = CallTimer.of(self)
        try await timer.sleep(for: now.duration(to: deadline))
    }

    /// Jumps to the first pending closure and calls it.
    ///
    /// - Returns: `false` if there is nothing pending, or nothing until `end`.
    func fireNext(until end: Int64) -> Bool {
        let body = storage.withLock { storage -> (@Sendable () -> Void)? in
            while let first = storage.heap.first {
                guard storage.bodies[first.id] != nil else {
                    storage.popFirst()
                    continue
                }
                guard first.deadline <= end else { return nil }
                storage.popFirst()
                storage.now = max(storage.now, first.deadline)
                return storage.bodies.removeValue(forKey: first.id)
            }
            return nil
        }
        body?()
        return body != nil
    }

    /// Removes all pending closures.
    func removeAll() {
        let bodies = storage.withLock { storage in
            storage.heap = []
            defer { storage.bodies = [:] }
            return storage.bodies
        }
        withExtendedLifetime(bodies) {}
    }

    func schedule(after nanoseconds: Int64, _ body: @escaping @Sendable () -> Void) {
        storage.withLock { _ = $0.insert($0.now.advanced(byClamping: nanoseconds), body) }
    }
}

extension SimulatedClock: CallbackClock {
    package func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> Int {
        let time = start.duration(to: deadline).nanoseconds
        return storage.withLock { $0.insert(time, body) }
    }

    package func unschedule(_ id: Int) {
        let body = storage.withLock { $0.bodies.removeValue(forKey: id) }
        withExtendedLifetime(body) {}
    }
}

/// A binary heap, ordered by time and then by insertion.
extension SimulatedClock.Storage {
    mutating func insert(_ deadline: Int64, _ body: @escaping @Sendable () -> Void) -> Int {
        lastID += 1
        bodies[lastID] = body
        heap.append((deadline, lastID))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { break }
            heap.swapAt(child, parent)
            child = parent
        }
        return lastID
    }

    mutating func popFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
