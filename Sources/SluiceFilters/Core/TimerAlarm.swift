/// Calls a closure when its time has come.
///
/// `@unchecked Sendable`: restates the superclass's; only a `let` is added.
package final class TimerAlarm: TimerEntry, @unchecked Sendable {
    private let ring: @Sendable () -> Void

    /// Makes an alarm; `ring` is called by the timer, and has to return at once.
    package init(_ ring: @escaping @Sendable () -> Void) {
        self.ring = ring
        super.init()
    }

    package override func fire() { ring() }
}
