/// A clock that calls back itself, so that a ``CallTimer`` needs no task that sleeps on it: the clocks of tests and of
/// the simulator. What is due is called on the thread that moves the clock, in the order of the deadlines.
package protocol CallbackClock: Clock where Duration == Swift.Duration, Instant == ContinuousClock.Instant {
    /// Calls `body` once when the clock shows `deadline`; at once, before this returns, if it does already.
    ///
    /// - Returns: a name for ``unschedule(_:)``, 0 or more.
    func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> Int

    /// Forgets what was scheduled; does nothing if it was called.
    func unschedule(_ id: Int)
}
