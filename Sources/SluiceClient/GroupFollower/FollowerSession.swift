#if HTTP
import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The membership of a follower in its group, from its beginning to its end: the documents that the hub has published,
/// and their runs.
actor FollowerSession<C: Clock> where C.Duration == Duration {
    let follower: GroupFollower<C>
    let member: String
    let feed: FollowerFeed
    let environment: RunEnvironment
    let compiler = DocumentCompiler()

    /// The documents, and the references among them.
    var set = DocumentSet()
    /// The documents as the hub has published them.
    var known: [String: GroupEvent.Document] = [:]
    var runs: [String: RunSupervisor] = [:]
    /// The streams with sinks, which run here while this member holds their leases.
    var leased: [String: LeasedRun<C>] = [:]
    /// The versions of the documents that each run was compiled from last.
    var programs: [String: [String: DocumentVersion]] = [:]
    /// The stored runs that were not opened yet.
    var stored: [String: StoredRun] = [:]
    /// The streams of the store.
    var kept: Set<String> = []
    /// The revisions that were refused, and why.
    var refusals: [String: (revision: Int, error: String)] = [:]
    /// A Boolean value that indicates whether the hub has published its documents.
    var hasSet = false
    private var hasRestored = false
    private var isAway = false
    /// The change of documents that was begun last.
    private var change: Task<Void, Never>?

    init(_ follower: GroupFollower<C>, member: String, _ feed: FollowerFeed) {
        (self.follower, self.member, self.feed) = (follower, member, feed)
        let store = follower.settings.store
        var settings = RunSettings()
        settings.restart = follower.settings.restart
        settings.isDurable = store != nil
        settings.host = follower.settings.host
        // The stacks of this group.
        settings.host.stacks = NamedStacks()
        settings.host.registerSubscriptions(of: follower.hub, clock: follower.clock)
        settings.limits = follower.settings.limits
        settings.stateSize = follower.settings.stateSize
        settings.backlogSize = follower.settings.backlogSize
        settings.memory = RunMemory(limit: follower.settings.runsMemory)
        environment = RunEnvironment(
            scheduler: RunScheduler(),
            timer: CallRunTimer(.of(follower.clock)),
            store: store ?? MemoryStreamStore(),
            publisher: feed,
            settings: settings,
            log: { feed.push(.problem($0)) }
        )
    }

    /// The store; `nil` where nothing is stored.
    var store: (any StreamStore)? { follower.settings.store }

    /// Follows the group until the task is canceled, or the hub answers that there is nothing to follow.
    nonisolated func run() async throws {
        try await load()
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask { await self.report() }
            tasks.addTask { await self.trim() }
            tasks.addTask {
                try? await self.follower.clock.sleep(for: self.follower.settings.patience)
                await self.restore()
            }
            defer { tasks.cancelAll() }
            try await listen()
        }
    }

    /// Ends all runs, and notifies the hub that this member is gone: within 2 seconds, or not at all.
    func end() async {
        await change?.value
        await withTaskGroup { group in
            for run in runs.values { group.addTask { await run.shutDown() } }
            for run in leased.values { group.addTask { await run.end() } }
        }
        if isAway { return }
        let (hub, group, member) = (follower.hub, follower.group, member)
        let farewell = Task { try? await hub.leave(group, as: member) }
        let timer = Task { [clock = follower.clock] in
            try? await clock.sleep(for: .seconds(2))
            farewell.cancel()
        }
        _ = await farewell.value
        timer.cancel()
    }

    // MARK: The store

    private func load() async throws {
        guard let store else { return }
        for stream in try await store.list() { kept.insert(stream.id) }
        for run in try await store.runs() { stored[run.stream] = run }
    }

    /// Resumes the stored runs, unless the hub has published its documents.
    private func restore() async {
        guard !hasSet, !hasRestored, !stored.isEmpty, !Task.isCancelled else { return }
        hasRestored = true
        await perform { await $0.resumeStored() }
    }

    /// Removes old outputs and texts from the store, every 10 minutes.
    private func trim() async {
        guard let store else { return }
        while !Task.isCancelled {
            do { try await store.trim(Retention(revisions: 1)) } catch { feed.push(.problem("\(error)")) }
            try? await follower.clock.sleep(for: .seconds(600))
        }
    }

    // MARK: The hub

    /// Takes what the hub publishes to the group.
    private func listen() async throws {
        let request = try follower.hub.request(.get, ["groups", follower.group, "events"])
        let node = WatchedNode(next: follower.hub.events) { [weak self] trouble in await self?.hear(trouble) }
        let source = EventSource(
            request,
            over: node,
            upTo: HubClient.maximumAnswerBytes,
            reconnecting: HTTPClassifier.passingStatuses,
            retry: .milliseconds(250),
            backoff: follower.settings.backoff,
            clock: follower.clock,
            random: follower.random
        )
        for try await event in source {
            do {
                guard let event = try GroupEvent(event) else { continue }
                // A lease waits for no reader, and for no document.
                if case .leases(let waiting, let holding) = event {
                    hear(waiting: waiting, holding: holding)
                    continue
                }
                await feed.room()
                await perform { await $0.apply(event) }
            } catch {
                feed.push(.problem("the hub's event \(event.name) cannot be read: \(error)"))
            }
        }
    }

    /// Notes whether a connection could be made.
    ///
    /// - Parameter trouble: the reason why not.
    private func hear(_ trouble: String?) async {
        if let trouble {
            if !isAway { feed.push(.hubIsAway(reason: trouble)) }
            isAway = true
            await restore()
        } else {
            if isAway { feed.push(.hubIsBack) }
            isAway = false
            feed.changes.notify()
            // Without a connection it has heard nothing.
            hear(waiting: leased.keys, holding: leased.keys)
        }
    }

    /// Makes a change after those that were begun before, also if the task is canceled meanwhile.
    private func perform(_ body: @escaping @Sendable (isolated FollowerSession<C>) async -> Void) async {
        let previous = change
        let task = Task {
            await previous?.value
            await body(self)
        }
        change = task
        await task.value
    }

    /// Reports to the hub what runs here: after a connection was made, at each change, and every 10 seconds.
    private func report() async {
        await feed.changes.wait()
        var isRefused = false
        while !Task.isCancelled {
            let report = HubClient.MemberReport(name: follower.settings.name, streams: streams)
            do {
                try await follower.hub.report(report, by: member, in: follower.group)
                isRefused = false
            } catch let error as HTTPError where error.code == .badStatus && !isRefused {
                isRefused = true
                let detail = error.problem?.detail.map { ": \($0)" } ?? ""
                feed.push(.problem("the hub refuses reports: \(error.message)\(detail)"))
            } catch {}  // the connection for events shows whether the hub is there
            // Changes that come together are reported together.
            try? await follower.clock.sleep(for: .milliseconds(50))
            await feed.changes.wait(for: .seconds(10), follower.clock)
        }
    }

    /// The streams as they are reported.
    private var streams: [HubClient.MemberReport.Stream] {
        let now = environment.timer.now
        let own = known.values.filter(\.isRun).sorted { $0.id < $1.id }
        return own.compactMap { document in
            let refusal = refusals[document.id]
            let error = refusal.map { "revision \($0.revision): \($0.error)" }
            if let reason = feed.waitingReason(of: document.id) {
                return .init(id: document.id, revision: document.revision, state: .waiting, error: error ?? reason)
            }
            guard let status = feed.status(of: document.id) else {
                return refusal.map { .init(id: document.id, revision: $0.revision, state: .blocked, error: error) }
            }
            return HubClient.MemberReport.Stream(
                id: document.id,
                revision: status.revision,
                state: HubClient.State(rawValue: status.state.rawValue),
                time: status.pace.time(at: now).seconds - (status.lag?.seconds ?? 0),
                error: status.error ?? error ?? status.warning
            )
        }
    }
}

/// A node that reports of each connection whether it could be made.
private struct WatchedNode: Node {
    let next: AnyNode<TransportRequest, TransportResponse>
    /// Takes the reason why not; `nil` if it could.
    let hear: @Sendable (String?) async -> Void

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await next.process(request)
            await hear(nil)
            return response
        } catch let error as HTTPError {
            // An error that no later attempt would change ends the follower.
            if error.isPassing { await hear(error.message) }
            throw error
        }
    }
}
#endif
