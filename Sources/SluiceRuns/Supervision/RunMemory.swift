import Sluice

/// The memory that all runs of a process hold together, as far as it is known: their states and backlogs.
///
/// Beyond the limit, the largest runs have to fail, however long ago they grew. A quarter of the limit at most is for what
/// waits for the store, and an eighth for values that are kept for late subscribers.
package final class RunMemory: Sendable {
    /// The bound, in bytes.
    package let limit: Int
    /// The outputs, inputs, and checkpoints of all runs that the store does not have yet. At its limit, runs wait.
    package let backlogs: SharedBudget
    private let state = Locked(State())

    private struct State {
        var holders: [ObjectIdentifier: Holder] = [:]
        /// The sum of what the holders hold, and of those that do not have to fail, in bytes.
        var total = 0
        var staying = 0
    }

    /// A run, as it was last measured.
    private struct Holder {
        var size: Int
        /// A Boolean value that indicates whether it has to fail.
        var isExcessive = false
        let wake: @Sendable () -> Void
    }

    /// Makes an account.
    package init(limit: Int) {
        self.limit = limit
        backlogs = SharedBudget(limit: limit / 4)
    }

    /// The sum of what the runs hold, in bytes.
    package var total: Int { state.withLock { $0.total } }

    /// The size of the values that a run keeps for late subscribers, in bytes.
    var keptSize: Int { min(1 << 20, max(16 << 10, backlogs.share / 2)) }

    /// The size of the values that pass through a run's stages between two measurements of a state, in bytes, where the
    /// state is not larger.
    var measuringInterval: Int { max(64 << 10, backlogs.share) }

    /// Notes the size of a run. While all runs together hold more than they may, the largest of those with more than their
    /// share have to fail.
    ///
    /// - Parameter wake: A closure that is called once if the run has to fail because of another.
    /// - Complexity: O(*n*) in the number of runs for each one that has to fail; O(1) while none has to.
    func note(_ size: Int, of run: ObjectIdentifier, wake: @escaping @Sendable () -> Void) {
        let excessive = state.withLock { state -> [@Sendable () -> Void] in
            var holder = state.holders[run] ?? Holder(size: 0, wake: wake)
            state.total += size - holder.size
            if !holder.isExcessive { state.staying += size - holder.size }
            holder.size = size
            state.holders[run] = holder
            var excessive: [@Sendable () -> Void] = []
            let share = limit / state.holders.count
            while state.staying > limit {
                let candidates = state.holders.lazy.filter { !$0.value.isExcessive && $0.value.size > share }
                guard let largest = candidates.max(by: { $0.value.size < $1.value.size }) else { break }
                state.holders[largest.key]?.isExcessive = true
                state.staying -= largest.value.size
                if largest.key != run { excessive.append(largest.value.wake) }
            }
            return excessive
        }
        for wake in excessive { wake() }
    }

    /// Returns the size of a run that has to fail, because all runs together hold more than they may; `nil` for others.
    func excess(of run: ObjectIdentifier) -> Int? {
        state.withLock { state in
            guard let holder = state.holders[run], holder.isExcessive else { return nil }
            return holder.size
        }
    }

    /// Forgets a run.
    func remove(_ run: ObjectIdentifier) {
        state.withLock { state in
            guard let holder = state.holders.removeValue(forKey: run) else { return }
            state.total -= holder.size
            if !holder.isExcessive { state.staying -= holder.size }
        }
    }
}
