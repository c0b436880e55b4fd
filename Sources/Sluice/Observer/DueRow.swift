/// The bodies that are due on one lane.
struct DueRow {
    struct Due {
        let delivery: Delivery
        var ending: Ending
    }

    let lane: Lane
    var due: [Due?]
    /// The derived observer whose body runs.
    private(set) var running: (any Passing)?
    /// The index of the body that runs next.
    private var next = 0

    init(lane: Lane, due: [Due]) {
        self.lane = lane
        self.due = due
    }

    /// A Boolean value that indicates whether the end is on its way to a derived observer.
    var hasBranches: Bool { due.contains { $0?.delivery.role == .branch } }

    /// Takes the body that runs next.
    mutating func take() -> Due? {
        guard next < due.count, let taken = due[next].take() else { return nil }
        running = taken.delivery.derived
        next += 1
        if next == due.count { (due, next) = ([], 0) }
        return taken
    }

    /// Turns the ends that are on their way into cancellations; returns `true` if there was one.
    mutating func withdraw(where isConcerned: (Delivery) -> Bool) -> Bool {
        var isAny = false
        for index in due.indices {
            guard let item = due[index], isConcerned(item.delivery) else { continue }
            if case .canceled = item.ending { continue }
            due[index]?.ending = .canceled
            isAny = true
        }
        return isAny
    }
}
