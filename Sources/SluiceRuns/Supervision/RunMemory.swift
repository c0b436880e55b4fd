import Sluice

/// The memory that all runs of a process hold together, as far as it is known: their states and backlogs.
package final class RunMemory: Sendable {
    /// The bound, in bytes.
    package let limit: Int
    private let state = Locked(State())

    private struct State {
        var sizes: [ObjectIdentifier: Int] = [:]
        var total = 0
    }

    /// Makes an account.
    package init(limit: Int) { self.limit = limit }

    /// The sum of what the runs hold, in bytes.
    package var total: Int { state.withLock { $0.total } }

    /// Notes what a run holds.
    ///
    /// - Returns: `false` where all hold more than they may, and this one more than its share: it is to fail.
    func note(_ size: Int, of run: ObjectIdentifier) -> Bool {
        state.withLock { state in
            state.total += size - (state.sizes.updateValue(size, forKey: run) ?? 0)
            return state.total <= limit || size <= limit / max(1, state.sizes.count)
        }
    }

    /// Forgets a run.
    func remove(_ run: ObjectIdentifier) {
        state.withLock { state in state.total -= state.sizes.removeValue(forKey: run) ?? 0 }
    }
}
