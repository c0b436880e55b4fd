#if NATS
import Foundation
import Sluice
import SluiceFilters
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// A unit of work on the worker that has it: its log, its run, and the deliveries of its sinks.
actor PartitionRun {
    /// The surroundings that all units of a worker share.
    struct Surroundings: Sendable {
        let connection: NATSConnection
        let group: String
        let membership: WorkerMembership
        let readers: SubjectReaders
        /// The streams whose outputs subscribers ask for.
        let requests: OutputRequests
        let environment: RunEnvironment
        let clock: any Clock<Duration>
        let random: RandomSource
        /// Returns the program of a stored run.
        let program: @Sendable (StoredRun, any SinkStore) async throws -> RunProgram
        /// Returns a Boolean value that indicates whether a division is the one that runs, as the bucket has it now.
        let isRunning: @Sendable (PartitionLayout.Generation, String) async throws -> Bool
        /// The time for which a worker that is alive may take to give a unit up, before it is taken.
        let patience: Duration
        /// Takes news of the unit: its state has changed, or it is over.
        let onNews: @Sendable () -> Void
        let report: @Sendable (WorkerNotice) -> Void
    }

    /// The unit.
    nonisolated let unit: WorkUnit
    let surroundings: Surroundings
    /// The division that the unit is of.
    nonisolated let generation: PartitionLayout.Generation
    /// The division that follows; `nil` for one that goes on.
    nonisolated let next: PartitionLayout.Generation?
    private let feed: PartitionFeed
    private var wanted: RunProgram
    var held: HeldRun?
    private var store: PartitionStore?
    private var work: Task<Void, Never>?
    var isEnding = false
    var isClosing = false
    /// The last request of a hub; `nil` without one.
    private var order: PartitionLayout.Order?
    /// The number of the last request that was done; `nil` before the first look at them.
    private var obeyed: Int?
    /// The time at which the run was seen to have read all, and not to have completed; `nil` before.
    private var drainBegun: Int64?
    private var isDrainReported = false
    /// A Boolean value that indicates whether the partitions of the next division have the groups.
    var isDeposited = false
    /// The time of the next attempt to give the groups away.
    var nextHandOver: Int64 = .min
    nonisolated let mark = Mark()

    /// The pause before another attempt to give the groups away.
    static let handOverPause = Duration.seconds(5)
    /// The time that the operators of a run get to put out what they hold, when all of its division is read.
    static let longestDrain = Duration.seconds(60)

    /// The right of the worker to the unit, as all that works on it sees it.
    final class Mark: Sendable {
        /// A Boolean value that indicates whether the unit is another worker's, or could not be opened.
        let isOver = Locked(false)
        /// A Boolean value that indicates whether the unit could not be opened.
        let hasFailed = Locked(false)
        /// A Boolean value that indicates whether it could not be opened because the server did not answer.
        let wasUnanswered = Locked(false)
        /// A Boolean value that indicates whether the worker has had the unit.
        let wasTaken = Locked(false)
        /// The membership under which the log was verified last.
        let verified = Locked<Int?>(nil)
        /// The position of a unit that has halted.
        let position = Locked<String?>(nil)
        /// A Boolean value that indicates whether the run has groups to give away, as far as its document says.
        let hasGroups = Locked(false)
        /// A Boolean value that indicates whether the source is at its end, and waits until the run has given its groups away.
        let isHeldAtEnd = Locked(false)
        /// Rung when the unit was lost.
        let loss = Signal()

        /// Returns a Boolean value that indicates whether the worker has the unit, as far as it knows.
        func isHeld(_ membership: WorkerMembership) -> Bool {
            guard let epoch = membership.epoch, !isOver.withLock({ $0 }) else { return false }
            return verified.withLock { $0 } == epoch
        }

        func end(hasFailed: Bool = false, wasUnanswered: Bool = false) {
            if hasFailed { self.hasFailed.withLock { $0 = true } }
            if wasUnanswered { self.wasUnanswered.withLock { $0 = true } }
            isOver.withLock { $0 = true }
            loss.notify()
        }
    }

    init(
        _ unit: WorkUnit,
        _ generation: PartitionLayout.Generation,
        next: PartitionLayout.Generation?,
        _ program: RunProgram,
        _ surroundings: Surroundings
    ) {
        (self.unit, self.generation, self.surroundings) = (unit, generation, surroundings)
        self.next = next
        wanted = program.withoutCompiled
        feed = PartitionFeed(
            unit,
            in: surroundings.group,
            surroundings.requests,
            onNews: surroundings.onNews,
            report: surroundings.report
        )
        mark.hasGroups.withLock { $0 = moving(program.document) != nil }
    }

    /// The unit as the worker reports it.
    nonisolated var report: WorkerReport.Unit { feed.report }

    /// A Boolean value that indicates whether the unit is another worker's, or could not be opened.
    nonisolated var isOver: Bool { mark.isOver.withLock { $0 } }

    /// A Boolean value that indicates whether the worker has the unit, as far as it knows.
    nonisolated var isHeld: Bool { mark.isHeld(surroundings.membership) }

    /// A Boolean value that indicates whether the unit could not be opened: another attempt is worth a pause.
    nonisolated var hasFailed: Bool { mark.hasFailed.withLock { $0 } }

    /// A Boolean value that indicates whether it could not be opened because the server did not answer.
    nonisolated var wasUnanswered: Bool { mark.wasUnanswered.withLock { $0 } }

    /// A Boolean value that indicates whether the worker has had the unit.
    nonisolated var wasTaken: Bool { mark.wasTaken.withLock { $0 } }

    /// The number of outputs that were not published again, since the subject had them.
    nonisolated var repeats: Int { feed.repeats.withLock { $0 } }

    /// The position that the unit has reached, where it halts; empty where it has read nothing.
    nonisolated var haltedPosition: String? { mark.position.withLock { $0 } ?? (feed.isCompleted ? "" : nil) }

    /// Begins to take the unit over.
    func begin() { if work == nil { work = Task { await self.run() } } }

    /// Has the run take up another program.
    func take(_ program: RunProgram) async {
        wanted = program.withoutCompiled
        mark.hasGroups.withLock { $0 = moving(program.document) != nil }
        guard let held else { return }
        await open(held)
    }

    /// Begins or ends to share the outputs of the unit, as subscribers ask for them.
    nonisolated func updateSharing() { feed.updateSharing() }

    /// Takes a request of a hub, which the unit follows as soon as it runs.
    func obey(_ next: PartitionLayout.Order?) {
        // The run that the unit has stored follows all earlier requests already.
        if obeyed == nil { obeyed = next?.number ?? 0 }
        guard order != next else { return }
        order = next
        mark.loss.notify()
    }

    /// Does what a hub has asked for.
    private func followOrder() async {
        guard let order, let held, let run = await held.run, !isEnding, !isOver else { return }
        let command: LeasedCommand
        switch feed.state {
        case .running where order.isPaused: command = .pause
        case .paused where !order.isPaused: command = .resume
        case .failed, .idle, .restarting:
            // Once: one that fails again waits for the next request.
            guard !order.isPaused, order.number > obeyed ?? 0 else { return }
            command = .resume
        case nil: return
        default: return obeyed = max(obeyed ?? 0, order.number)
        }
        obeyed = max(obeyed ?? 0, order.number)
        if case .refused(_, let reason) = await command.perform(on: run, held.deliveries, of: unit.stream) {
            surroundings.report(.problem("\(unit): \(reason)"))
        }
    }

    /// Ends the run here: what it has done is stored, and the unit given up.
    func end() async {
        if isEnding { return }
        isEnding = true
        work?.cancel()
        await work?.value
        await close(isLost: isOver)
    }

    /// Ends the repetition of writes that have no answer.
    func giveUp() { store?.giveUp() }

    /// Returns a Boolean value that indicates whether the unit has read all that its generation reads, and delivered what came
    /// of it.
    ///
    /// The source ends at the end of the generation, and the run when its operators have put out what they hold. A run that
    /// does not end, such as one that ticks, gets ``longestDrain``.
    func isDone() async -> Bool {
        guard generation.end != nil, let store else { return false }
        do {
            let runState = try await store.runState()
            if runState != .completed {
                if order?.isPaused ?? false {
                    // The operators put out the items that they hold when the run is resumed.
                    reportOnce("the change of partitions waits until the stream, which is paused, is resumed")
                    drainBegun = nil
                    return false
                }
                guard store.hasReadAll else { return false }
                // A worker that has just taken the unit over may not have come to the end of the source yet.
                if mark.hasGroups.withLock({ $0 }), store.handed == nil, runState == .running {
                    drainBegun = nil
                    return false
                }
                let now = surroundings.environment.timer.now
                let begun = drainBegun ?? now
                drainBegun = begun
                if now - begun < Self.longestDrain.wholeNanoseconds { return false }
                let state = feed.report.state
                reportOnce("it is \(state) a minute after its last message: what its operators hold is dropped")
            }
            let sinks = wanted.document.sinks
            let open = try await store.sinksAtWork(of: sinks.map { $0.id ?? $0.name })
            for id in open where sinks.contains(where: { ($0.id ?? $0.name) == id && $0.isDisabled }) {
                reportOnce("the change of partitions waits for the sink \(id), which is disabled")
            }
            guard open.isEmpty else { return false }
            try await depositGroups(of: store)
            return true
        } catch { return false }
    }

    private func reportOnce(_ text: String) {
        if !isDrainReported { surroundings.report(.problem("\(unit): \(text)")) }
        isDrainReported = true
    }

    // MARK: The unit

    private func run() async {
        do {
            let subject = try unit.subject(in: surroundings.group)
            try await waitForRelease(of: subject)
            let (connection, membership) = (surroundings.connection, surroundings.membership)
            let epoch = membership.epoch
            let (log, records) = try await PartitionLog.takeOver(
                subject,
                by: membership.id,
                over: connection,
                clock: surroundings.clock
            )
            // While this worker waited for the partition, another one may have completed the division, and removed its log.
            let isRunning: Bool
            do { isRunning = try await surroundings.isRunning(generation, unit.stream) } catch {
                // Another worker can have it at once.
                await log.release()
                throw error
            }
            guard let document = wanted.documents.first, isRunning else {
                await log.release()
                if records.allSatisfy({ $0.kind == .owner }) {
                    try await connection.perform { try $0.removeMessages(of: subject, in: PartitionLog.stream) }
                }
                mark.end()
                return surroundings.onNews()
            }
            let store: PartitionStore
            do {
                store = try await PartitionStore(document, log, records, upTo: generation.end) { [mark] in mark.end() }
            } catch {
                await log.release()
                throw error
            }
            do {
                if !store.arrived.isEmpty { try await store.begin(beginning(with: store.arrived, in: store)) }
            } catch {
                await store.release()
                throw error
            }
            mark.verified.withLock { $0 = epoch }
            mark.wasTaken.withLock { $0 = true }
            self.store = store
            let held = make(store)
            self.held = held
            await open(held)
            await watch(store)
        } catch is CancellationError {} catch is PartitionLog.LostError { mark.end() } catch {
            surroundings.report(.problem("\(unit): the partition can't be taken over: \(error)"))
            mark.end(hasFailed: true, wasUnanswered: (error as? NATSError)?.isTemporary ?? false)
        }
        if isOver, !isEnding {
            await close(isLost: true)
            surroundings.onNews()
        }
    }

    /// Waits until the worker that has the unit has given it up, or is gone.
    private func waitForRelease(of subject: String) async throws {
        let (connection, membership) = (surroundings.connection, surroundings.membership)
        let begun = surroundings.environment.timer.now
        while surroundings.environment.timer.now - begun < surroundings.patience.wholeNanoseconds {
            do {
                guard let owner = try await PartitionLog.owner(of: subject, over: connection), owner != membership.id,
                    try await membership.read().workers.contains(where: { $0.id == owner })
                else { return }
            } catch let error as NATSError where error.isTemporary {
                // The log refuses the previous owner, whether or not it is still there.
            }
            try await surroundings.clock.sleep(for: .milliseconds(250))
        }
    }

    /// Verifies the log whenever the membership has begun again, and looks at the sinks for the report, until the unit is
    /// lost.
    private func watch(_ store: PartitionStore) async {
        while !Task.isCancelled, !isOver {
            await feed.lookAtSinks()
            await followOrder()
            await handOver(from: store)
            if let epoch = surroundings.membership.epoch, mark.verified.withLock({ $0 }) != epoch {
                do {
                    try await store.verify()
                    mark.verified.withLock { $0 = epoch }
                } catch {}  // lost, or the server is away
            }
            await mark.loss.wait(for: .milliseconds(200), by: surroundings.clock)
        }
    }

    func open(_ held: HeldRun) async {
        do { try await held.take(wanted, isLast: generation.end != nil) } catch is CancellationError {} catch let errors
            as JSONErrors
        {
            surroundings.report(.refused(stream: unit.stream, revision: wanted.revision, errors: errors))
        } catch {
            if isOver || isEnding { return }
            surroundings.report(.problem("\(unit): the run can't be resumed: \(error)"))
            mark.end(hasFailed: true)
        }
    }

    private func close(isLost: Bool) async {
        guard let store, !isClosing else { return }
        isClosing = true
        if isLost { store.giveUp() }
        await held?.close(isLost: isLost)
        if !isLost { await Task { await store.release() }.value }
        (held, self.store) = (nil, nil)
    }

    /// Makes the run over a store.
    func make(_ store: PartitionStore) -> HeldRun {
        let shared = surroundings.environment
        let connection = surroundings.connection
        let partition = generation.by == nil ? nil : unit.partition
        let isHeld: @Sendable () -> Bool = { [membership = surroundings.membership, mark] in mark.isHeld(membership) }
        let fence = PublishSink.Fence(partition: partition, isHeld: isHeld)
        var settings = shared.settings
        settings.isDurable = true
        let onHalt: @Sendable (String) -> Void = { [mark, onNews = surroundings.onNews] position in
            mark.position.withLock { $0 = position }
            onNews()
        }
        let part = SubjectPart(
            stream: unit.stream,
            document: wanted.document,
            division: generation.division,
            parameters: generation.parameters,
            readers: surroundings.readers,
            partition: unit.partition,
            subject: generation.subject,
            start: generation.start,
            end: generation.end,
            onHalt: generation.isHalting ?? false ? onHalt : nil,
            hasReadAll: { store.hasReadAll },
            isHeldAtEnd: { [mark] in
                guard mark.hasGroups.withLock({ $0 }), store.handed == nil else { return false }
                mark.isHeldAtEnd.withLock { $0 = true }
                return true
            },
            onLag: { [feed] in feed.noteLag($0) }
        )
        settings.host.register(
            "subject",
            hasPositions: true,
            SubjectSource(connection, clock: surroundings.clock, part: part).feed
        )
        settings.host.registerSink(
            "publish",
            PublishSink(connection, fence: fence, onRepeat: { [feed] in feed.repeats.withLock { $0 += 1 } }).deliver
        )
        let sharingFence = PublishSink.Fence(partition: nil, isHeld: isHeld)
        settings.host.registerSink(OutputSharing.name, PublishSink(connection, fence: sharingFence).share)
        // A worker that was stopped past its membership delivers nothing until it knows that the unit is still its own.
        let host = settings.host.gatingDeliveries { () throws(SinkHoldError) in try fence.check() }
        let log: @Sendable (String) -> Void = { [report = surroundings.report, unit] text in
            if isHeld() { report(.problem("\(unit): \(text)")) }
        }
        let deliveries = Deliveries(
            store: store,
            host: host,
            timer: shared.timer,
            clock: surroundings.clock,
            random: surroundings.random,
            log: log
        )
        feed.deliveries.withLock { $0 = deliveries }
        let environment = RunEnvironment(
            scheduler: shared.scheduler,
            timer: shared.timer,
            store: store,
            publisher: feed,
            settings: settings,
            log: log
        )
        return HeldRun(unit.stream, store: store, deliveries: deliveries, environment: environment) {
            [program = surroundings.program] stored in try await program(stored, store)
        }
    }
}
#endif
