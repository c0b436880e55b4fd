import Sluice
import SluiceStreams

@testable import SluiceRuns

/// A store that counts what is committed, and refuses or delays it when a test says so.
final class CountingStore: ForwardingStore {
    struct Counts {
        var transactions = 0
        var commits = 0
        var checkpoints = 0
        var checkpointSize = 0
        var outputs = 0
        var outputSize = 0
        /// The size of the outputs of the transaction with the most.
        var largestTransaction = 0
        /// The streams of each transaction.
        var streams: [Set<String>] = []
    }

    let base: MemoryStreamStore
    let counts = Locked(Counts())
    let refusal = Locked<StoreError?>(nil)
    /// The work of a test in the middle of each transaction.
    let work = Locked<(@Sendable () async -> Void)?>(nil)
    /// The work of a test after each read of a run, before the reader goes on.
    let onRead = Locked<(@Sendable () async -> Void)?>(nil)

    init(_ base: MemoryStreamStore = MemoryStreamStore()) { self.base = base }

    func commit(_ commits: [RunCommit]) async -> [(any Error)?] {
        counts.withLock { counts in
            counts.transactions += 1
            counts.commits += commits.count
            counts.streams.append(Set(commits.map(\.stream)))
            let size = commits.reduce(0) { $0 + $1.outputs.reduce(0) { $0 + $1.text.utf8.count } }
            counts.largestTransaction = max(counts.largestTransaction, size)
            for commit in commits {
                counts.checkpoints += commit.checkpoint == nil ? 0 : 1
                counts.checkpointSize += commit.checkpoint?.utf8.count ?? 0
                counts.outputs += commit.outputs.count
                counts.outputSize += commit.outputs.reduce(0) { $0 + $1.text.utf8.count }
            }
        }
        await work.withLock { $0 }?()
        if let refusal = refusal.withLock({ $0 }) { return commits.map { _ in refusal } }
        return await base.commit(commits)
    }

    func forgetRun(of stream: String) async throws {
        if let refusal = refusal.withLock({ $0 }) { throw refusal }
        try await base.forgetRun(of: stream)
    }

    func run(of stream: String) async throws -> StoredRun? {
        let run = try await base.run(of: stream)
        await onRead.withLock { $0 }?()
        return run
    }
    func journal(of stream: String) async throws -> [StreamInput] {
        let journal = try await base.journal(of: stream)
        await onRead.withLock { $0 }?()
        return journal
    }
    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        let outputs = try await base.outputs(of: stream, run: run, after: sequence, limit: limit)
        await onRead.withLock { $0 }?()
        return outputs
    }
}
