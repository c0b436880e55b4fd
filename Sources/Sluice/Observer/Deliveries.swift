/// The bodies that are due, with a row for each executor. Only one drainer at a time empties a row, so that bodies of an
/// executor run one after the other in the order of registration, including bodies that arrive while others run.
struct Deliveries {
    // There is nearly always one executor.
    private var first: DueRow?
    private var others: [BodyExecutor.ID: DueRow] = [:]
    /// Derived observers whose body has run, but whose own bodies have not.
    private var undelivered: [ObjectIdentifier: Weak] = [:]

    private struct Weak {
        weak var observer: (any Passing)?
    }

    /// A Boolean value that indicates whether every body has run, and every derived observer has delivered.
    var isSettled: Bool { first == nil && others.isEmpty && undelivered.isEmpty }

    /// The derived observers through which the end passes.
    var passing: [any Passing] {
        ([first].compactMap { $0 } + others.values).compactMap { $0.running }
            + undelivered.values.compactMap { $0.observer }
    }

    /// Adds a body that is due.
    ///
    /// - Parameter capacity: The number of bodies that the first row probably gets.
    /// - Returns: `true` if the row was idle, so that the caller has to drain it.
    mutating func add(_ delivery: Delivery, isCanceled: Bool, capacity: Int = 1) -> Bool {
        let due = DueRow.Due(delivery: delivery, isCanceled: isCanceled)
        if first?.executor.isSame(as: delivery.executor) ?? false {
            first?.append(due)
            return false
        }
        // A row of the executor may be among the others.
        if !others.isEmpty, others[delivery.executor.id]?.append(due) != nil { return false }
        if first == nil {
            first = DueRow(due, capacity: capacity)
        } else {
            others[delivery.executor.id] = DueRow(due, capacity: 1)
        }
        return true
    }

    /// Takes the bodies that run next on an executor; returns `nil`, and leaves the row idle, when none is due.
    ///
    /// - Parameter passed: The derived observer whose body has run, if it has not delivered.
    mutating func take(_ executor: BodyExecutor, after passed: (any Passing)?) -> DueRow.Taken? {
        if let passed { undelivered[ObjectIdentifier(passed)] = Weak(observer: passed) }
        if first?.executor.isSame(as: executor) ?? false { return Self.take(&first) }
        return others.isEmpty ? nil : Self.take(&others[executor.id])
    }

    private static func take(_ row: inout DueRow?) -> DueRow.Taken? {
        let taken = row?.take()
        if taken == nil { row = nil }
        return taken
    }

    /// Removes a derived observer that has delivered.
    mutating func forget(_ id: ObjectIdentifier) { undelivered[id] = nil }

    /// Turns the ends that are on their way into cancellations.
    ///
    /// - Parameter isConcerned: The bodies that are concerned.
    /// - Returns: `true` if an end was on its way to one of them.
    mutating func withdraw(where isConcerned: (Delivery) -> Bool) -> Bool {
        var isAny = first?.withdraw(where: isConcerned) ?? false
        for id in others.keys where others[id]?.withdraw(where: isConcerned) ?? false { isAny = true }
        return isAny
    }

    /// A Boolean value that indicates whether the end is on its way to a derived observer, or through one.
    var hasBranches: Bool {
        !passing.isEmpty || ([first].compactMap { $0 } + others.values).contains { $0.hasBranches }
    }
}
