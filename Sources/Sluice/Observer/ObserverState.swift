/// The life of an observer, as a pure state machine: pending, then ended, once.
///
/// Its methods change state and say what is to be done; the ``Observer`` does it after the lock is released.
enum ObserverState<Value: Sendable> {
    case pending(Pending)
    case ended(Ending<Value>)

    /// Those who wait for the end.
    struct Pending {
        /// Listeners and derived observers, in the order in which they came.
        var entries: [Entry] = []
        /// Tasks that wait in `value`.
        var waiters: [Waiter] = []
        var lastID = 0
        /// Stops the work, or leaves the observers upstream.
        var release: (@Sendable (inout Place) -> Void)?

        /// Whether anybody waits for the result.
        var isWanted: Bool { !waiters.isEmpty || entries.contains { $0.role.holdsWork } }
        /// Whether a branch other than the own listeners is there.
        var isBranched: Bool { !waiters.isEmpty || entries.contains { $0.role == .branch } }
    }

    struct Entry {
        let id: Int
        let role: Role
        let delivery: Delivery<Value>
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
        var continuation: CheckedContinuation<Value, any Error>?
    }

    /// What is to be done when an observer has ended.
    struct End {
        let deliveries: [Delivery<Value>]
        let waiters: [CheckedContinuation<Value, any Error>]
        let release: (@Sendable (inout Place) -> Void)?
    }

    /// What follows when somebody has left.
    enum Departure {
        /// Others are still there, or nobody was.
        case none
        /// It was the last: end with cancel.
        case last
    }

    /// Ends with `ending`; `nil` when the end has been before.
    mutating func end(_ ending: Ending<Value>) -> End? {
        guard case .pending(let pending) = self else { return nil }
        self = .ended(ending)
        return End(
            deliveries: pending.entries.map(\.delivery),
            waiters: pending.waiters.compactMap(\.continuation),
            release: pending.release
        )
    }

    /// Adds one who waits; `nil` when the end has been.
    mutating func add(_ delivery: Delivery<Value>, as role: Role) -> Int? {
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

    /// Puts a task to its reserved place; the result to resume it with when it has left already or the end has been.
    mutating func wait(_ id: Int, _ continuation: CheckedContinuation<Value, any Error>) -> Result<Value, any Error>? {
        if case .ended(let ending) = self { return ending.result }
        return update { pending -> Result<Value, any Error>? in
            guard let index = pending.waiters.firstIndex(where: { $0.id == id }) else {
                return .failure(CancellationError())
            }
            pending.waiters[index].continuation = continuation
            return nil
        } ?? nil
    }

    /// Takes a waiting task away, with its continuation if it waits already.
    mutating func leaveWaiter(_ id: Int) -> (CheckedContinuation<Value, any Error>?, Departure) {
        update { pending in
            guard let index = pending.waiters.firstIndex(where: { $0.id == id }) else { return (nil, .none) }
            let waiter = pending.waiters.remove(at: index)
            return (waiter.continuation, pending.isWanted ? .none : .last)
        } ?? (nil, .none)
    }

    /// Takes a derived observer away.
    mutating func leaveBranch(_ id: Int) -> Departure {
        update { pending in
            guard let index = pending.entries.firstIndex(where: { $0.id == id }) else { return .none }
            pending.entries.remove(at: index)
            return pending.isWanted ? .none : .last
        } ?? .none
    }

    /// Takes the own listeners away while branches stay; `.last`, and nobody is taken, when there is no branch.
    mutating func leaveListeners() -> ([Delivery<Value>], Departure) {
        update { pending in
            guard pending.isBranched else { return ([], .last) }
            let listeners = pending.entries.filter { $0.role != .branch }.map(\.delivery)
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

    /// Keeps what lets go of the work.
    ///
    /// - Returns: whether it is to be called at once, since the end has been.
    mutating func keep(release: @escaping @Sendable (inout Place) -> Void) -> Bool {
        update { $0.release = release } == nil
    }

    @discardableResult
    private mutating func update<Result>(_ change: (inout Pending) -> Result) -> Result? {
        guard case .pending(var pending) = self else { return nil }
        self = .pending(Pending())  // gives up the second reference, so that the arrays change in place
        defer { self = .pending(pending) }
        return change(&pending)
    }
}
