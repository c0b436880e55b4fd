#if HTTP
import Foundation
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// A stream with sinks as a member of a group has it: while the member holds the stream's lease, it runs the stream on the
/// hub's store. While another one does, it shows the outputs.
actor LeasedRun<C: Clock> where C.Duration == Duration {
    /// A run under one lease, and its store.
    private struct Opened {
        let store: LeasedStore<C>
        let held: HeldRun
    }

    private let stream: String
    private let follower: GroupFollower<C>
    private let member: String
    private let feed: FollowerFeed
    /// The surroundings that all runs of the member share.
    private let shared: RunEnvironment
    /// Returns the program of a stored run.
    private let program: @Sendable (StoredRun, LeasedStore<C>) async throws -> RunProgram
    /// The program that is to run.
    private var wanted: RunProgram
    private var opened: Opened?
    private var work: Task<Void, Never>?
    /// The place of the last output that was shown; `nil` before the hub has answered where that is.
    private let shown = ShownPlace()
    /// The news of the hub about the lease.
    nonisolated let news = LeaseNews()

    /// The time after which a lease that the hub has not given is asked for again.
    private static var patience: Duration { .seconds(1) }
    /// The time after which a lease is asked for again that another member holds, if the hub says nothing meanwhile.
    private static var longPatience: Duration { .seconds(10) }

    init(
        _ stream: String,
        _ program: RunProgram,
        _ follower: GroupFollower<C>,
        member: String,
        _ feed: FollowerFeed,
        _ shared: RunEnvironment,
        resuming: @escaping @Sendable (StoredRun, LeasedStore<C>) async throws -> RunProgram
    ) {
        (self.stream, self.follower, self.member, self.feed) = (stream, follower, member, feed)
        (self.shared, self.program, wanted) = (shared, resuming, program.withoutCompiled)
    }

    /// Begins to ask for the lease.
    func begin() {
        if work == nil { work = Task { await self.follow() } }
    }

    /// Has the stream run by another program.
    ///
    /// - Throws: `JSONErrors` for a document that can't run.
    func take(_ next: RunProgram) async throws {
        wanted = next.withoutCompiled
        guard let opened else { return }
        if await opened.held.run == nil { await open(opened) } else { try await opened.held.take(next) }
    }

    /// Ends the run here, and lets another member have it.
    func end() async {
        work?.cancel()
        await work?.value
        feed.setWaiting(stream, nil)
        feed.forget(stream)
    }

    private var now: Int64 { shared.timer.now }

    // MARK: The lease

    private func follow() async {
        let (hub, group) = (follower.hub, follower.group)
        while !Task.isCancelled {
            let asked = now
            var isWaiting = false
            do {
                let answer = try await hub.acquireLease(of: stream, in: group, by: member)
                if let number = answer.number {
                    feed.setWaiting(stream, nil)
                    let duration = Int64(max(0, min(answer.seconds, 3600)) * 1e9)
                    await hold(HeldLease(number, for: duration, askedAt: asked))
                    // A run that can't be resumed is not to be tried without a pause.
                    try? await follower.clock.sleep(for: Self.patience)
                    continue
                }
                isWaiting = true
                shown.begin(at: answer.cursor.flatMap { OutputPlace($0) } ?? .start)
                feed.setWaiting(stream, answer.reason ?? "it runs elsewhere")
                if let cursor = answer.cursor, cursor != shown.last?.description { await showOutputs() }
            } catch let error as HTTPError {
                if Task.isCancelled { break }
                feed.setWaiting(stream, error.reasonForNoLease)
            } catch {
                if Task.isCancelled { break }
                feed.setWaiting(stream, "the hub gives no lease: \(error)")
            }
            await news.waiting.wait(for: isWaiting ? Self.longPatience : Self.patience, follower.clock)
        }
    }

    /// Runs the stream until the lease ends.
    private func hold(_ granted: HeldLease) async {
        let timer = shared.timer
        let lease = LiveLease(granted, timer)
        let opened = make(granted.number, { lease.holds }, { lease.lose() })
        self.opened = opened
        let look: @Sendable () async -> LeasedReport = { [feed, stream] in
            let sinks = await opened.held.deliveries.statusWithoutLetters(of: stream)
            let counts = await opened.held.run?.figures.counts
            return LeasedReport(of: stream, feed.status(of: stream), counts, sinks: sinks)
        }
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                guard await self.open(opened) else { return true }
                await self.obey(lease, opened)
                return false
            }
            group.addTask {
                await self.renew(lease, look)
                return true
            }
            group.addTask {
                await lease.loss.wait()
                return true
            }
            group.addTask { [clock = follower.clock] in
                while !Task.isCancelled {
                    let (end, now) = (lease.state.withLock { $0.end }, timer.now)
                    if now >= end { break }
                    try? await clock.sleep(for: .nanoseconds(end - now))
                }
                return true
            }
            for await isOver in group where isOver { break }
            group.cancelAll()
        }
        await close(isLost: !lease.holds)
        guard lease.holds else {
            if !Task.isCancelled { feed.setWaiting(stream, "the lease has ended: it could not be renewed") }
            return
        }
        lease.lose()
        // The task is canceled, and the request isn't to be.
        await Task { [hub = follower.hub, group = follower.group, stream] in
            try? await hub.releaseLease(granted.number, of: stream, in: group)
        }.value
    }

    /// Renews the lease until it has ended, and reports the state of the stream.
    ///
    /// A renewal does not wait for a run that is busy: it sends what it has found before.
    private nonisolated func renew(_ lease: LiveLease, _ look: @escaping @Sendable () async -> LeasedReport) async {
        let (hub, group, timer) = (follower.hub, follower.group, shared.timer)
        while !Task.isCancelled {
            let (next, number) = lease.state.withLock { ($0.nextRenewal, $0.number) }
            if next > timer.now { await news.holding.wait(for: .nanoseconds(next - timer.now), follower.clock) }
            guard !Task.isCancelled, lease.holds else { return }
            let asked = timer.now
            Task { lease.note(await look()) }
            await lease.looked.wait(for: .milliseconds(100), follower.clock)
            do {
                let orders = try await hub.renewLease(number, of: stream, in: group, lease.lastReport)
                lease.state.withLock { $0.renewed(askedAt: asked, at: timer.now) }
                if !orders.isEmpty { lease.take(orders) }
            } catch let error as HTTPError where error.endsLease {
                return lease.lose()
            } catch {
                lease.state.withLock { $0.failed(at: timer.now) }
            }
        }
    }

    /// Performs the commands that the hub forwards, one after the other, until the lease ends.
    private nonisolated func obey(_ lease: LiveLease, _ parts: Opened) async {
        while !Task.isCancelled {
            guard let order = lease.nextOrder() else {
                await lease.news.wait()
                continue
            }
            let outcome: LeasedOutcome
            if let run = await parts.held.run {
                outcome = await order.command.perform(on: run, parts.held.deliveries, of: stream)
            } else {
                outcome = .refused(.conflict, reason: "the document can't run on the member: see its report")
            }
            // If the lease has ended, the hub has already answered the command.
            try? await parts.store.answer(order.number, outcome)
        }
    }

    // MARK: The run

    private func make(
        _ number: Int,
        _ holds: @escaping @Sendable () -> Bool,
        _ onLoss: @escaping @Sendable () -> Void
    ) -> Opened {
        let store = LeasedStore(
            follower.hub,
            group: follower.group,
            stream: stream,
            number: number,
            clock: follower.clock,
            holds: holds,
            onLoss: onLoss
        )
        // A process that was stopped past its lease delivers nothing more.
        let host = shared.settings.host.gatingDeliveries { () throws(SinkHoldError) in
            if !holds() { throw SinkHoldError("the lease of the stream is over") }
        }
        let deliveries = Deliveries(
            store: store,
            host: host,
            timer: shared.timer,
            clock: follower.clock,
            random: follower.random,
            log: { [holds, log = shared.log] text in if holds() { log(text) } }
        )
        var settings = shared.settings
        settings.isDurable = true
        let publisher = LeasedPublisher(feed: feed, deliveries: deliveries) { [shown] place in
            shown.advance(to: place)
        }
        let environment = RunEnvironment(
            scheduler: shared.scheduler,
            timer: shared.timer,
            store: store,
            publisher: publisher,
            settings: settings,
            log: { [holds, log = shared.log] text in if holds() { log(text) } }
        )
        let held = HeldRun(stream, store: store, deliveries: deliveries, environment: environment) {
            [program] stored in try await program(stored, store)
        }
        return Opened(store: store, held: held)
    }

    /// Resumes the run where the last holder of the lease has left it, or begins one.
    ///
    /// - Returns: A Boolean value that indicates whether the lease is of use; if not, it is released.
    @discardableResult
    private func open(_ parts: Opened) async -> Bool {
        do {
            try await parts.held.take(wanted)
        } catch is CancellationError {} catch let errors as JSONErrors {
            feed.push(.refused(stream: stream, revision: wanted.revision, errors: errors))
        } catch {
            if opened?.store === parts.store { feed.push(.problem("\(stream): the run can't be resumed: \(error)")) }
            return false
        }
        return true
    }

    private func close(isLost: Bool) async {
        guard let parts = opened else { return }
        opened = nil
        await parts.held.close(isLost: isLost)
    }

    // MARK: The others

    /// Shows what the holder of the lease has put out since.
    private func showOutputs() async {
        let hub = follower.hub
        while !Task.isCancelled, let last = shown.last {
            let cursor = last == .start ? HubClient.Cursor.start : HubClient.Cursor(last.description)
            guard let outputs = try? await hub.output(of: stream, after: cursor, limit: 100), !outputs.isEmpty else {
                return
            }
            for output in outputs {
                await feed.room()
                let kind: StreamEvent<JSON>.Kind =
                    if let error = output.error {
                        .failed(StreamError(message: error))
                    } else if let error = output.reported {
                        .reported(StreamError(message: error))
                    } else {
                        output.isCompleted ? .completed : .value(output.value)
                    }
                let place = FollowerNotice.Place(
                    revision: wanted.revision,
                    run: output.run,
                    sequence: output.sequence
                )
                let time = StreamTime(seconds: output.time) ?? .zero
                feed.push(.event(stream: stream, at: place, StreamEvent(time: time, kind: kind)))
                shown.advance(to: OutputPlace(run: output.run, sequence: output.sequence))
            }
        }
    }
}

/// The lease that a member holds, as all that works under it sees it.
private final class LiveLease: Sendable {
    let state: Locked<HeldLease>
    /// Rung when the lease is lost.
    let loss = Signal()
    /// Rung when there are commands.
    let news = Signal()
    /// Rung when the state of the stream was noted.
    let looked = Signal()
    private let orders = Locked<(open: Deque<LeasedOrder>, last: Int)>((Deque(), 0))
    private let report = Locked<LeasedReport?>(nil)
    private let timer: any RunTimer

    init(_ lease: HeldLease, _ timer: any RunTimer) {
        state = Locked(lease)
        self.timer = timer
    }

    /// A Boolean value that indicates whether the member may act.
    var holds: Bool { state.withLock { $0.holds(at: timer.now) } }

    func lose() {
        state.withLock { $0.lose() }
        loss.notify()
    }

    /// Takes commands of the hub. Those that were taken before come again until they are answered.
    func take(_ next: [LeasedOrder]) {
        orders.withLock { orders in
            for order in next where order.number > orders.last {
                orders.open.append(order)
                orders.last = order.number
            }
        }
        news.notify()
    }

    /// Notes the state of the stream, for the next renewal.
    func note(_ next: LeasedReport) {
        report.withLock { $0 = next }
        looked.notify()
    }

    /// The state of the stream that was noted last; `nil` before there is one.
    var lastReport: LeasedReport? { report.withLock { $0 } }

    func nextOrder() -> LeasedOrder? { orders.withLock { $0.open.popFirst() } }
}

/// The news of the hub about the lease of a stream, beside its answers.
final class LeaseNews: Sendable {
    /// Rung when a member that waits is to ask for the lease again.
    let waiting = Signal()
    /// Rung when the holder is to renew the lease now.
    let holding = Signal()
}

/// The place of the last output of a stream that was shown.
private final class ShownPlace: Sendable {
    private let place = Locked<OutputPlace?>(nil)

    /// The place; `nil` before it is known where the stream is.
    var last: OutputPlace? { place.withLock { $0 } }

    /// Sets the place after which outputs are shown, unless it is known.
    func begin(at first: OutputPlace) { place.withLock { $0 = $0 ?? first } }

    func advance(to next: OutputPlace) { place.withLock { $0 = max($0 ?? .start, next) } }
}
#endif
