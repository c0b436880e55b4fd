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
        var urgent: [SharedRecorder] = []
        /// The runs whose commits the store has refused, until they are tried again.
        var refused: [SharedRecorder] = []
        var isAlarmSet = false
        var isRetryAlarmSet = false
        /// A Boolean value that indicates whether a task stores batches until no run is ready.
        var isStoring = false
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
    /// The size of outputs, inputs, and checkpoints from which a batch takes no more runs, in bytes. A request waits until
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
        state.withLock { state in
            state.refused.removeAll { $0 === recorder }
            state.urgent.append(recorder)
        }
        // In a task of its own: a caller that is canceled doesn't take the commits of others along.
        await Task {
            await betweenBatches {
                // A request before this one may have taken the recorder into its batch.
                while let urgent = takeUrgent(with: recorder) {
                    let rest = await storeBatch(urgent)
                    state.withLock { $0.urgent.insert(contentsOf: rest, at: 0) }
                }
            }
        }.value
    }

    /// Returns the recorders of requests if one of them is the given one; `nil` if that was stored.
    private func takeUrgent(with recorder: SharedRecorder) -> [SharedRecorder]? {
        state.withLock { state in
            guard state.urgent.contains(where: { $0 === recorder }) else { return nil }
            defer { state.urgent = [] }
            return state.urgent
        }
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

    /// Stores what the first recorders hold, as far as it fits into a batch.
    ///
    /// - Returns: The other recorders.
    private func storeBatch(_ recorders: [SharedRecorder]) async -> [SharedRecorder] {
        var commits: [RunCommit] = []
        var parts: [(recorder: SharedRecorder, count: Int)] = []
        var (size, taken) = (0, 0)
        while taken < recorders.count, commits.count < Self.largestCount, size < Self.largestSize {
            let batch = recorders[taken].batch()
            if !batch.isEmpty {
                parts.append((recorders[taken], batch.count))
                size += recorders[taken].size
                commits += batch
            }
            taken += 1
        }
        if !commits.isEmpty { await store(commits, parts) }
        return Array(recorders[taken...])
    }

    private func store(_ commits: [RunCommit], _ parts: [(recorder: SharedRecorder, count: Int)]) async {
        let outcomes = await store.commit(commits)
        var refused: [SharedRecorder] = []
        var start = 0
        for part in parts {
            if part.recorder.finish(Array(outcomes[start..<start + part.count])) { refused.append(part.recorder) }
            start += part.count
        }
        for outcome in outcomes { count(outcome == nil ? .batchStored : .storeFailed) }
        for (commit, outcome) in zip(commits, outcomes) where outcome == nil && !commit.outputs.isEmpty {
            onStored(commit.stream)
        }
        if outcomes.contains(where: { $0 != nil }) { retry(refused) }
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
