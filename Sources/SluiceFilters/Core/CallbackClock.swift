/// A clock that calls back itself, so that a ``CallTimer`` needs no task that sleeps on it: the clocks of tests and of
/// the simulator. The thread that advances the clock calls the scheduled closures, in the order of their deadlines.
package protocol CallbackClock: Clock where Duration == Swift.Duration, Instant == ContinuousClock.Instant {
    /// Calls `body` once when the clock reaches `deadline`, or immediately, before this returns, if it already has.
    ///
    /// - Returns: An id for ``unschedule(_:)``, 0 or more.
    func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> Int

    /// Removes a scheduled closure; does nothing if it was called.
    func unschedule(_ id: Int)
}
