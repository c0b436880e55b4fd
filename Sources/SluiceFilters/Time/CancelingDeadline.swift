internal import Sluice

/// A time limit of work that its own task does: when the time has come, a closure cancels that task.
///
/// `TimeoutFilter` and ``callUntil(_:_:_:)`` make a task for each call. This one is for work that owns its task, and whose
/// parts stop when the task is canceled.
///
/// `@unchecked Sendable`: `timer` and `cancel` are constant, and `passed` has a lock. The owner sets and ends the limit, one
/// call after the other, and the properties of ``TimerEntry`` belong to the timer.
package final class CancelingDeadline: TimerEntry, @unchecked Sendable {
    private let timer: CallTimer
    private let cancel: @Sendable () -> Void
    private let passed = Locked(false)

    /// Creates a limit that is not set.
    ///
    /// - Parameter cancel: Cancels the task. It is called on the task of the timer, at most once for each time that is set.
    package init(_ clock: any Clock<Duration>, _ cancel: @escaping @Sendable () -> Void) {
        (timer, self.cancel) = (CallTimer.of(clock), cancel)
    }

    /// A Boolean value that indicates whether the time has come.
    package var hasPassed: Bool { passed.withLock { $0 } }

    /// Sets the time, in place of the one that was set.
    package func set(after duration: Duration) {
        timer.cancel(self)
        timer.schedule(self, at: timer.now.advanced(byClamping: duration.nanoseconds))
    }

    /// Ends the limit.
    package func end() { timer.cancel(self) }

    package override func fire() {
        passed.withLock { $0 = true }
        cancel()
    }
}
