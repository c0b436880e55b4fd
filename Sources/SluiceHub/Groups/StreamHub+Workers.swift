#if Hub
import HTTPTypes
import SluiceFilters
import SluiceJSON
import SluiceRuns

/// Streams that the workers of a cluster run: their states, and the commands that reach them.
extension StreamHub {
    /// The time in which all partitions of a stream have to do what they were asked for, in nanoseconds.
    private static let workerPatience: Int64 = 10_000_000_000

    /// The pauses between looks at the workers, and between those of a command that waits for them, in nanoseconds.
    private static let (lookPause, commandPause): (Int64, Int64) = (2_000_000_000, 100_000_000)

    /// Looks at the workers of the cluster every two seconds from now on; does nothing without a cluster.
    func followWorkers() async {
        guard around.settings.workers != nil, !isEnding else { return }
        await lookAtWorkers()
        let next = around.runs.timer.now.advanced(byClamping: Self.lookPause)
        _ = around.runs.timer.schedule(at: next) { [weak self, perform = around.perform] in
            guard let self else { return }
            perform { await self.followWorkers() }
        }
    }

    /// Reads the workers of the cluster, and publishes the states of the streams that they run.
    func lookAtWorkers() async {
        guard let directory = around.settings.workers else { return }
        // While NATS is away nothing is known of them.
        lastWorkers = (try? await directory.workers()) ?? []
        let units = Dictionary(grouping: lastWorkers.flatMap(\.units), by: \.unit.stream)
        for id in workedStreams.subtracting(units.keys) { show([], of: id) }
        for (id, units) in units { show(units, of: id) }
        workedStreams = Set(units.keys)
        around.subscriptions.noteWorked(workedStreams.filter { !isOwn($0) })
    }

    /// Publishes the state of a stream that workers run, or have run.
    private func show(_ units: [WorkerReport.Unit], of id: String) {
        guard let document = set[id], !isOwn(id), leases[id]?.group == nil else { return }
        let old = around.bus.status(of: id)
        var status = old ?? RunStatus(stream: id, pace: Pace(at: around.timer.now, isPaused: true))
        if status.run == 0 { status.revision = document.stored.revision }
        status.take(units)
        guard old?.state != status.state || old?.error != status.error || old?.waiting != status.waiting else { return }
        around.bus.publish(status, isNew: false)
        around.subscriptions.noteStatus(id)
        around.subscriptions.noteBlocked(units.contains { $0.isBlocked ?? false } ? ["a sink of a worker"] : [], of: id)
    }

    /// Returns a Boolean value that indicates whether the hub itself runs a stream.
    private func isOwn(_ id: String) -> Bool {
        if opening[id] != nil || waiting[id]?.goesOn ?? false { return true }
        guard runs[id] != nil else { return false }
        return !workedStreams.contains(id) && around.bus.status(of: id)?.state.goesOn ?? false
    }

    /// Returns the groups whose workers run a stream; none for a stream that the hub runs, and without a cluster.
    ///
    /// - Throws: ``Problem`` where that can't be found out.
    func groupsOfWorkers(of id: String) async throws -> [String] {
        guard let directory = around.settings.workers, !isOwn(id) else { return [] }
        let names = groups.values.filter { $0.has(id) }.map(\.name).sorted()
        do { return try await directory.groups(running: id, among: names) } catch let error as StoreError {
            throw Problem(
                .serviceUnavailable,
                "the stream may be one of workers, which can't be found out: \(error.reason)",
                headers: [.retryAfter: "5"]
            )
        }
    }

    /// Has the workers that run a stream perform a command.
    ///
    /// - Returns: The run as JSON; `nil` where no workers run the stream.
    /// - Throws: ``Problem`` for a command that workers don't take, and where they don't answer.
    func command(_ command: LeasedCommand, ofWorkersOf id: String) async throws -> LeasedOutcome? {
        let names = try await groupsOfWorkers(of: id)
        guard let group = names.first, let directory = around.settings.workers else { return nil }
        let isPause: Bool
        switch command {
        case .pause: isPause = true
        case .resume: isPause = false
        case .start: throw refusal(of: "start", group, "resume has it go on where it is paused or has failed")
        case .reset: throw refusal(of: "reset", group, "store it under another id to begin with no state")
        case .step, .speed: throw refusal(of: "step and speed", group, "pause and resume are what workers take")
        case .retry, .skip, .resend, .drop:
            throw refusal(of: "commands for sinks", group, "an edit of the sink has its deliveries go on")
        }
        for name in names {
            do { try await directory.pause(id, isPause, in: name) } catch let error as StoreError {
                throw Problem(.serviceUnavailable, error.reason, headers: [.retryAfter: "5"])
            }
        }
        let timer = around.runs.timer
        let end = timer.now.advanced(byClamping: Self.workerPatience)
        while true {
            await lookAtWorkers()
            let units = lastWorkers.flatMap(\.units).filter { $0.unit.stream == id }
            let open = units.filter { $0.needs(pause: isPause) }
            if open.isEmpty { return .run(json: try await status(id).description) }
            guard timer.now < end else {
                let text = "the workers were asked, and \(open.count) of \(units.count) partitions have not done it yet"
                throw Problem(.serviceUnavailable, text, headers: [.retryAfter: "2"])
            }
            await withCheckedContinuation { continuation in
                let next = timer.now.advanced(byClamping: Self.commandPause)
                _ = timer.schedule(at: next) { continuation.resume() }
            }
        }
    }

    /// Refuses to stop a stream that workers run.
    func refuseStop(of id: String) async throws {
        guard let group = try await groupsOfWorkers(of: id).first else { return }
        throw refusal(of: "stop", group, "pause it, or take it out of the group")
    }

    private func refusal(of verb: String, _ group: String, _ hint: String) -> Problem {
        Problem(.conflict, "the workers of the group '\(group)' run the stream, and don't take \(verb): \(hint)")
    }
}

extension WorkerReport.Unit {
    /// Returns a Boolean value that indicates whether the unit has still to pause, or to go on.
    fileprivate func needs(pause: Bool) -> Bool {
        pause ? ["running", "restarting", "opening"].contains(state) : ["paused", "failed", "idle"].contains(state)
    }
}

extension RunStatus {
    /// Takes up the state of a stream from those of its partitions: the one that needs most attention.
    fileprivate mutating func take(_ units: [WorkerReport.Unit]) {
        func first(_ state: RunState) -> WorkerReport.Unit? { units.first { $0.state == state.rawValue } }
        let order: [RunState] = [.failed, .restarting, .running, .paused, .idle, .completed]
        let found = order.first { first($0) != nil }
        // A partition that is being opened is on its way.
        state = found ?? (units.isEmpty ? .idle : .running)
        func reason(_ unit: WorkerReport.Unit?) -> String? {
            guard let unit, let reason = unit.reason else { return nil }
            return units.count == 1 ? reason : "partition \(unit.unit.partition): \(reason)"
        }
        error = reason(first(.failed) ?? first(.restarting))
        waiting = reason(units.first { $0.state == RunState.running.rawValue && $0.reason != nil })
    }
}
#endif
