import Foundation
import Sluice

/// A timer for runs on a thread of its own: a call costs no task, and one wake of the thread serves all calls that are due.
///
/// The thread is started by the first call that is scheduled, and ends when none has been left for some seconds.
package final class ThreadTimer: RunTimer, @unchecked Sendable {
    // `@unchecked Sendable`: `calls`, `lastOrder`, `isRunning`, and `wakesAt` are read and written while `mutex` is
    // locked, and so are the properties of each alarm; nothing else changes.
    private let clock: @Sendable () -> Int64
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var calls = Heap<Alarm>()
    private var lastOrder = 0
    private var isRunning = false
    /// The instant until which the thread waits.
    private var wakesAt = Int64.min

    /// The longest wait of the thread, in nanoseconds; without calls it ends then.
    private static let patience: Int64 = 5_000_000_000

    /// Makes a timer.
    ///
    /// - Parameter clock: returns the time, in nanoseconds; it never goes backward.
    package init(clock: @escaping @Sendable () -> Int64) {
        self.clock = clock
        pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        pthread_cond_init(condition, nil)
        #else
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Setting the time of day does not move it.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    package var now: Int64 { clock() }

    package func schedule(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> any RunAlarm {
        let alarm = Alarm(self, instant, body)
        let starts = locked {
            lastOrder += 1
            alarm.order = lastOrder
            calls.insert(alarm)
            if isRunning, instant < wakesAt { pthread_cond_signal(condition) }
            defer { isRunning = true }
            return !isRunning
        }
        if starts { start() }
        return alarm
    }

    /// The number of calls that wait.
    var count: Int { locked { calls.count } }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private func cancel(_ alarm: Alarm) {
        // The closure is released when the lock is free: what it holds may end with it.
        let body = locked {
            let body = alarm.body
            alarm.body = nil
            if alarm.index >= 0 { calls.remove(at: alarm.index) }
            return body
        }
        withExtendedLifetime(body) {}
    }

    private func start() {
        let thread = Thread { [self] in work() }
        thread.name = "sluice.timer"
        thread.start()
    }

    private func work() {
        while let due = next() {
            for body in due { body() }
        }
    }

    /// Waits until calls are due, and returns them; `nil` where none has come for a while.
    private func next() -> [@Sendable () -> Void]? {
        locked {
            while true {
                let now = clock()
                var due: [@Sendable () -> Void] = []
                while let first = calls.first, first.instant <= now {
                    calls.remove(at: 0)
                    if let body = first.body { due.append(body) }
                    first.body = nil
                }
                if !due.isEmpty { return due }
                let wait = min(Self.patience, (calls.first?.instant).map { $0 &- now } ?? .max)
                wakesAt = now &+ wait
                let isOver = !waitForSignal(wait)
                wakesAt = .min
                if isOver, calls.isEmpty {
                    isRunning = false
                    return nil
                }
            }
        }
    }

    /// Waits on the condition; returns `false` where the time has passed.
    private func waitForSignal(_ nanoseconds: Int64) -> Bool {
        #if canImport(Darwin)
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        return pthread_cond_timedwait_relative_np(condition, mutex, &time) == 0
        #else
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let total = Int64(time.tv_nsec) + nanoseconds
        time.tv_sec += Int(total / 1_000_000_000)
        time.tv_nsec = Int(total % 1_000_000_000)
        return pthread_cond_timedwait(condition, mutex, &time) == 0
        #endif
    }

    /// A call that is scheduled; of those at one instant, the one that was scheduled first comes first.
    fileprivate final class Alarm: RunAlarm, HeapElement, @unchecked Sendable {
        // `@unchecked Sendable`: the mutex of the timer is locked while the variables are read and written.
        private let timer: ThreadTimer
        let instant: Int64
        var order = 0
        /// The index in the heap; -1 if it is not there.
        var index = -1
        var body: (@Sendable () -> Void)?

        init(_ timer: ThreadTimer, _ instant: Int64, _ body: @escaping @Sendable () -> Void) {
            (self.timer, self.instant, self.body) = (timer, instant, body)
        }

        func precedes(_ other: Alarm) -> Bool { (instant, order) < (other.instant, other.order) }

        func noteIndex(_ index: Int) { self.index = index }

        func cancel() { timer.cancel(self) }
    }
}
