package import SluiceFilters

/// The timer of the filters as the clock of runs: a call costs no task.
package struct CallRunTimer: RunTimer {
    private let timer: CallTimer

    /// Makes a clock for runs.
    package init(_ timer: CallTimer) { self.timer = timer }

    package var now: Int64 { timer.now }

    package func schedule(at instant: Int64, _ body: @escaping @Sendable () -> Void) -> any RunAlarm {
        let alarm = TimerAlarm(body)
        timer.schedule(alarm, at: instant)
        return CallAlarm(timer: timer, alarm: alarm)
    }
}

private struct CallAlarm: RunAlarm {
    let timer: CallTimer
    let alarm: TimerAlarm

    func cancel() { timer.cancel(alarm) }
}
