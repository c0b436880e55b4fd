#if NATS
import Foundation
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// A worker from its beginning to its end.
actor WorkerSession {
    let definitions: NATSDefinitionStore
    let settings: ClusterWorker.Settings
    let clock: any Clock<Duration>
    let report: @Sendable (WorkerNotice) -> Void
    let environment: RunEnvironment
    let compiler = DocumentCompiler()
    private let membership: WorkerMembership
    let layouts: NATSBucket
    private let begun = Date()
    private let readers = SubjectReaders()
    private let requests: OutputRequests
    private let outputs: NATSSharedOutputs

    /// The documents, and the references among them.
    var set = DocumentSet()
    /// The ids of the group's streams; `nil` for all.
    var members: Set<String>?
    /// The programs of the group's streams, as far as they can run.
    var programs: [String: RunProgram] = [:]
    /// A Boolean value that indicates whether all documents that were there have come.
    var isComplete = false
    /// The divisions of the group's streams.
    var divisions: [String: PartitionLayout] = [:]
    /// The revisions at which the streams were created, or created again.
    var origins: [String: Int] = [:]
    var runs: [WorkUnit: PartitionRun] = [:]
    /// The units that are being given up.
    private var ending: [WorkUnit: (run: PartitionRun, task: Task<Void, Never>)] = [:]
    /// The units that could not be opened: how often in a row, and the time before which they are left alone.
    private var failures: [WorkUnit: (count: Int, until: Int64)] = [:]
    /// The units that could not be opened, and that others are to take: the time until which that is asked.
    private var refusals: [WorkUnit: Int64] = [:]
    /// The reasons for which streams can't be divided, each of which was reported once.
    var undivided: [String: String] = [:]
    private var reported: (units: [WorkUnit], all: Int, workers: Int)?
    var isAway = false
    /// The workers of the group, as they were read last.
    private var workers: [WorkerReport] = []
    /// A Boolean value that indicates whether the worker gives its units to the others, and takes no more.
    private var isDraining = false
    private var counts = WorkerReport.Counts()
    /// Rung when units or documents have changed.
    let news = Signal()
    /// Rung when the server is back.
    let checking = Signal()
    /// The lock of changes of the documents: each is taken up before the next.
    let changing = AsyncLock()

    static let layoutBucket = "sluice-work"
    /// The time for which others are asked to take a unit that could not be opened.
    private static let refusalTime = Duration.seconds(600)
    /// The pauses before a unit that can't be opened is tried again.
    private static let backoff = Backoff.exponential(from: .seconds(1), to: .seconds(60), jitter: .none)

    static func open(
        _ definitions: NATSDefinitionStore,
        _ settings: ClusterWorker.Settings,
        clock: any Clock<Duration>,
        report: @escaping @Sendable (WorkerNotice) -> Void
    ) async throws -> WorkerSession {
        let (workers, layouts, lease) = try await definitions.connection.perform { connection in
            try createLogs(replicas: settings.replicas, over: connection)
            var workers = NATSBucketSettings(name: WorkerMembership.bucket)
            (workers.expiry, workers.replicas) = (settings.lease, settings.replicas)
            let bucket = try connection.bucket(workers)
            let lease = try connection.streamState("KV_\(WorkerMembership.bucket)").expiry
            return (bucket, try openLayouts(replicas: settings.replicas, over: connection), lease)
        }
        var settings = settings
        if let lease, lease != settings.lease {
            report(.problem("the lease is \(lease), as the first worker has set it, and not \(settings.lease)"))
            settings.lease = lease
        }
        return WorkerSession(definitions, settings, clock, report, workers, layouts)
    }

    /// Creates the stream of the logs, where it does not exist.
    static func createLogs(replicas: Int, over connection: NATSConnection) throws {
        var logs = NATSStreamSettings(name: PartitionLog.stream, subjects: ["sluice.runs.>"])
        (logs.replicas, logs.allowsReplacing) = (replicas, true)
        if try connection.stream(of: "sluice.runs.>") == nil { try connection.createStream(logs) }
    }

    /// Opens the bucket of the divisions, which is created where it does not exist.
    static func openLayouts(replicas: Int, over connection: NATSConnection) throws -> NATSBucket {
        var layouts = NATSBucketSettings(name: layoutBucket)
        layouts.replicas = replicas
        return try connection.bucket(layouts)
    }

    private init(
        _ definitions: NATSDefinitionStore,
        _ settings: ClusterWorker.Settings,
        _ clock: any Clock<Duration>,
        _ report: @escaping @Sendable (WorkerNotice) -> Void,
        _ workers: NATSBucket,
        _ layouts: NATSBucket
    ) {
        (self.definitions, self.settings, self.clock, self.report) = (definitions, settings, clock, report)
        self.layouts = layouts
        var rules = RunSettings()
        (rules.restart, rules.host, rules.limits) = (settings.restart, settings.host, settings.limits)
        (rules.stateSize, rules.backlogSize) = (settings.stateSize, settings.backlogSize)
        rules.host.stacks = NamedStacks()
        // Each unit has its own; these are for the check of documents.
        rules.host.registerSubject(over: definitions.connection, clock: clock)
        rules.host.registerPublish(over: definitions.connection)
        rules.memory = RunMemory(limit: settings.runsMemory)
        let timer = CallRunTimer(.of(clock))
        let outputs = NATSSharedOutputs(definitions.connection, replicas: settings.replicas)
        (self.outputs, requests) = (outputs, OutputRequests(timer: timer))
        if !rules.host.names.contains("subscribe") {
            let source = WorkerSubscriptions(outputs, clock: clock, timer: timer)
            rules.host.register("subscribe", hasPositions: true, source.feed)
        }
        environment = RunEnvironment(
            scheduler: RunScheduler(),
            timer: timer,
            store: MemoryStreamStore(),
            publisher: NoPublisher(),
            settings: rules,
            log: { report(.problem($0)) }
        )
        membership = WorkerMembership(
            ULID.make(at: Date()),
            in: settings.group,
            workers,
            lasting: settings.lease,
            timer: environment.timer
        )
    }

    /// Works until the task is canceled, or nothing more can come.
    ///
    /// - Returns: The error that has ended the work.
    nonisolated func run() async -> (any Error)? {
        do {
            try await membership.renew(await ownReport)
            try await withThrowingDiscardingTaskGroup { tasks in
                tasks.addTask { try await self.follow() }
                tasks.addTask { await self.check() }
                tasks.addTask { await self.renew() }
                tasks.addTask { await self.share() }
                tasks.addTask { await self.followRequests() }
            }
            return nil
        } catch is CancellationError { return nil } catch { return error }
    }

    /// Stores all runs, gives their units up, and leaves the group: within 10 seconds.
    func end() async {
        let open = Array(runs.values) + ending.values.map(\.run)
        let limit = Task { [clock] in
            try? await clock.sleep(for: .seconds(10))
            for run in open { await run.giveUp() }
        }
        await withTaskGroup { group in
            for run in runs.values { group.addTask { await run.end() } }
            for (_, task) in ending.values { group.addTask { await task.value } }
        }
        limit.cancel()
        await Task { [membership] in try? await membership.leave() }.value
    }

    // MARK: The group

    private var ownReport: WorkerReport {
        var report = WorkerReport(
            id: membership.id,
            group: settings.group,
            name: settings.name,
            since: begun,
            units: runs.values.map(\.report).sorted { $0.unit < $1.unit },
            isDraining: isDraining,
            counts: runs.values.reduce(into: counts) { $0.add($1) }
        )
        if !refusals.isEmpty { report.refused = refusals.keys.sorted() }
        return report
    }

    /// Renews the membership, five times in the time of a lease.
    private func renew() async {
        while !Task.isCancelled {
            do {
                try await membership.renew(ownReport)
                if isAway {
                    report(.back)
                    checking.notify()
                }
                isAway = false
            } catch {
                if !isAway, !Task.isCancelled { report(.away(reason: "\(error)")) }
                isAway = true
            }
            try? await clock.sleep(for: settings.lease / 5)
        }
    }

    func wake() { news.notify() }

    /// Divides the units among the workers, and takes or gives up those that have changed hands, until the task is canceled.
    private func share() async {
        while !Task.isCancelled {
            if isComplete {
                await attempt("the units can't be divided") { try await self.updateLayouts() }
                await attempt("the workers can't be read") { try await self.readWorkers() }
                // If the server is too busy to answer, the last lists will do: a log accepts one worker only.
                if membership.epoch != nil, !workers.isEmpty { await assign(among: workers) }
            }
            for request in requests.removeExpired() { updateSharing(of: request.stream) }
            await news.wait(for: settings.lease / 12, by: clock)
        }
    }

    /// Performs a part of the division, and reports its error.
    private func attempt(_ problem: String, _ body: @Sendable () async throws -> Void) async {
        do { try await body() } catch is CancellationError {} catch {
            if !isAway { report(.problem("\(problem): \(error)")) }
        }
    }

    /// Reads the workers of the group, and the request to drain this one.
    private func readWorkers() async throws {
        let (workers, isDrainWanted) = try await membership.read()
        self.workers = workers
        if let isDrainWanted { try await drain(isDrainWanted) }
    }

    /// Drains the worker, or ends that, as it was asked.
    private func drain(_ request: Bool) async throws {
        guard request != isDraining else { return }
        isDraining = request
        report(.draining(request))
        // The others see it at once.
        try await membership.renew(ownReport)
    }

    /// Shares the outputs that subscribers ask for, until the task is canceled.
    private func followRequests() async {
        while !Task.isCancelled {
            do {
                for try await request in try await outputs.requests() where requests.note(request) {
                    updateSharing(of: request.stream)
                }
            } catch {}  // NATS is away: the requests come again
            try? await clock.sleep(for: .seconds(1))
        }
    }

    private func updateSharing(of stream: String) {
        for (unit, run) in runs where unit.stream == stream { run.updateSharing() }
    }

    private func assign(among workers: [WorkerReport]) async {
        let units = divisions.flatMap { programs[$0] == nil ? [] : $1.running.units(of: $0) }
        let names = Dictionary(units.map { ($0.description, $0) }) { $1 }
        let takers = workers.filter { $0.id == membership.id ? !isDraining : !$0.isDraining }.map(\.id)
        let own = WorkAssignment.units(of: membership.id, among: takers, names.keys, refusals: refusals(in: workers))
        let wanted = Set(own.compactMap { names[$0] })
        for (unit, run) in runs {
            let isWanted = wanted.contains(unit) && run.generation == divisions[unit.stream]?.running
            if isWanted, !run.isOver { continue }
            runs[unit] = nil
            counts.add(run)
            // Only another worker can have it: the division is still the one that runs.
            if run.isOver, !run.hasFailed, isWanted { counts.losses += 1 }
            noteFailure(of: unit, run)
            let task = Task {
                await run.end()
                ended(unit)
            }
            ending[unit] = (run, task)
        }
        let now = environment.timer.now
        failures = failures.filter { wanted.contains($0.key) }
        refusals = refusals.filter { $0.value > now }
        for unit in wanted.sorted() where runs[unit] == nil && ending[unit] == nil {
            if let failure = failures[unit], now < failure.until { continue }
            guard let program = programs[unit.stream], let division = divisions[unit.stream]?.running else { continue }
            let layout = divisions[unit.stream]
            let next = layout?.ending == nil ? nil : layout?.current
            let run = PartitionRun(unit, division, next: next, program, surroundings)
            runs[unit] = run
            await run.begin()
        }
        for (unit, run) in runs { await run.obey(divisions[unit.stream]?.order) }
        let mine = runs.keys.sorted()
        let next = (units: mine, all: units.count, workers: workers.count)
        if reported.map({ $0.units != next.units || $0.all != next.all || $0.workers != next.workers }) ?? true {
            reported = next
            report(.assigned(mine, of: units.count, workers: workers.count))
        }
    }

    /// Has a unit that can't be opened wait for its next attempt.
    private func noteFailure(of unit: WorkUnit, _ run: PartitionRun) {
        guard run.hasFailed else { return failures[unit] = nil }
        // A server that does not answer now may do so a moment later.
        let count = run.wasUnanswered ? 1 : (failures[unit]?.count ?? 0) + 1
        let pause = Self.backoff.delay(after: count, random: .system)
        failures[unit] = (count, environment.timer.now + pause.wholeNanoseconds)
        guard !run.wasUnanswered else { return }
        refusals[unit] = environment.timer.now + Self.refusalTime.wholeNanoseconds
        // The others see it at once.
        Task { [membership] in try? await membership.renew(ownReport) }
    }

    /// Returns the workers that could not open a unit, by the unit. A worker that takes the rule up later sees the same list.
    private func refusals(in workers: [WorkerReport]) -> [String: Set<String>] {
        var refusing: [String: Set<String>] = [:]
        for worker in workers {
            for unit in worker.refused ?? [] { refusing[unit.description, default: []].insert(worker.id) }
        }
        return refusing
    }

    private func ended(_ unit: WorkUnit) {
        ending[unit] = nil
        news.notify()
    }

    private var surroundings: PartitionRun.Surroundings {
        PartitionRun.Surroundings(
            connection: definitions.connection,
            group: settings.group,
            membership: membership,
            readers: readers,
            requests: requests,
            environment: environment,
            clock: clock,
            random: .system,
            program: { [weak self] run, store in
                guard let self else { throw CancellationError() }
                return try await program(of: run, in: store)
            },
            isRunning: { [weak self] generation, stream in
                guard let self else { throw CancellationError() }
                return try await isRunning(generation, of: stream)
            },
            patience: settings.lease,
            onNews: { [news] in news.notify() },
            report: report
        )
    }

    /// Returns the program of a run that another worker may have stored.
    private func program(of run: StoredRun, in store: any SinkStore) async throws -> RunProgram {
        try await compiler.program(resuming: run, set.job(checking: [run.stream]), in: store)
    }

    /// Has the units of a stream take up another program, or ends them.
    func use(_ program: RunProgram?, of stream: String) async {
        programs[stream] = program
        guard let program else { return news.notify() }
        let units = runs.values.filter { $0.unit.stream == stream }
        await withDiscardingTaskGroup { group in
            for run in units { group.addTask { await run.take(program) } }
        }
        news.notify()
    }
}

extension WorkerReport.Counts {
    /// Adds what a unit has counted.
    fileprivate mutating func add(_ run: PartitionRun) {
        takeovers += run.wasTaken ? 1 : 0
        repeats += run.repeats
    }
}

/// The publisher of the surroundings that units share, which run nothing themselves.
private struct NoPublisher: UnwatchedPublisher {
    func publish(_ status: RunStatus, isNewRun: Bool) {}
}
#endif
