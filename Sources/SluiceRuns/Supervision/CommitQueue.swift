import Sluice

/// The commits of all runs of a process: what they have done is stored in one transaction per interval, whatever the
/// number of runs.
///
/// A run that has something to store is put into a list. The first one sets an alarm; when that rings, one task gives the
/// commits of all runs in the list to the store, batch by batch. A request that has to be stored before it is answered
/// doesn't wait for the alarm: all requests that wait share the batch after the one that is being stored, and nothing else
/// is in it. Batches are limited in size, and the store rests between them, so that a request never waits for what all runs
/// together hold.
package final class CommitQueue: Sendable {
    private struct State {
        /// The runs that have something to store, and wait for the alarm.
        var waiting: [SharedRecorder] = []
        /// The runs whose alarm has rung, in the order in which they are stored.
        var ready: [SharedRecorder] = []
        /// The runs that requests wait for, in the order of the requests.
        var urgent: [Urgent] = []
        /// The number of the last request.
        var lastRequest = 0
        /// The runs whose commits the store has refused, until they are tried again.
        var refused: [SharedRecorder] = []
        var isAlarmSet = false
        var isRetryAlarmSet = false
        /// A Boolean value that indicates whether a task stores batches until no run is ready.
        var isStoring = false
    }

    /// A run that a request waits for.
    private struct Urgent {
        /// The number of the request.
        let request: Int
        let recorder: SharedRecorder
        /// The ordinal of the last that has to be stored: the run may go on.
        let last: Int
    }

    private let store: any StreamStore
    private let timer: any RunTimer
    private let perform: TaskStarter
    private let count: @Sendable (RunEvent) -> Void
    private let onStored: @Sendable (_ stream: String) -> Void
    private let state = Locked(State())
    /// The lock that the batch holds that is being stored.
    private let storing = AsyncLock()

    /// The number of commits from which a batch takes no more runs.
    private static let largestCount = 1000
    /// The size of outputs, inputs, and checkpoints from which a batch takes no more commits, in bytes. A request waits until
    /// such a batch is on the disk, and what the store moves after it.
    static let largestSize = 1 << 20
    /// The longest rest after a batch, in nanoseconds.
    private static let longestRest: Int64 = 1_000_000_000

    init(
        _ store: any StreamStore,
        _ timer: any RunTimer,
        perform: TaskStarter,
        count: @escaping @Sendable (RunEvent) -> Void,
        onStored: @escaping @Sendable (_ stream: String) -> Void = { _ in }
    ) {
        (self.store, self.timer, self.perform, self.count) = (store, timer, perform, count)
        self.onStored = onStored
    }

    /// Has what a recorder holds stored with the next batch.
    func add(_ recorder: SharedRecorder) {
        guard recorder.queue() else { return }
        if recorder.isFailing { return retry([recorder]) }
        let setsAlarm = state.withLock { state in
            state.waiting.append(recorder)
            defer { state.isAlarmSet = true }
            return !state.isAlarmSet
        }
        if setsAlarm { setAlarm() }
    }

    private func setAlarm() {
        _ = timer.schedule(at: timer.now.advanced(byClamping: RunRecorder.interval)) { [weak self] in
            guard let self else { return }
            let isNeeded = state.withLock { state in
                state.isAlarmSet = false
                state.ready += state.waiting
                state.waiting = []
                return !state.ready.isEmpty
            }
            if isNeeded { perform { await self.storeAll() } }
        }
    }

    /// Stores what a recorder holds now, together with the recorders of other requests, and returns when the store has
    /// accepted or refused it.
    func flush(_ recorder: SharedRecorder) async {
        _ = recorder.queue()
        let last = recorder.lastNoted
        let request = state.withLock { state in
            state.refused.removeAll { $0 === recorder }
            state.lastRequest += 1
            state.urgent.append(Urgent(request: state.lastRequest, recorder: recorder, last: last))
            return state.lastRequest
        }
        // In a task of its own: a caller that is canceled doesn't take the commits of others along.
        await Task { while await storeUrgent(for: request) {} }.value
    }

    /// Stores what the recorders of requests hold, as far as it fits into a batch.
    ///
    /// - Returns: A Boolean value that indicates whether the given request waited. Another one may have taken its recorder into a
    ///   batch.
    private func storeUrgent(for request: Int) async -> Bool {
        var isWaiting = false
        await betweenBatches {
            let urgent = state.withLock { state -> [Urgent] in
                guard state.urgent.contains(where: { $0.request == request }) else { return [] }
                defer { state.urgent = [] }
                return state.urgent
            }
            if urgent.isEmpty { return }
            isWaiting = true
            let rest = Set(await storeBatch(urgent.map(\.recorder)).map { ObjectIdentifier($0) })
            putBack(urgent.filter { rest.contains(ObjectIdentifier($0.recorder)) })
        }
        return isWaiting
    }

    /// Puts recorders that have more back into the list of requests, or into that of the others where no request waits for it.
    private func putBack(_ rest: [Urgent]) {
        if rest.isEmpty { return }
        let awaited = rest.filter { !$0.recorder.isStored(upTo: $0.last) }
        let others = rest.map(\.recorder).filter { recorder in
            recorder.isQueued && !awaited.contains { $0.recorder === recorder }
        }
        let isNeeded = state.withLock { state in
            state.urgent.insert(contentsOf: awaited, at: 0)
            let count = state.ready.count
            for recorder in others where !(state.ready + state.waiting).contains(where: { $0 === recorder }) {
                state.ready.append(recorder)
            }
            return state.ready.count > count
        }
        if isNeeded { perform { await self.storeAll() } }
    }

    /// The number of calls that wait for the batch that is being stored.
    var waitingCount: Int { storing.waitingCount }

    /// Does something between two batches, in the order of the calls.
    func betweenBatches<Failure: Error>(_ body: () async throws(Failure) -> Void) async throws(Failure) {
        await storing.lock()
        defer { storing.unlock() }
        try await body()
    }

    // MARK: Batches

    /// Stores batches until no run is ready. One call at a time does that; another one leaves it to the first.
    private func storeAll() async {
        let isFirst = state.withLock { state in
            defer { state.isStoring = true }
            return !state.isStoring
        }
        if isFirst { await storeOn() }
    }

    /// Stores batches until no run is ready. After each batch it rests for as long as that took: half of the time the store
    /// is free for requests, however much the runs have to store.
    private func storeOn() async {
        while hasMore() {
            let time = await storeReady()
            if time <= 0 { continue }
            guard hasMore() else { return }
            _ = timer.schedule(at: timer.now.advanced(byClamping: min(time, Self.longestRest))) { [weak self] in
                guard let self else { return }
                perform { await self.storeOn() }
            }
            return
        }
    }

    private func hasMore() -> Bool {
        state.withLock { state in
            state.isStoring = !state.ready.isEmpty
            return state.isStoring
        }
    }

    /// Stores what the runs hold whose alarm has rung, and those that wait for the next one, as far as it fits into a batch.
    ///
    /// - Returns: The time that the store has taken, in nanoseconds.
    private func storeReady() async -> Int64 {
        var time: Int64 = 0
        await betweenBatches {
            let begin = timer.now
            let recorders = state.withLock { state in
                defer { (state.ready, state.waiting) = ([], []) }
                return state.ready + state.waiting
            }
            let rest = await storeBatch(recorders)
            if !rest.isEmpty { state.withLock { $0.ready.insert(contentsOf: rest, at: 0) } }
            time = timer.now - begin
        }
        return time
    }

    /// The part of a recorder in a batch.
    private struct Part {
        let recorder: SharedRecorder
        /// The number of its commits.
        let count: Int
        /// A Boolean value that indicates whether the recorder has more.
        let hasMore: Bool
    }

    /// Stores what the first recorders hold, as far as it fits into a batch.
    ///
    /// - Returns: The other recorders, and after them those that have more.
    private func storeBatch(_ recorders: [SharedRecorder]) async -> [SharedRecorder] {
        var commits: [RunCommit] = []
        var parts: [Part] = []
        var (size, taken) = (0, 0)
        while taken < recorders.count, commits.count < Self.largestCount, size < Self.largestSize {
            let batch = recorders[taken].batch(upTo: Self.largestSize - size)
            if !batch.commits.isEmpty {
                parts.append(Part(recorder: recorders[taken], count: batch.commits.count, hasMore: batch.hasMore))
                size += batch.size
                commits += batch.commits
            }
            taken += 1
        }
        let rest = commits.isEmpty ? [] : await store(commits, parts)
        return Array(recorders[taken...]) + rest
    }

    /// Stores commits of some recorders.
    ///
    /// - Returns: The recorders that have more, and were not refused.
    private func store(_ commits: [RunCommit], _ parts: [Part]) async -> [SharedRecorder] {
        let outcomes = await store.commit(commits)
        var (refused, rest): ([SharedRecorder], [SharedRecorder]) = ([], [])
        var start = 0
        for part in parts {
            let isRefused = part.recorder.finish(Array(outcomes[start..<start + part.count]))
            if isRefused || part.hasMore && part.recorder.isFailing {
                refused.append(part.recorder)
            } else if part.hasMore {
                rest.append(part.recorder)
            }
            start += part.count
        }
        for outcome in outcomes { count(outcome == nil ? .batchStored : .storeFailed) }
        for (commit, outcome) in zip(commits, outcomes) where outcome == nil && !commit.outputs.isEmpty {
            onStored(commit.stream)
        }
        if outcomes.contains(where: { $0 != nil }) { retry(refused) }
        return rest
    }

    /// Puts recorders aside whose commits the store has refused, and those of which it has refused an earlier commit.
    private func retry(_ recorders: [SharedRecorder]) {
        let setsAlarm = state.withLock { state in
            state.refused += recorders + (state.ready + state.waiting).filter(\.isFailing)
            state.ready.removeAll(where: \.isFailing)
            state.waiting.removeAll(where: \.isFailing)
            defer { state.isRetryAlarmSet = true }
            return !state.isRetryAlarmSet
        }
        if setsAlarm { setRetryAlarm() }
    }

    private func setRetryAlarm() {
        _ = timer.schedule(at: timer.now.advanced(byClamping: RunRecorder.patience)) { [weak self] in
            guard let self else { return }
            let isNeeded = state.withLock { state in
                state.isRetryAlarmSet = false
                state.ready += state.refused
                state.refused = []
                return !state.ready.isEmpty
            }
            if isNeeded { perform { await self.storeAll() } }
        }
    }
}
