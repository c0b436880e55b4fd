/// A timer entry that calls a closure.
///
/// `@unchecked Sendable`: restates the superclass's conformance; only a `let` is added.
package final class TimerAlarm: TimerEntry, @unchecked Sendable {
    private let ring: @Sendable () -> Void

    /// Creates an alarm; the timer calls `ring`, which has to return immediately.
    package init(_ ring: @escaping @Sendable () -> Void) {
        self.ring = ring
        super.init()
    }

    package override func fire() { ring() }
}
