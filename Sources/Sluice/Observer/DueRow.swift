/// The bodies that are due on one executor.
struct DueRow {
    struct Due {
        let delivery: Delivery
        /// A Boolean value that indicates whether the body receives cancellation instead of the observer's end.
        var isCanceled: Bool
    }

    /// The bodies that a drainer runs next.
    enum Taken {
        case one(Due)
        /// Bodies that cancellation can't overtake.
        case many([Due?])
    }

    let executor: BodyExecutor
    /// The bodies that are due. Entries that have run are `nil`, since what they hold must not be released under the
    /// lock.
    private var due: [Due?]
    /// The index of the body that runs next.
    private var next = 0
    /// A Boolean value that indicates whether cancellation can overtake the end on its way to one of the bodies.
    private var canBeWithdrawn: Bool
    /// The derived observer whose body runs.
    private(set) var running: (any Passing)?

    /// Creates a row of one body.
    ///
    /// - Parameter capacity: The number of bodies that the row probably gets.
    init(_ first: Due, capacity: Int) {
        executor = first.delivery.executor
        due = []
        due.reserveCapacity(capacity)
        due.append(first)
        canBeWithdrawn = first.delivery.canBeWithdrawn
    }

    /// A Boolean value that indicates whether the end is on its way to a derived observer.
    var hasBranches: Bool { due.contains { $0?.delivery.role == .branch } }

    /// Adds a body.
    mutating func append(_ item: Due) {
        due.append(item)
        if item.delivery.canBeWithdrawn { canBeWithdrawn = true }
    }

    /// Takes the bodies that run next: all that are due if cancellation can't overtake any, otherwise one.
    mutating func take() -> Taken? {
        if due.isEmpty { return nil }
        if !canBeWithdrawn {
            defer { due = [] }
            running = nil
            return .many(due)
        }
        guard let taken = due[next].take() else { return nil }
        running = taken.delivery.derived
        next += 1
        if next == due.count { (due, next, canBeWithdrawn) = ([], 0, false) }
        return .one(taken)
    }

    /// Turns the ends that are on their way into cancellations; returns `true` if there was one.
    mutating func withdraw(where isConcerned: (Delivery) -> Bool) -> Bool {
        var isAny = false
        for index in next..<due.count {
            guard let item = due[index], !item.isCanceled, isConcerned(item.delivery) else { continue }
            due[index]?.isCanceled = true
            isAny = true
        }
        return isAny
    }
}
