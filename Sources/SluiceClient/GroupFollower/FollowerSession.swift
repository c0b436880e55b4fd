import Foundation
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceStreams

/// A follower's membership in its group: the documents that the hub published, and the streams that run from them.
actor FollowerSession<C: Clock> where C.Duration == Duration {
    private let follower: GroupFollower<C>
    private let queue: NoticeQueue
    private let file: GroupStateFile?
    /// Notified when the status for reports has changed.
    private let reports = Signal()
    /// Notified when the contents of the state file have changed.
    private let saves = Signal()
    private let beginning: AsyncStream<FollowedStream<C>>
    private let begin: AsyncStream<FollowedStream<C>>.Continuation

    private var documents: DocumentSet
    private var streams: [String: FollowedStream<C>] = [:]
    /// The streams that are still ending.
    private var ending: [String: FollowedStream<C>] = [:]
    /// The latest definition of each stream, whether it was applied or refused.
    private var definitions: [String: Definition] = [:]
    /// The documents of all valid definitions.
    private var good: [String: GroupEvent.Document] = [:]
    private var isSaved = true
    private var hasSet = false
    private var hasRestored = false
    private var isAway = false

    init(_ follower: GroupFollower<C>, _ queue: NoticeQueue) {
        self.follower = follower
        self.queue = queue
        documents = DocumentSet(maximumDocumentBytes: follower.settings.maximumDocumentBytes)
        file = follower.settings.stateFile.map {
            GroupStateFile(path: $0, hub: follower.hub.url.absoluteString, group: follower.group)
        }
        (beginning, begin) = AsyncStream.makeStream()
    }

    /// Follows the group until the task is canceled, or the hub's answer makes following pointless.
    nonisolated func run() async throws {
        try await withThrowingDiscardingTaskGroup { tasks in
            tasks.addTask { try await self.listen() }
            tasks.addTask { await self.report() }
            tasks.addTask { await self.save() }
            tasks.addTask {
                try? await self.follower.clock.sleep(for: self.follower.settings.patience)
                await self.restore()
            }
            for await stream in beginning {
                tasks.addTask {
                    await stream.run()
                    await self.forget(stream)
                }
            }
            tasks.cancelAll()
        }
    }

    /// Writes unsaved changes to the file and leaves the group, within 2 seconds.
    func leave() async {
        if !isSaved { await write() }
        if isAway { return }
        let (hub, group, member) = (follower.hub, follower.group, follower.member)
        let farewell = Task { try? await hub.leave(group, as: member) }
        let timer = Task { [clock = follower.clock] in
            try? await clock.sleep(for: .seconds(2))
            farewell.cancel()
        }
        _ = await farewell.value
        timer.cancel()
    }

    // MARK: - The hub

    /// Reads the group's events from the hub.
    private func listen() async throws {
        defer { begin.finish() }
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
            try await queue.room()
            do {
                if let event = try GroupEvent(event) { apply(event) }
            } catch {
                queue.push(.problem("the hub's event \(event.name) cannot be read: \(error)"))
            }
        }
    }

    /// Records whether a connection could be made. `trouble` is the reason if it could not.
    private func hear(_ trouble: String?) async {
        if let trouble {
            if !isAway { queue.push(.hubIsAway(reason: trouble)) }
            isAway = true
            await restore()
        } else {
            if isAway { queue.push(.hubIsBack) }
            isAway = false
            reports.notify()
        }
    }

    /// Reports the streams that run here: after each connection, at each change, and every 10 seconds.
    private func report() async {
        await reports.wait()
        var isRefused = false
        while !Task.isCancelled {
            let report = HubClient.MemberReport(
                name: follower.settings.name,
                streams: streams.values.map(\.report).sorted { $0.id < $1.id }
            )
            do {
                try await follower.hub.report(report, by: follower.member, in: follower.group)
                isRefused = false
            } catch let error as HTTPError where error.code == .badStatus && !isRefused {
                isRefused = true
                let detail = error.problem?.detail.map { ": \($0)" } ?? ""
                queue.push(.problem("the hub refuses reports: \(error.message)\(detail)"))
            } catch {}  // its events show whether the hub is available
            // Changes at the same time are reported together.
            try? await follower.clock.sleep(for: .milliseconds(50))
            await reports.wait(for: .seconds(10), follower.clock)
        }
    }

    // MARK: - The documents

    /// Applies an event of the hub.
    private func apply(_ event: GroupEvent) {
        let limit = follower.settings.maximumDocuments
        switch event {
        case .set(let list):
            hasSet = true
            if list.count > limit {
                queue.push(.problem("the group has \(list.count) documents: only \(limit) run here"))
            }
            replaceAll(list.prefix(limit))
        case .put(let document):
            guard documents.entries[document.id] != nil || documents.entries.count < limit else {
                return queue.push(
                    .problem("the group has more than \(limit) documents: \(document.id) does not run here")
                )
            }
            if documents.put(document) { update([document.id]) }
        case .remove(let id):
            documents.remove(id)
            update([id])
        }
    }

    private func replaceAll(_ list: some Collection<GroupEvent.Document>) {
        let ids = Set(list.map(\.id))
        var changed = documents.entries.keys.filter { !ids.contains($0) }
        for id in changed { documents.remove(id) }
        for document in list where documents.put(document) { changed.append(document.id) }
        update(changed)
    }

    /// Updates the streams that a change of documents affects: their own, and those that refer to them.
    private func update(_ changed: [String]) {
        guard !changed.isEmpty else { return }
        for id in changed where documents.entries[id]?.isReference ?? true {
            guard let stream = streams[id] else { continue }
            stream.remove()
            (streams[id], definitions[id], ending[id]) = (nil, nil, stream)
        }
        var refused: Set<String> = []
        for entry in documents.streams(concernedBy: changed) {
            guard let definition = documents.definition(of: entry.id),
                definitions[entry.id]?.isSame(as: definition) != true
            else { continue }
            definitions[entry.id] = definition
            if !take(definition) { refused.formUnion(definition.ids) }
        }
        for id in changed {
            guard let entry = documents.entries[id] else {
                good[id] = nil
                continue
            }
            if !refused.contains(id), entry.parsed?.errors == nil { good[id] = entry.document }
        }
        isSaved = false
        saves.notify()
        reports.notify()
    }

    /// Applies a definition to its stream. Returns a Boolean value that indicates whether it is valid.
    private func take(_ definition: Definition) -> Bool {
        let id = definition.own.id
        do throws(JSONErrors) {
            let checked = try definition.checked()
            if let stream = streams[id] { stream.take(checked) } else { add(id, checked) }
            return true
        } catch {
            (streams[id] ?? add(id, nil)).refuse(definition.own.document.revision, error)
            return false
        }
    }

    @discardableResult
    private func add(_ id: String, _ definition: CheckedDefinition?) -> FollowedStream<C> {
        let stream = FollowedStream(id, definition, after: ending[id]?.ended, follower, queue, reports: reports)
        streams[id] = stream
        begin.yield(stream)
        return stream
    }

    /// Removes a stream that has ended.
    private func forget(_ stream: FollowedStream<C>) {
        if ending[stream.id] === stream { ending[stream.id] = nil }
        reports.notify()
    }

    // MARK: - The file

    /// Runs the documents of the state file if the hub has sent none yet.
    private func restore() async {
        guard !hasSet, !hasRestored, let file, !Task.isCancelled else { return }
        hasRestored = true
        do {
            guard let saved = try await file.read(), !hasSet else { return }
            let list = saved.prefix(follower.settings.maximumDocuments)
            queue.push(.restored(documents: list.count))
            replaceAll(list)
        } catch {
            queue.push(.problem("\(error)"))
        }
    }

    private func save() async {
        while !Task.isCancelled {
            await saves.wait()
            if !isSaved, !Task.isCancelled { await write() }
        }
    }

    private func write() async {
        isSaved = true
        guard let file else { return }
        do { try await file.write(good.values.sorted { $0.id < $1.id }) } catch { queue.push(.problem("\(error)")) }
    }
}

/// Reports for each connection whether it could be made.
private struct WatchedNode: Node {
    let next: AnyNode<TransportRequest, TransportResponse>
    /// Receives the reason of a failure; `nil` for a connection.
    let hear: @Sendable (String?) async -> Void

    nonisolated(nonsending) func process(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await next.process(request)
            await hear(nil)
            return response
        } catch let error as HTTPError {
            // An error that no later attempt can change ends the follower.
            if error.isPassing { await hear(error.message) }
            throw error
        }
    }
}
