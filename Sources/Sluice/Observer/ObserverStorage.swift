/// The state that an observer keeps behind its lock.
///
/// Not nested in the generic ``Observer``: there, each use of the lock would look up the metadata of the nested type at
/// run time, which costs more than the work itself.
struct ObserverStorage {
    var state = ObserverState()
    var deliveries = Deliveries()
    /// A Boolean value that indicates whether the end was canceled while it was on its way.
    var isWithdrawn = false

    /// The observers that this one was derived from, while its end is on its way: they live as long as a root may
    /// need them to find it.
    var upstream: [any Passing] = []

    /// Ends with `outcome`; returns `nil` if it has ended before.
    ///
    /// - Parameter drain: Called with each executor that has to be drained.
    mutating func end(_ outcome: Outcome, drain: (BodyExecutor) -> Void) -> ObserverState.End? {
        guard let end = state.end(outcome) else { return nil }
        end.deliveries.forEach { delivery in
            if deliveries.add(delivery, isCanceled: false, capacity: end.deliveries.count) {
                drain(delivery.executor)
            }
        }
        return end
    }

    /// Returns the observers upstream if the end has reached every listener.
    mutating func settle() -> [any Passing] {
        guard !upstream.isEmpty, !state.isPending, deliveries.isSettled else { return [] }
        defer { upstream = [] }
        return upstream
    }

    /// Registers a body for the end, or makes the end due if it has come.
    ///
    /// - Returns: The body's id while the end has not come, and whether the caller has to drain its executor.
    mutating func add(_ delivery: Delivery) -> (Int?, isDue: Bool) {
        if let id = state.add(delivery) { return (id, false) }
        return (nil, deliveries.add(delivery, isCanceled: isWithdrawn && delivery.canBeWithdrawn))
    }

    /// Turns the end that is on its way into a cancellation, also for bodies that are registered later.
    mutating func withdraw() {
        isWithdrawn = true
        _ = deliveries.withdraw { $0.canBeWithdrawn }
    }

    /// Turns the end into a cancellation for the observer's own listeners alone, if there are branches.
    mutating func withdrawListeners() {
        let isAny = deliveries.withdraw { $0.canBeWithdrawn && $0.role != .branch }
        if isAny, !deliveries.hasBranches { isWithdrawn = true }
    }
}
