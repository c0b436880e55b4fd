import Sluice

/// The figures of a stream's runs, counted since the process took the stream up. Monitoring reads them at any time.
package final class RunFigures: Sendable {
    /// The figures at one instant.
    package struct Counts: Sendable, Equatable, Codable {
        /// The values that sources have put in.
        package var itemsIn = 0
        /// The values that the last stage has put out.
        package var itemsOut = 0
        /// The errors that operators have reported instead of failing.
        package var reported = 0
        /// The runs that have failed.
        package var failures = 0
        /// The time that turns have taken, in nanoseconds.
        package var turnTime: Int64 = 0
        /// The state as last measured, in bytes of its checkpoint's text.
        package var stateSize = 0

        /// Creates figures of nothing.
        package init() {}
    }

    private let state = Locked(Counts())

    /// The figures now.
    package var counts: Counts { state.withLock { $0 } }

    /// Adds what a turn has done.
    func add(_ turn: Counts) {
        state.withLock { state in
            state.itemsIn += turn.itemsIn
            state.itemsOut += turn.itemsOut
            state.reported += turn.reported
            state.failures += turn.failures
            state.turnTime &+= turn.turnTime
            state.stateSize = turn.stateSize
        }
    }
}
