/// The life of an observer, as a pure state machine: pending, then ended, once.
///
/// Its methods change state and return what is to be done; the ``Observer`` does it after it has released the lock.
enum ObserverState {
    case pending(Pending)
    case ended(Ending)

    /// The listeners, derived observers, and tasks that wait for the end.
    struct Pending {
        /// Listeners and derived observers, in the order in which they were registered.
        private(set) var deliveries = Slots<Delivery>()
        /// Resumes the tasks that wait in `value`; `nil` for a task that is about to wait.
        var waiters = Slots<(@Sendable (Ending) -> Void)?>()
        /// Stops the work, or leaves the observers upstream.
        var release: (@Sendable () -> Void)?
        private var branches = 0
        private var cancelListeners = 0

        /// A Boolean value that indicates whether any branch waits for the result.
        var isWanted: Bool { !waiters.isEmpty || deliveries.count > cancelListeners }
        /// A Boolean value that indicates whether there is a branch besides the observer's own listeners.
        var isBranched: Bool { !waiters.isEmpty || branches > 0 }

        mutating func add(_ delivery: Delivery) -> Int {
            if delivery.role == .branch { branches += 1 }
            if delivery.role == .cancelListener { cancelListeners += 1 }
            return deliveries.add(delivery)
        }

        /// Removes a derived observer.
        mutating func removeBranch(_ id: Int) -> Delivery? {
            let branch = deliveries.remove(id)
            if branch != nil { branches -= 1 }
            return branch
        }

        /// Removes the observer's own listeners.
        mutating func removeListeners() -> [Delivery] {
            cancelListeners = 0
            return deliveries.remove { $0.role != .branch }
        }
    }

    /// The work that remains when an observer has ended.
    struct End {
        let deliveries: [Delivery]
        let waiters: [@Sendable (Ending) -> Void]
        let release: (@Sendable () -> Void)?
    }

    /// The consequence of a departure.
    enum Departure {
        /// Others are still there, or nobody was.
        case none
        /// It was the last: end with cancellation.
        case last
    }

    /// The ending; `nil` while pending.
    var ending: Ending? {
        if case .ended(let ending) = self { ending } else { nil }
    }

    /// Ends with `ending`; returns `nil` if it has ended before.
    mutating func end(_ ending: Ending) -> End? {
        guard case .pending(let pending) = self else { return nil }
        self = .ended(ending)
        return End(
            deliveries: pending.deliveries.elements,
            waiters: pending.waiters.elements.compactMap { $0 },
            release: pending.release
        )
    }

    /// Adds a listener or a derived observer; returns `nil` if it has ended.
    mutating func add(_ delivery: Delivery) -> Int? {
        update { $0.add(delivery) }
    }

    /// Reserves a place for a task that is about to wait; returns `nil` if it has ended.
    mutating func reserve() -> Int? {
        update { $0.waiters.add(nil) }
    }

    /// Puts a task in its reserved place; returns the end to resume it with if it has left already, or if the end has
    /// come.
    mutating func wait(_ id: Int, _ resume: @escaping @Sendable (Ending) -> Void) -> Ending? {
        if case .ended(let ending) = self { return ending }
        return update { $0.waiters.replace(id, with: resume) ? nil : Ending.canceled } ?? nil
    }

    /// Removes a waiting task, and returns what resumes it if it waits already.
    mutating func leaveWaiter(_ id: Int) -> ((@Sendable (Ending) -> Void)?, Departure) {
        update { pending in
            guard let resume = pending.waiters.remove(id) else { return (nil, .none) }
            return (resume, pending.isWanted ? .none : .last)
        } ?? (nil, .none)
    }

    /// Removes a derived observer, and returns it: what its body holds must not be released under the lock.
    mutating func leaveBranch(_ id: Int) -> (Delivery?, Departure) {
        update { pending in
            guard let delivery = pending.removeBranch(id) else { return (nil, .none) }
            return (delivery, pending.isWanted ? .none : .last)
        } ?? (nil, .none)
    }

    /// Removes the observer's own listeners while branches stay; returns `.last`, and removes nobody, if there is no
    /// branch.
    mutating func leaveListeners() -> ([Delivery], Departure) {
        update { pending in
            pending.isBranched ? (pending.removeListeners(), .none) : ([], .last)
        } ?? ([], .none)
    }

    /// Hands over all that waits, if anything does, and ends.
    mutating func bequeath() -> Pending? {
        guard case .pending(let pending) = self else { return nil }
        self = .ended(.canceled)
        return pending.deliveries.isEmpty && pending.release == nil ? nil : pending
    }

    /// Keeps what stops the work, and returns what was kept before.
    ///
    /// - Returns: `isDue`, `true` if it is to be called at once, since the end has come.
    mutating func keep(release: @escaping @Sendable () -> Void) -> (isDue: Bool, before: (@Sendable () -> Void)?) {
        guard case .pending = self else { return (true, nil) }
        let before = update { pending in
            defer { pending.release = release }
            return pending.release
        }
        return (false, before ?? nil)
    }

    @discardableResult
    private mutating func update<Result>(_ change: (inout Pending) -> Result) -> Result? {
        guard case .pending(var pending) = self else { return nil }
        self = .pending(Pending())  // gives up the second reference, so that the arrays change in place
        defer { self = .pending(pending) }
        return change(&pending)
    }
}
