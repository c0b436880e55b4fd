#if Hub
import HTTPTypes
import SluiceFilters
import SluiceJSON
import SluiceRuns

/// A command that waits for the answer of the member that holds the lease.
struct WaitingOrder {
    let order: LeasedOrder
    let alarm: any RunAlarm
    let answer: CheckedContinuation<LeasedOutcome, Never>
}

/// Commands for streams that run on members: the hub forwards them with the renewal of the lease, and the holder answers.
extension StreamHub {
    /// The time in which a member has to answer, in nanoseconds.
    static let orderPatience: Int64 = 30_000_000_000
    /// The largest number of commands of a stream that may wait.
    private static let mostOrders = 64

    /// Forwards a command to the member that runs a stream, and returns its answer.
    ///
    /// - Returns: `nil` where neither a member nor workers do.
    /// - Throws: ``Problem`` with the member's reason, or where it does not answer.
    func forward(_ command: LeasedCommand, of id: String) async throws -> LeasedOutcome? {
        _ = try document(id)
        guard let lease = leases[id], lease.isHeld(at: around.timer.now), case .member = lease.holder else {
            return try await self.command(command, ofWorkersOf: id)
        }
        guard !isEnding else { throw Problem.ending }
        guard orders[id, default: []].count < Self.mostOrders else {
            throw Problem(
                .serviceUnavailable,
                "\(Self.mostOrders) commands wait for the member that runs the stream",
                headers: [.retryAfter: "5"]
            )
        }
        lastOrder += 1
        let order = LeasedOrder(lastOrder, command)
        let outcome = await withCheckedContinuation { continuation in
            let end = around.runs.timer.now.advanced(byClamping: Self.orderPatience)
            let alarm = around.runs.timer.schedule(at: end) { [weak self] in
                Task { await self?.answer(order.number, of: id, with: Self.noAnswer) }
            }
            orders[id, default: []].append(WaitingOrder(order: order, alarm: alarm, answer: continuation))
            publishLeases(holding: [id])
        }
        guard case .refused(let kind, let reason) = outcome else { return outcome }
        switch kind {
        case .conflict: throw Problem(.conflict, reason)
        case .invalid: throw Problem(.unprocessableContent, reason)
        case .unavailable: throw Problem(.serviceUnavailable, reason, headers: [.retryAfter: "5"])
        }
    }

    /// Forwards a command for a run; returns the run as JSON, or `nil` where no member runs the stream.
    func forwardRun(_ command: LeasedCommand, of id: String) async throws -> JSON? {
        guard case .run(let text)? = try await forward(command, of: id) else { return nil }
        return try JSON(parsing: text)
    }

    private static let noAnswer = LeasedOutcome.refused(
        .unavailable,
        reason: "the member that runs the stream has not answered in time: it may have done it"
    )

    /// Returns the commands that wait for the holder of a lease.
    func waitingOrders(of id: String) -> [LeasedOrder]? {
        orders[id].flatMap { $0.isEmpty ? nil : $0.map(\.order) }
    }

    /// Ends a command with the answer of the member; does nothing for one that has ended.
    func answer(_ number: Int, of id: String, with outcome: LeasedOutcome) {
        guard let index = orders[id]?.firstIndex(where: { $0.order.number == number }),
            let waiting = orders[id]?.remove(at: index)
        else { return }
        if orders[id]?.isEmpty ?? false { orders[id] = nil }
        waiting.alarm.cancel()
        waiting.answer.resume(returning: outcome)
    }

    /// Ends the commands that wait for a member whose lease has ended.
    func endOrders(of id: String) {
        for waiting in orders.removeValue(forKey: id) ?? [] {
            waiting.alarm.cancel()
            let reason = "the member that ran the stream has lost its lease: it may have done it"
            waiting.answer.resume(returning: .refused(.unavailable, reason: reason))
        }
    }

    // MARK: News

    /// Has the hub notice the end of a lease: members that wait learn that they can have it.
    func watchLease(_ id: String) {
        guard leaseAlarms[id] == nil, let lease = leases[id], lease.isHeld(at: around.timer.now) else { return }
        leaseAlarms[id] = around.runs.timer.schedule(at: lease.end) { [weak self] in
            guard let self else { return }
            around.perform { await self.noteLeaseEnd(id) }
        }
    }

    private func noteLeaseEnd(_ id: String) {
        leaseAlarms[id] = nil
        guard !isEnding, let lease = leases[id] else { return }
        // It was renewed meanwhile.
        if lease.isHeld(at: around.timer.now) { return watchLease(id) }
        endHolding(of: id)
        publishLeases(waiting: [id])
    }

    /// Notes that the run of a member has put out something: the members that wait learn of it once a second.
    func noteLeasedOutputs(of id: String) {
        newOutputs.insert(id)
        guard outputAlarm == nil else { return }
        let next = around.runs.timer.now.advanced(byClamping: 1_000_000_000)
        outputAlarm = around.runs.timer.schedule(at: next) { [weak self] in
            guard let self else { return }
            around.perform { await self.publishLeasedOutputs() }
        }
    }

    private func publishLeasedOutputs() {
        outputAlarm = nil
        publishLeases(waiting: newOutputs.sorted())
        newOutputs = []
    }

    /// Informs the members of groups of leases: those that wait for one ask for it again, and its holder renews it.
    ///
    /// The event has no number, and is not kept: a member that comes back asks anyway.
    func publishLeases(waiting: [String] = [], holding: [String] = []) {
        for (name, group) in groups where !group.subscribers.isEmpty {
            let own = (waiting.filter(group.has), holding.filter(group.has))
            if own.0.isEmpty, own.1.isEmpty { continue }
            let data = JSON.object([
                "waiting": .array(own.0.map(JSON.string)), "holding": .array(own.1.map(JSON.string)),
            ])
            let bytes = Notice.bytes("leases", data.description)
            for (number, subscriber) in group.subscribers where !subscriber.send(bytes) {
                groups[name]?.subscribers[number] = nil
                around.counters.count { $0.membersDropped += 1 }
                subscriber.drop()
            }
        }
    }
}
#endif
