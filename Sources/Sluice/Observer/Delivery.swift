/// A body that waits for the end of a call, and where it runs.
///
/// `@unchecked Sendable`: `body` need not be Sendable, since it is made on `lane` and only ever called there. Made on
/// an actor, it is called on that actor (`Lane.run` hops to it). Made on no actor, it is called once, after the lock
/// of its observer has been passed from the thread that made it, and what it captures is its author's business: the
/// one exception to checked isolation, documented at ``Observer``.
struct Delivery: @unchecked Sendable {
    let lane: Lane
    /// Takes the end and the lane on which it is called.
    let body: (Ending, Lane) -> Void
}

/// The bodies that are due, a row for each lane. One drainer at a time empties a row, so that bodies of one lane run
/// one after the other in the order in which they were registered, also those that come while others run.
struct Deliveries {
    private var rows: [Row] = []

    private struct Row {
        let lane: Lane
        var due: [(delivery: Delivery, ending: Ending)]
    }

    /// Adds a body that is due.
    ///
    /// - Returns: whether its row was at rest: the caller has to drain it.
    mutating func add(_ delivery: Delivery, _ ending: Ending) -> Bool {
        if let row = rows.firstIndex(where: { $0.lane.isSame(as: delivery.lane) }) {
            rows[row].due.append((delivery, ending))
            return false
        }
        rows.append(Row(lane: delivery.lane, due: [(delivery, ending)]))
        return true
    }

    /// Takes what is due on a lane; `nil` when nothing is, and then the row is at rest.
    mutating func take(_ lane: Lane) -> [(delivery: Delivery, ending: Ending)]? {
        guard let row = rows.firstIndex(where: { $0.lane.isSame(as: lane) }) else { return nil }
        if rows[row].due.isEmpty {
            rows.remove(at: row)
            return nil
        }
        defer { rows[row].due = [] }
        return rows[row].due
    }
}
