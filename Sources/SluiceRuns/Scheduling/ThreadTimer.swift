import Foundation
import Sluice

/// A timer for runs: a call costs no task, and one wake of a thread serves all calls that are due.
///
/// The threads of a ``RunScheduler`` serve the timer. One that rests waits for the next call and makes it, so that the work
/// that the call asks for begins without waking another thread. The timer's own thread makes the calls that come due
/// while no other thread attends to them, and those that are late since the threads are busy.
///
/// A call may be late by a twentieth of its wait, and by a millisecond at most (``slack``): calls that are due at about the same
/// time are made together.
///
/// The timer's thread is started by the first call that is scheduled, and ends when none has been left for some seconds.
package final class ThreadTimer: RunTimer, @unchecked Sendable {
    // `@unchecked Sendable`: the variables are read and written while `condition` is locked, and so are the properties of
    // each alarm; nothing else changes.
    private let clock: @Sendable () -> Int64
    private let condition = MonotonicCondition()
    private var calls = Heap<Alarm>()
    private var lastOrder = 0
    private var isRunning = false
    /// The instant until which the timer's thread waits.
    private var wakesAt = Int64.min
    /// The signal of the thread that waits for the next call in place of the timer's thread.
    private var keeper: ThreadSignal?
    /// The instant until which the keeper waits.
    private var keptUntil = Int64.min
    /// A Boolean value that indicates whether a keeper waits, or works and is expected back.
    private var isAttended = false

    /// A call that is due.
    typealias Call = @Sendable () -> Void

    /// The longest wait of the timer's thread, in nanoseconds; without calls it ends then.
    private static let patience: Int64 = 5_000_000_000
    /// The time after which the timer's thread makes a call that a busy keeper hasn't made, in nanoseconds.
    static let grace: Int64 = 10_000_000
    /// The most by which a call may be late so that it is made together with others, in nanoseconds.
    static let slack: Int64 = 1_000_000

    /// Makes a timer.
    ///
    /// - Parameter clock: returns the time, in nanoseconds; it never goes backward.
    package init(clock: @escaping @Sendable () -> Int64) { self.clock = clock }

    package var now: Int64 { clock() }

    package func schedule(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> any RunAlarm {
        let wait = max(0, instant.subtractingReportingOverflow(clock()).partialValue)
        let alarm = Alarm(self, instant, latest: instant.advanced(byClamping: min(Self.slack, wait / 20)), body)
        let (starts, reminded): (Bool, ThreadSignal?) = condition.locked {
            lastOrder += 1
            alarm.order = lastOrder
            calls.insert(alarm)
            if isRunning, wakeInstant(for: alarm) < wakesAt { condition.signal() }
            defer { isRunning = true }
            return (!isRunning, alarm.latest < keptUntil ? keeper : nil)
        }
        reminded?.remind()
        if starts { start() }
        return alarm
    }

    /// The number of calls that wait.
    var count: Int { condition.locked { calls.count } }

    /// A Boolean value that indicates whether a thread waits for the next call in place of the timer's.
    var isKept: Bool { condition.locked { keeper != nil } }

    private func cancel(_ alarm: Alarm) {
        // The closure is released when the lock is free: what it holds may end with it.
        let body = condition.locked {
            let body = alarm.body
            alarm.body = nil
            if alarm.index >= 0 { calls.remove(at: alarm.index) }
            return body
        }
        withExtendedLifetime(body) {}
    }

    /// Removes the calls that are due at `instant`; one that may wait may be left.
    private func removeDue(at instant: Int64) -> [Call] {
        var due: [Call] = []
        while let first = calls.first, first.instant <= instant {
            calls.remove(at: 0)
            if let body = first.body { due.append(body) }
            first.body = nil
        }
        return due
    }

    // MARK: The keeper

    /// Notes that a thread waits for the next call.
    ///
    /// - Parameters:
    ///   - signal: the signal of the thread; it is reminded when a call is scheduled that comes earlier.
    ///   - most: the longest wait, in nanoseconds.
    /// - Returns: The time until the next call, in nanoseconds; `most` at most.
    func keep(with signal: ThreadSignal, atMost most: Int64) -> Int64 {
        condition.locked {
            let now = clock()
            let wait = min(most, max(0, (calls.first?.latest).map { $0 &- now } ?? .max))
            (keeper, keptUntil, isAttended) = (signal, now.advanced(byClamping: wait), true)
            return wait
        }
    }

    /// Notes that the keeper has other work, and is expected back.
    func release() { condition.locked { keeper = nil } }

    /// Notes that a thread ends that may have been the keeper.
    func noteEnd(of signal: ThreadSignal) {
        condition.locked {
            if keeper === signal { keeper = nil }
            guard keeper == nil, isAttended else { return }
            isAttended = false
            if let first = calls.first, first.latest < wakesAt { condition.signal() }
        }
    }

    /// Removes the calls that are due, for a thread that makes them at once; the keeper no longer waits.
    func takeDue() -> [Call] {
        condition.locked {
            keeper = nil
            return calls.isEmpty ? [] : removeDue(at: clock())
        }
    }

    /// Removes the calls that are due while no keeper waits, for a thread that makes them at once.
    func takeOverdue() -> [Call] {
        condition.locked { keeper != nil || calls.isEmpty ? [] : removeDue(at: clock()) }
    }

    // MARK: The timer's thread

    private func start() {
        Thread.start("sluice.timer") { [self] in work() }
    }

    private func work() {
        while let due = next() {
            for body in due { body() }
        }
    }

    /// Returns the instant at which the timer's thread makes a call.
    private func wakeInstant(for alarm: Alarm) -> Int64 {
        isAttended ? alarm.latest.advanced(byClamping: Self.grace) : alarm.latest
    }

    /// Waits until calls are due, and returns them; `nil` where none has come for a while.
    private func next() -> [Call]? {
        condition.locked {
            while true {
                let now = clock()
                if let first = calls.first, wakeInstant(for: first) <= now {
                    let due = removeDue(at: now)
                    if !due.isEmpty { return due }
                }
                let wait = min(Self.patience, calls.first.map { wakeInstant(for: $0) &- now } ?? .max)
                wakesAt = now &+ wait
                let isOver = !condition.wait(wait)
                wakesAt = .min
                if isOver, calls.isEmpty {
                    isRunning = false
                    return nil
                }
            }
        }
    }

    /// A call that is scheduled. The one that can wait the least comes first, then the one that was scheduled first.
    fileprivate final class Alarm: RunAlarm, HeapElement, @unchecked Sendable {
        // `@unchecked Sendable`: the mutex of the timer is locked while the variables are read and written.
        private let timer: ThreadTimer
        let instant: Int64
        /// The instant by which the call is to be made.
        let latest: Int64
        var order = 0
        /// The index in the heap; -1 if it is not there.
        var index = -1
        var body: (@Sendable () -> Void)?

        init(_ timer: ThreadTimer, _ instant: Int64, latest: Int64, _ body: @escaping @Sendable () -> Void) {
            (self.timer, self.instant, self.latest, self.body) = (timer, instant, latest, body)
        }

        func precedes(_ other: Alarm) -> Bool { (latest, order) < (other.latest, other.order) }

        func noteIndex(_ index: Int) { self.index = index }

        func cancel() { timer.cancel(self) }
    }
}
