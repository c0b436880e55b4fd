import SluiceJSON

/// The timers of the groups of one subscription, which close each group after a time without values.
///
/// A timer is armed when a group receives its first value, and then for the rest of the time after the last one, as in
/// a debounce.
final class IdleTimers {
    private let duration: StreamTime
    private let run: Run
    private let lifetime: Lifetime
    private let cell: Cell<IdleState>
    private let close: (Int) -> Void
    private var timers: [Int: (timer: Timer, lifetime: Lifetime)] = [:]

    /// - Parameters:
    ///   - open: The groups that are open when a run is restored. A group without a time, because an edit has added the
    ///     time, counts from now.
    ///   - close: A closure that is called with the number of a group that is to close.
    init(
        _ duration: StreamTime,
        _ scope: Scope,
        _ lifetime: Lifetime,
        open: [Int],
        _ close: @escaping (Int) -> Void
    ) {
        self.duration = duration
        run = scope.run
        self.lifetime = lifetime
        self.close = close
        cell = scope.cell(IdleState(), "idle")
        guard scope.isRestoring else { return }
        for (id, group) in cell.state.groups {
            // An edit may have changed the time.
            guard let due = group.since.adding(duration) else { continue }
            run.arm(timer(of: id), at: max(due, run.now), order: group.order)
            if let end = group.last.adding(duration), end <= run.now { scope.node?.noteDueNow() }
        }
        for id in open where cell.state.groups[id] == nil { touch(id) }
    }

    /// Restarts the time of a group.
    func touch(_ id: Int) {
        guard !lifetime.isClosed else { return }
        if cell.state.groups[id] != nil {
            cell.state.groups[id]?.last = run.now
        } else if let due = run.due(in: duration) {
            let order = run.reserve()
            cell.state.groups[id] = IdleGroup(last: run.now, since: run.now, order: order)
            run.arm(timer(of: id), at: due, order: order)
        }
    }

    /// Removes all timers.
    func removeAll() {
        let all = timers
        timers = [:]
        cell.state.groups = [:]
        for entry in all.values { entry.lifetime.close() }
    }

    private func timer(of id: Int) -> Timer {
        let lifetime = lifetime.child()
        let timer = run.timer(for: lifetime) { self.fire(id) }
        timers[id] = (timer, lifetime)
        return timer
    }

    private func fire(_ id: Int) {
        guard let group = cell.state.groups[id], let entry = timers[id],
            let due = group.last.adding(duration)
        else { return }
        if run.now < due {
            let order = run.reserve()
            cell.state.groups[id] = IdleGroup(last: group.last, since: group.last, order: order)
            return run.arm(entry.timer, at: due, order: order)
        }
        cell.state.groups[id] = nil
        timers[id] = nil
        close(id)
        entry.lifetime.close()
    }
}

/// The times of the open groups, by their numbers.
private struct IdleState {
    var groups: [Int: IdleGroup] = [:]
}

/// The time of the last value of a group, the time from which its timer counts, and the position of the timer in the
/// order.
private struct IdleGroup {
    var last: StreamTime
    var since: StreamTime
    var order: Int64
}

extension IdleState: Savable {
    init(saved json: JSON) throws {
        guard case .array(let entries) = json else { throw StreamError.unreadable("the times of groups", json) }
        for entry in entries {
            guard case .array(let parts) = entry, parts.count == 4 else {
                throw StreamError.unreadable("the times of a group", entry)
            }
            let place = try TimerPlace(saved: [parts[2], parts[3]])
            groups[try Int(saved: parts[0])] = IdleGroup(
                last: try StreamTime(saved: parts[1]),
                since: place.due,
                order: place.order
            )
        }
    }

    var saved: JSON {
        .array(
            groups.sorted { $0.key < $1.key }.map { id, group in
                [id.saved, group.last.saved, group.since.saved, .int(group.order)]
            }
        )
    }
}
