#if Hub
import HTTPTypes
import Logging
import SluiceFilters
import SluiceJSON
import SluiceRuns

/// The leases of streams with sinks that run on members of groups: one member at a time runs such a stream, and stores what
/// the run does here, under the number of its lease.
extension StreamHub {
    /// Reads the leases of the store.
    func openLeases() async throws {
        for stored in try await (store as? any SinkStore)?.leases() ?? [] {
            leases[stored.stream] = StreamLease(stored, at: around.timer.now, for: around.settings.leaseDuration)
            watchLease(stored.stream)
        }
    }

    /// Returns a Boolean value that indicates whether members of a group run a stream.
    func isLeased(_ id: String) -> Bool { leases[id]?.group != nil }

    /// Gives a member the lease of a stream, or names its holder.
    func acquireLease(of id: String, in group: String, by member: String) async throws -> LeaseAnswer {
        guard DocumentDraft.isName(member, upTo: 100) else {
            let text = "the id of a member must have 1 to 100 bytes, no control characters, and not be '.' or '..'"
            throw Problem(.unprocessableContent, text)
        }
        return try await inLine(id) { hub in try await hub.acquire(id, group, member) }
    }

    private func acquire(_ id: String, _ group: String, _ member: String) async throws -> LeaseAnswer {
        let store = try leasing(id, group)
        var lease = leases[id] ?? StreamLease(for: around.settings.leaseDuration)
        let now = around.timer.now
        let isOwn = lease.group == nil && (opening[id] != nil || around.bus.status(of: id)?.state.goesOn ?? false)
        guard !isOwn, lease.acquire(member, in: group, at: now) else {
            let left = Double(max(0, lease.end.subtractingReportingOverflow(now).partialValue)) / 1e9
            let last = try await lastOutput(of: id, isOwn: isOwn, store)
            return LeaseAnswer(
                seconds: isOwn ? 0 : left,
                reason: isOwn ? "the hub runs it: stop it there first" : holder(of: lease),
                cursor: last?.description
            )
        }
        leases[id] = lease
        (lastWrites[id], lastOutputs[id]) = (nil, nil)
        endHolding(of: id)
        watchLease(id)
        // The member reads what they have stored.
        waiting[id] = nil
        let run = runs.removeValue(forKey: id)
        await run?.command { await run?.shutDown() }
        await around.deliveries?.remove(id)
        do { try await store.storeLease(lease.stored(of: id)) } catch {
            _ = leases[id]?.release(lease.number, in: group)
            throw error
        }
        return LeaseAnswer(number: lease.number, seconds: Double(around.settings.leaseDuration) / 1e9)
    }

    /// Extends a lease, and takes the report of its holder.
    func renewLease(_ number: Int, of id: String, in group: String, _ report: LeasedReport?) async throws
        -> LeaseAnswer
    {
        _ = try leasing(id, group)
        guard leases[id]?.renew(number, in: group, at: around.timer.now) ?? false else { throw ended(number, id) }
        watchLease(id)
        if var report {
            report.sinks.removeAll { $0.figures.stream != id }
            leasedReports[id] = report
            show(report, of: id)
        }
        return LeaseAnswer(
            number: number,
            seconds: Double(around.settings.leaseDuration) / 1e9,
            orders: waitingOrders(of: id)
        )
    }

    /// Ends a lease.
    func releaseLease(_ number: Int, of id: String, in group: String) async throws {
        try await inLine(id) { hub in
            let store = try hub.leasing(id, group, needsGroup: false)
            guard hub.leases[id]?.release(number, in: group) ?? false, let lease = hub.leases[id] else {
                throw hub.ended(number, id)
            }
            hub.endHolding(of: id)
            try await store.storeLease(lease.stored(of: id))
            hub.publishLeases(waiting: [id])
        }
    }

    /// Performs a call of a member on the store.
    ///
    /// - Returns: The answer as JSON.
    func perform(
        _ request: LeasedRequest,
        under number: Int,
        of id: String,
        in group: String
    ) async throws -> [UInt8] {
        let store = try leasing(id, group, needsGroup: false)
        guard leases[id]?.accepts(number, in: group) ?? false else { throw ended(number, id) }
        guard request.call.isWrite else { return try await store.answer(request.call, of: id) }
        guard let write = request.write, write > 0 else {
            throw Problem(.unprocessableContent, "a call that changes the store needs \"write\", its number")
        }
        guard request.call.streams.allSatisfy({ $0 == id }) else {
            throw Problem(.unprocessableContent, "the call changes another stream than '\(Problem.shown(id))'")
        }
        return try await inLine(id) { hub in
            // Another member may have acquired it meanwhile.
            guard hub.leases[id]?.accepts(number, in: group) ?? false else { throw hub.ended(number, id) }
            if let last = hub.lastWrites[id], last.write >= write {
                guard last.write == write else {
                    throw Problem(.conflict, "the write \(write) was done, and another one after it")
                }
                return last.answer
            }
            let answer = try await store.answer(request.call, of: id)
            hub.lastWrites[id] = (write, answer)
            if case .commit(let commit) = request.call { hub.show(commit) }
            if case .forgetRun = request.call { hub.showReset(id) }
            if case .answer(let order, let outcome) = request.call { hub.answer(order, of: id, with: outcome) }
            return answer
        }
    }

    /// Publishes what a member has reported of a stream.
    private func show(_ report: LeasedReport, of id: String) {
        around.subscriptions.noteBlocked(report.sinks.filter(\.figures.isBlocked).map(\.figures.sink), of: id)
        guard let old = around.bus.status(of: id) else { return }
        var status = old
        report.complete(&status)
        if status.waiting != old.waiting || status.warning != old.warning || status.lag != old.lag
            || status.skipped != old.skipped
        {
            publish(status, isNew: false)
        }
    }

    /// Ends what belongs to the holder of a lease: its commands, and its report.
    func endHolding(of id: String) {
        endOrders(of: id)
        if leasedReports.removeValue(forKey: id) != nil { show(LeasedReport(), of: id) }
    }

    /// Publishes the status of a run on a member, also to streams that read states.
    private func publish(_ status: RunStatus, isNew: Bool) {
        around.bus.publish(status, isNew: isNew)
        around.subscriptions.noteStatus(status.stream)
    }

    /// Publishes that a member has discarded a run.
    private func showReset(_ id: String) {
        lastOutputs[id] = nil
        guard set[id] != nil, var status = around.bus.status(of: id) else { return }
        (status.state, status.error, status.stages) = (.idle, nil, [])
        publish(status, isNew: true)
    }

    /// Publishes what a member has stored of a run.
    private func show(_ commit: RunCommit) {
        guard set[commit.stream] != nil else { return }
        let old = around.bus.status(of: commit.stream)
        var status = RunStatus(
            stream: commit.stream,
            pace: Pace(
                at: around.timer.now,
                speed: Pace.speeds.contains(commit.speed) ? commit.speed : 1,
                isPaused: true
            )
        )
        leasedReports[commit.stream]?.complete(&status)
        (status.run, status.revision, status.error) = (commit.run, commit.revision, commit.error)
        status.state = RunState(rawValue: commit.state) ?? .idle
        if old?.run != status.run || old?.revision != status.revision || old?.state != status.state
            || old?.error != status.error
        {
            publish(status, isNew: old?.run != status.run)
        }
        if let last = commit.outputs.last {
            lastOutputs[commit.stream] = max(lastOutputs[commit.stream] ?? .start, last.place)
        }
        guard !commit.outputs.isEmpty else { return }
        around.subscriptions.noteStored(commit.stream)
        noteLeasedOutputs(of: commit.stream)
    }

    /// Takes a stream back from a group for a command, unless a member holds its lease.
    ///
    /// - Throws: ``Problem`` that names the member.
    func claim(_ id: String) async throws {
        let now = around.timer.now
        if leases[id]?.group == nil {
            // A member that asks meanwhile waits until the command has had its effect.
            _ = leases[id, default: StreamLease(for: around.settings.leaseDuration)].claim(at: now)
            return watchLease(id)
        }
        try await inLine(id) { hub in
            guard var lease = hub.leases[id], lease.group != nil else { return }
            guard lease.claim(at: now) else {
                throw Problem(.conflict, "the stream can't be commanded here: \(hub.holder(of: lease))")
            }
            hub.leases[id] = lease
            hub.endHolding(of: id)
            hub.watchLease(id)
            if let store = hub.store as? any SinkStore { try await store.storeLease(lease.stored(of: id)) }
            if let stored = try await hub.store.run(of: id) { hub.waiting[id] = stored.withoutCheckpoint }
        }
    }

    // MARK: Steps

    /// Returns the place of the last output of a stream. Members that wait ask for it again and again, and the run is read
    /// from the store once for each lease.
    private func lastOutput(of id: String, isOwn: Bool, _ store: any SinkStore) async throws -> OutputPlace? {
        if !isOwn, let place = lastOutputs[id] { return place }
        guard let run = try await store.run(of: id) else { return nil }
        let place = OutputPlace(run: run.run, sequence: run.outputs)
        lastOutputs[id] = isOwn ? nil : max(lastOutputs[id] ?? .start, place)
        return place
    }

    private func leasing(_ id: String, _ group: String, needsGroup: Bool = true) throws -> any SinkStore {
        _ = try document(id)
        guard let known = groups[group] else { throw Problem.noGroup(group) }
        guard !needsGroup || known.has(id) else {
            let text = "the group '\(Problem.shown(group))' does not have the stream '\(Problem.shown(id))'"
            throw Problem(.notFound, text)
        }
        guard !isEnding else { throw Problem.ending }
        guard around.settings.isDurable, let store = store as? any SinkStore else {
            throw Problem(.serviceUnavailable, "this hub stores no runs, so that it has no leases")
        }
        return store
    }

    private func ended(_ number: Int, _ id: String) -> Problem {
        let now = leases[id].map { ": the last one is \($0.number)" } ?? ""
        return Problem(
            .preconditionFailed,
            "the lease \(number) of the stream '\(Problem.shown(id))' has ended\(now); nothing was stored"
        )
    }

    func holder(of lease: StreamLease) -> String {
        switch lease.holder {
        case .member(let member, let group)?:
            let name = groups[group]?.members[member]?.name ?? member
            return "it runs on the member '\(Problem.shown(name))' of the group '\(Problem.shown(group))'"
        case .hub?: return "the hub runs it: stop it there first"
        case nil: return "nobody runs it now"
        }
    }

    /// Makes changes of one stream's lease, and writes under it, one after the other.
    private func inLine<Value: Sendable>(
        _ id: String,
        _ body: @escaping @Sendable (isolated StreamHub) async throws -> Value
    ) async throws -> Value {
        let previous = leaseLine[id]
        // Also where the caller is canceled: the next holder relies on the order.
        let task = Task { () throws -> Value in
            await previous?.value
            return try await body(self)
        }
        leaseLine[id] = Task { _ = try? await task.value }
        return try await task.value
    }
}

extension SinkStore {
    /// Returns the answer to a call of a member as JSON.
    fileprivate func answer(_ call: LeasedCall, of id: String) async throws -> [UInt8] {
        func bytes<Value: Codable & Sendable>(_ value: Value?) throws -> [UInt8] {
            try SluiceJSONEncoder().bytes(LeasedAnswer(value))
        }
        let done: Int? = nil
        switch call {
        case .run: return try bytes(try await run(of: id))
        case .lastRun: return try bytes(try await lastRun(of: id))
        case .journal: return try bytes(try await journal(of: id))
        case .outputsOfRun(let run, let after, let limit):
            let limit = max(0, min(limit, 1000))
            return try bytes(try await outputs(of: id, run: run, after: max(0, after), limit: limit))
        case .outputs(let after, let limit):
            let limit = max(0, min(limit, 1000))
            return try bytes(
                try await outputs(of: id, afterRun: max(0, after.run), sequence: max(0, after.sequence), limit: limit)
            )
        case .sinks: return try bytes(try await sinks(of: id))
        case .deliveries(let sink): return try bytes(try await deliveries(of: id, sink: sink))
        case .lettersToResend(let limit):
            return try bytes(try await deadLettersToResend(of: id, limit: max(0, min(limit, 1000))))
        case .letter(let number): return try bytes(try await deadLetter(number, of: id))
        case .letterCounts: return try bytes(try await deadLetterCounts(of: id))
        case .commit(let commit): try await self.commit(commit)
        case .commitSinks(let commits): try await commit(commits)
        case .removeSink(let sink): try await removeSink(sink, of: id)
        case .replaceLetter(let letter): try await replaceDeadLetter(letter)
        case .removeLetter(let number): try await removeDeadLetter(number, of: id)
        case .forgetRun: try await forgetRun(of: id)
        // It is not of the store.
        case .answer: break
        case .name(let run): return try bytes(try await name(ofRun: run, of: id))
        }
        return try bytes(done)
    }
}
#endif
