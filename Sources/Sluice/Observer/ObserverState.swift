/// The life of an observer, as a pure state machine: pending, then ended, once.
///
/// Its methods change state and return the work that remains; the ``Observer`` does that work after it has released the
/// lock.
struct ObserverState {
    /// The outcome; `nil` while pending.
    private(set) var outcome: Outcome?
    /// Listeners and derived observers, in the order in which they were registered.
    private var deliveries = Slots<Delivery>()
    /// Resumes the tasks that wait in `value`; `nil` for a task that is about to wait.
    private var waiters = Slots<(@Sendable (Outcome) -> Void)?>()
    /// Stops the work, or leaves the observers upstream.
    private var release: (@Sendable () -> Void)?
    private var branches = 0
    private var cancelListeners = 0

    /// The work that remains when an observer has ended.
    struct End {
        let deliveries: Slots<Delivery>
        let waiters: Slots<(@Sendable (Outcome) -> Void)?>
        let release: (@Sendable () -> Void)?
    }

    /// The consequence of a departure.
    enum Departure {
        /// Other branches remain, or there was none.
        case none
        /// It was the last branch: end with cancellation.
        case last
    }

    /// A Boolean value that indicates whether the observer has not ended yet.
    var isPending: Bool {
        if case .none = outcome { true } else { false }
    }

    /// The consequence of a departure that has just happened.
    private var departure: Departure {
        !waiters.isEmpty || deliveries.count > cancelListeners ? .none : .last
    }

    /// Ends with `outcome`; returns `nil` if it has ended before.
    mutating func end(_ outcome: Outcome) -> End? {
        guard isPending else { return nil }
        self.outcome = outcome
        return End(deliveries: deliveries.removeAll(), waiters: waiters.removeAll(), release: release.take())
    }

    /// Adds a listener or a derived observer; returns `nil` if it has ended.
    mutating func add(_ delivery: Delivery) -> Int? {
        guard isPending else { return nil }
        switch delivery.role {
        case .listener: break
        case .cancelListener: cancelListeners += 1
        case .branch: branches += 1
        }
        return deliveries.add(delivery)
    }

    /// Reserves a place for a task that is about to wait; returns `nil` if it has ended.
    mutating func reserve() -> Int? {
        isPending ? waiters.add(nil) : nil
    }

    /// Puts a task in its reserved place; returns the end to resume it with if the task has left already, or if the end
    /// has come.
    mutating func wait(_ id: Int, _ resume: @escaping @Sendable (Outcome) -> Void) -> Outcome? {
        if let outcome { return outcome }
        return waiters.replace(id, with: resume) ? nil : .canceled
    }

    /// Removes a waiting task, and returns the closure that resumes it if it is already waiting.
    mutating func leaveWaiter(_ id: Int) -> ((@Sendable (Outcome) -> Void)?, Departure) {
        guard isPending, let resume = waiters.remove(id) else { return (nil, .none) }
        return (resume, departure)
    }

    /// Removes a derived observer and returns it, since what its body holds must not be released under the lock.
    mutating func leaveBranch(_ id: Int) -> (Delivery?, Departure) {
        guard isPending, let delivery = deliveries.remove(id) else { return (nil, .none) }
        branches -= 1
        return (delivery, departure)
    }

    /// Removes the observer's own listeners if there are branches; otherwise returns `.last` and removes nothing.
    mutating func leaveListeners() -> ([Delivery], Departure) {
        guard isPending else { return ([], .none) }
        guard !waiters.isEmpty || branches > 0 else { return ([], .last) }
        cancelListeners = 0
        return (deliveries.remove { $0.role != .branch }, .none)
    }

    /// Transfers all waiting deliveries to a new state, if there are any, and ends.
    mutating func bequeath() -> ObserverState? {
        guard isPending else { return nil }
        let pending = self
        self = ObserverState()
        outcome = .canceled
        return pending.deliveries.isEmpty && pending.release == nil ? nil : pending
    }

    /// Stores the closure that stops the work, and returns the one that was stored before.
    ///
    /// - Returns: `isDue`, which is `true` if the closure is to be called immediately, since the end has come.
    mutating func keep(release: @escaping @Sendable () -> Void) -> (isDue: Bool, before: (@Sendable () -> Void)?) {
        guard isPending else { return (true, nil) }
        let before = self.release
        self.release = release
        return (false, before)
    }
}
