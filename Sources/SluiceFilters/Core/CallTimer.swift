internal import Sluice

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A timer that tells filters the time, and calls them at deadlines: any number of waits share one task.
///
///     let timer = CallTimer.of(clock)                      // once, in the filter's init
///     let start = timer.now                                // Int64 nanoseconds, monotonic, from an origin of its own
///     try await timer.sleep(for: .seconds(2))              // heeds cancel
///     timer.schedule(entry, at: start + nanoseconds)       // entry.fire() is called then
///     timer.cancel(entry)
///     timer.time(of: deadline)                             // a deadline of the call context, in nanoseconds of this timer
///     timer.instant(at: start)                             // and back
///
/// `ContinuousClock` and `SuspendingClock` have one timer for the process: a heap of entries and one task that sleeps
/// until the first is due. A ``CallbackClock`` (`TestClock`) is its own timer and needs no task. Every other clock has
/// a timer for each filter.
///
/// A wait that ends before its time costs an insertion and a removal; the task keeps sleeping, and checks again when it
/// wakes.
@usableFromInline
package final class CallTimer: Sendable {
    /// The functions of a clock that a timer needs.
    private let source: Source
    private let state = Locked(State())

    private struct State {
        var heap = TimerHeap()
        /// The time until which the task sleeps; `nil` without a task.
        var armed: Int64?
        var sleeper: Task<Void, Never>?
        /// The generation of the current task; a task that was replaced finds another number and ends.
        var generation = 0
    }

    /// The delay of the task after which another replaces it, in nanoseconds.
    private static let patience: Int64 = 100_000_000

    private init(_ source: Source) { self.source = source }

    /// Returns the timer of a clock.
    package static func of(_ clock: any Clock<Duration>) -> CallTimer {
        switch clock {
        case is ContinuousClock: continuous
        case is SuspendingClock: suspending
        case let clock as any CallbackClock: CallTimer(Source(calling: clock))
        default: CallTimer(.of(clock))
        }
    }

    private static let continuous = CallTimer(.continuous)
    private static let suspending = CallTimer(Source(SuspendingClock()))

    /// The time, in nanoseconds since the timer was created.
    package var now: Int64 {
        #if os(Linux)
        // Without a closure, since filters read the time at every call.
        if let origin = source.bootOrigin { return Source.bootTime - origin }
        #endif
        return source.now()
    }

    /// Returns a deadline in nanoseconds of this timer.
    ///
    /// If the clock has instants of its own, the remaining time until the deadline is counted from now.
    package func time(of deadline: ContinuousClock.Instant) -> Int64 {
        if let origin = source.origin { return origin.duration(to: deadline).nanoseconds }
        return now.advanced(byClamping: ContinuousClock.now.duration(to: deadline).nanoseconds)
    }

    /// Returns a time of this timer as a deadline.
    package func instant(at time: Int64) -> ContinuousClock.Instant {
        if let origin = source.origin { return origin + .nanoseconds(time) }
        return ContinuousClock.now + .nanoseconds(time - now)
    }

    /// Calls `entry.fire()` when the time is `deadline`, or soon if that has passed. An entry may be scheduled only
    /// once at a time.
    package func schedule(_ entry: TimerEntry, at deadline: Int64) {
        if let callbacks = source.callbacks {
            entry.index = callbacks.schedule(deadline, entry)
            return
        }
        let arms = state.withLock { state -> Bool in
            entry.deadline = deadline
            state.heap.insert(entry)
            // A task that is long overdue was lost, or is starved: another replaces it, for the entries that are overdue too.
            if let armed = state.armed, armed <= deadline, armed > now - Self.patience { return false }
            state.armed = state.heap.first?.deadline
            return true
        }
        if arms { arm() }
    }

    /// Removes an entry; does nothing if it has fired.
    package func cancel(_ entry: TimerEntry) {
        if let callbacks = source.callbacks {
            if entry.index >= 0 { callbacks.unschedule(entry.index) }
            return
        }
        state.withLock { _ = $0.heap.remove(entry) }
    }

    /// Waits; returns immediately for a duration that is not positive.
    ///
    /// - Throws: `CancellationError` when the task is canceled, immediately.
    nonisolated(nonsending) package func sleep(for duration: Duration) async throws {
        guard duration > .zero else { return }
        let wait = Sleep()
        schedule(wait, at: now.advanced(byClamping: duration.nanoseconds))
        defer { cancel(wait) }
        try await wait.value()
    }

    private final class Sleep: PendingCall<Void>, @unchecked Sendable {
        // `@unchecked Sendable`: restates the superclass's conformance; nothing is stored here.
        override func fire() { end(.success(())) }
    }

    /// Starts the task that sleeps until the first entry is due, replacing one that sleeps longer.
    private func arm() {
        state.withLock { state in
            guard let armed = state.armed else { return }
            state.sleeper?.cancel()
            state.generation += 1
            let generation = state.generation
            state.sleeper = Task(priority: .high) { [self] in
                var deadline = armed
                while true {
                    try? await source.sleep(deadline)
                    guard let next = wake(generation) else { return }
                    deadline = next
                }
            }
        }
    }

    /// Fires the entries that are due, and returns the time until which to sleep; `nil` ends the task.
    private func wake(_ generation: Int) -> Int64? {
        while true {
            let now = now
            let (due, next) = state.withLock { state -> (TimerEntry?, Int64?) in
                guard generation == state.generation else { return (nil, nil) }
                if let due = state.heap.popDue(now) { return (due, nil) }
                state.armed = state.heap.first?.deadline
                if state.armed == nil { state.sleeper = nil }
                return (nil, state.armed)
            }
            guard let due else { return next }
            due.fire()
        }
    }
}

extension CallTimer {
    /// A clock without its type: time is a number of nanoseconds since `origin`.
    private struct Source: Sendable {
        let now: @Sendable () -> Int64
        let sleep: @Sendable (Int64) async throws -> Void
        /// The instant of time 0, if the clock has the instants of deadlines.
        let origin: ContinuousClock.Instant?
        let callbacks: Callbacks?
        /// The `bootTime` at time 0, if that is the clock.
        private(set) var bootOrigin: Int64?

        struct Callbacks: Sendable {
            let schedule: @Sendable (Int64, TimerEntry) -> Int
            let unschedule: @Sendable (Int) -> Void
        }

        init<C: Clock>(_ clock: C) where C.Duration == Duration {
            let origin = clock.now
            now = { origin.duration(to: clock.now).nanoseconds }
            sleep = { try await clock.sleep(until: origin.advanced(by: .nanoseconds($0)), tolerance: nil) }
            self.origin = origin as? ContinuousClock.Instant
            callbacks = nil
        }

        init<C: CallbackClock>(calling clock: C) {
            let origin = clock.now
            now = { origin.duration(to: clock.now).nanoseconds }
            sleep = { try await clock.sleep(until: origin.advanced(by: .nanoseconds($0)), tolerance: nil) }
            self.origin = origin
            callbacks = Callbacks(
                schedule: { deadline, entry in
                    clock.schedule(at: origin.advanced(by: .nanoseconds(deadline))) { entry.fire() }
                },
                unschedule: { clock.unschedule($0) }
            )
        }

        static func of(_ clock: some Clock<Duration>) -> Source { Source(clock) }

        /// The `ContinuousClock`, read in half the time: its durations count attoseconds in 128 bits.
        static var continuous: Source {
            #if os(Linux)
            // The two origins are the same moment, or that of the boot time is earlier, so that a deadline of now has
            // passed. A thread that lost the processor between the two readings reads again.
            var nearest: (source: Source, gap: Int64)?
            for _ in 0..<100 {
                let before = bootTime
                var source = Source(ContinuousClock())
                let gap = bootTime - before
                source.bootOrigin = before
                if gap < nearest?.gap ?? .max { nearest = (source, gap) }
                if gap < 1000 { break }
            }
            if let nearest { return nearest.source }
            #endif
            return Source(ContinuousClock())
        }

        #if os(Linux)
        /// The time that `ContinuousClock` reads on Linux, in nanoseconds.
        static var bootTime: Int64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        #endif
    }
}

extension Duration {
    /// The duration in whole nanoseconds, at most 292 years.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product.advanced(byClamping: attoseconds / 1_000_000_000)
    }
}

extension Int64 {
    /// Returns the sum, or the greatest or least number on overflow.
    package func advanced(byClamping other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
