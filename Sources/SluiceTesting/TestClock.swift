internal import Sluice
internal import SluiceFilters

/// A clock whose time changes only when a test advances it.
///
/// ```swift
/// let clock = TestClock()
/// async let answer = TimeoutFilter(.seconds(2), clock: clock).andThen(node).process(1)
/// await clock.sleepers(1)        // until the filter waits
/// clock.advance(by: .seconds(2))  // the timeout is due, at once
/// ```
///
/// Its instants are those of `ContinuousClock`, so that they can be compared to deadlines in a ``Sluice/CallContext``.
public final class TestClock: Clock {
    /// An instant of this clock.
    public typealias Instant = ContinuousClock.Instant
    /// A duration.
    public typealias Duration = Swift.Duration

    private let storage: Locked<Storage>

    private struct Storage {
        var now: Instant
        var lastID = 0
        var sleepers: [Sleeper] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes and returns the continuations that wait for the current number of sleepers.
        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let count = sleepers.count
            let satisfied = watchers.filter { $0.count <= count }.map(\.continuation)
            watchers.removeAll { $0.count <= count }
            return satisfied
        }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let wake: @Sendable (Result<Void, any Error>) -> Void
    }

    /// Creates a clock that shows `now`.
    public init(now: Instant = .now) {
        storage = Locked(Storage(now: now))
    }

    /// The current time, which only ``advance(by:)`` changes.
    public var now: Instant { storage.withLock { $0.now } }

    /// The minimum resolution: zero.
    public var minimumResolution: Duration { .zero }

    /// Waits until a test has advanced the clock to `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is canceled, immediately.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = nextID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                let (isDue, watchers) = storage.withLock { storage in
                    if deadline <= storage.now { return (true, [CheckedContinuation<Void, Never>]()) }
                    storage.sleepers.append(Sleeper(id: id, deadline: deadline) { continuation.resume(with: $0) })
                    return (false, storage.takeWatchers())
                }
                if isDue { continuation.resume() }
                watchers.forEach { $0.resume() }
                if Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
    }

    /// Advances the clock. Sleepers whose deadline has passed wake in the order of their deadlines; if they sleep
    /// again, the time is already the new one.
    ///
    /// - Complexity: O(*n* log *n*) in the number of sleepers.
    public func advance(by duration: Duration) {
        let due = storage.withLock { storage in
            storage.now = storage.now.advanced(by: duration)
            let now = storage.now
            let due = storage.sleepers.filter { $0.deadline <= now }
            storage.sleepers.removeAll { $0.deadline <= now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        due.forEach { $0.wake(.success(())) }
    }

    /// Waits until at least `count` sleeps on this clock are pending, in tasks or filters; canceling the waiting task
    /// does not end the wait.
    public func sleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let satisfied = storage.withLock { storage in
                storage.watchers.append((count, continuation))
                return storage.takeWatchers()
            }
            satisfied.forEach { $0.resume() }
        }
    }

    /// The time until the first sleeper wakes; `nil` without sleepers.
    public var untilNext: Duration? {
        storage.withLock { storage in
            storage.sleepers.map(\.deadline).min().map { storage.now.duration(to: $0) }
        }
    }

    private func nextID() -> Int {
        storage.withLock { storage in
            storage.lastID += 1
            return storage.lastID
        }
    }

    private func take(_ id: Int) -> Sleeper? {
        storage.withLock { storage in
            storage.sleepers.firstIndex { $0.id == id }.map { storage.sleepers.remove(at: $0) }
        }
    }

    private func wake(_ id: Int) {
        let sleeper = take(id)
        sleeper?.wake(.failure(CancellationError()))
    }
}

extension TestClock: CallbackClock {
    package func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> Int {
        let id = nextID()
        let (isDue, watchers) = storage.withLock { storage in
            if deadline <= storage.now { return (true, [CheckedContinuation<Void, Never>]()) }
            storage.sleepers.append(Sleeper(id: id, deadline: deadline) { _ in body() })
            return (false, storage.takeWatchers())
        }
        if isDue { body() }
        watchers.forEach { $0.resume() }
        return id
    }

    package func unschedule(_ id: Int) { _ = take(id) }
}
