/// The life of an observer, as a pure state machine: pending, then ended, once.
///
/// Its methods change state and say what is to be done; the ``Observer`` does it after the lock is released.
enum ObserverState {
    case pending(Pending)
    case ended(Ending)

    /// Those who wait for the end.
    struct Pending {
        /// Listeners and derived observers, in the order in which they came.
        var entries: [Entry] = []
        /// Tasks that wait in `value`.
        var waiters: [Waiter] = []
        var lastID = 0
        /// Stops the work, or leaves the observers upstream.
        var release: (@Sendable () -> Void)?

        /// Whether anybody waits for the result.
        var isWanted: Bool { !waiters.isEmpty || entries.contains { $0.role.holdsWork } }
        /// Whether a branch other than the own listeners is there.
        var isBranched: Bool { !waiters.isEmpty || entries.contains { $0.role == .branch } }
    }

    struct Entry {
        let id: Int
        let role: Role
        let delivery: Delivery
    }

    enum Role {
        /// An own listener that waits for a result.
        case listener
        /// An own listener that only wants to hear of cancel: the author of the work is one.
        case cancelListener
        /// A derived observer.
        case branch

        var holdsWork: Bool { self != .cancelListener }
    }

    struct Waiter {
        let id: Int
        /// Resumes the task; `nil` while it has its place but does not wait yet.
        var resume: (@Sendable (Ending) -> Void)?
    }

    /// What is to be done when an observer has ended.
    struct End {
        let deliveries: [Delivery]
        let waiters: [@Sendable (Ending) -> Void]
        let release: (@Sendable () -> Void)?
    }

    /// What follows when somebody has left.
    enum Departure {
        /// Others are still there, or nobody was.
        case none
        /// It was the last: end with cancel.
        case last
    }

    /// Ends with `ending`; `nil` when the end has been before.
    mutating func end(_ ending: Ending) -> End? {
        guard case .pending(let pending) = self else { return nil }
        self = .ended(ending)
        return End(
            deliveries: pending.entries.map { $0.delivery },
            waiters: pending.waiters.compactMap { $0.resume },
            release: pending.release
        )
    }

    /// Adds one who waits; `nil` when the end has been.
    mutating func add(_ delivery: Delivery, as role: Role) -> Int? {
        update { pending in
            pending.lastID += 1
            pending.entries.append(Entry(id: pending.lastID, role: role, delivery: delivery))
            return pending.lastID
        }
    }

    /// Keeps a place for a task that is about to wait; `nil` when the end has been.
    mutating func reserve() -> Int? {
        update { pending in
            pending.lastID += 1
            pending.waiters.append(Waiter(id: pending.lastID))
            return pending.lastID
        }
    }

    /// Puts a task to its reserved place; the end to resume it with when it has left already or the end has been.
    mutating func wait(_ id: Int, _ resume: @escaping @Sendable (Ending) -> Void) -> Ending? {
        if case .ended(let ending) = self { return ending }
        return update { pending -> Ending? in
            guard let index = pending.waiters.firstIndex(where: { $0.id == id }) else { return .canceled }
            pending.waiters[index].resume = resume
            return nil
        } ?? nil
    }

    /// Takes a waiting task away, with what resumes it if it waits already.
    mutating func leaveWaiter(_ id: Int) -> ((@Sendable (Ending) -> Void)?, Departure) {
        update { pending in
            guard let index = pending.waiters.firstIndex(where: { $0.id == id }) else { return (nil, .none) }
            let waiter = pending.waiters.remove(at: index)
            return (waiter.resume, pending.isWanted ? .none : .last)
        } ?? (nil, .none)
    }

    /// Takes a derived observer away, and hands it out: what its body holds must not be let go under the lock.
    mutating func leaveBranch(_ id: Int) -> (Entry?, Departure) {
        update { pending in
            guard let index = pending.entries.firstIndex(where: { $0.id == id }) else { return (nil, .none) }
            let entry = pending.entries.remove(at: index)
            return (entry, pending.isWanted ? .none : .last)
        } ?? (nil, .none)
    }

    /// Takes the own listeners away while branches stay; `.last`, and nobody is taken, when there is no branch.
    mutating func leaveListeners() -> ([Delivery], Departure) {
        update { pending in
            guard pending.isBranched else { return ([], .last) }
            let listeners = pending.entries.filter { $0.role != .branch }.map { $0.delivery }
            pending.entries.removeAll { $0.role != .branch }
            return (listeners, .none)
        } ?? ([], .none)
    }

    /// Gives up those who wait, if any do, and ends.
    mutating func bequeath() -> Pending? {
        guard case .pending(let pending) = self else { return nil }
        self = .ended(.canceled)
        return pending.entries.isEmpty && pending.release == nil ? nil : pending
    }

    /// Keeps what lets go of the work, and hands out what was kept before.
    ///
    /// - Returns: `isDue`, whether it is to be called at once, since the end has been.
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
