/// The bodies that are due, a row for each lane. One drainer at a time empties a row, so that bodies of one lane run
/// one after the other in the order in which they were registered, also those that come while others run.
struct Deliveries {
    // Nearly always there is one lane.
    private var first: DueRow?
    private var others: [Lane.ID: DueRow] = [:]
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
    /// - Returns: `true` if its row was at rest: the caller has to drain it.
    mutating func add(_ delivery: Delivery, _ ending: Ending) -> Bool {
        let (id, due) = (delivery.lane.id, DueRow.Due(delivery: delivery, ending: ending))
        if first?.lane.id == id {
            first?.due.append(due)
            return false
        }
        if !others.isEmpty, others[id] != nil {
            others[id]?.due.append(due)
            return false
        }
        let row = DueRow(lane: delivery.lane, due: [due])
        if first == nil { first = row } else { others[id] = row }
        return true
    }

    /// Takes the next body that is due on a lane; returns `nil` when none is, and then the row is at rest.
    ///
    /// - Parameter passed: The derived observer whose body has run, if it has not delivered.
    mutating func take(_ lane: Lane, after passed: (any Passing)?) -> DueRow.Due? {
        if let passed { undelivered[ObjectIdentifier(passed)] = Weak(observer: passed) }
        let id = lane.id
        return first?.lane.id == id ? Self.take(&first) : Self.take(&others[id])
    }

    private static func take(_ row: inout DueRow?) -> DueRow.Due? {
        let due = row?.take()
        if due == nil { row = nil }
        return due
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
