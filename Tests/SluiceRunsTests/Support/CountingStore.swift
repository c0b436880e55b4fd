import Sluice
import SluiceStreams

@testable import SluiceRuns

/// A store that counts what is committed, and refuses or delays it when a test says so.
final class CountingStore: StreamStore {
    struct Counts {
        var transactions = 0
        var commits = 0
        var checkpoints = 0
        var checkpointSize = 0
        var outputs = 0
        var outputSize = 0
    }

    let memory: MemoryStreamStore
    let counts = Locked(Counts())
    let refusal = Locked<StoreError?>(nil)
    /// The work of a test in the middle of each transaction.
    let work = Locked<(@Sendable () async -> Void)?>(nil)

    init(_ memory: MemoryStreamStore = MemoryStreamStore()) { self.memory = memory }

    func commit(_ commits: [RunCommit]) async -> [(any Error)?] {
        counts.withLock { counts in
            counts.transactions += 1
            counts.commits += commits.count
            for commit in commits {
                counts.checkpoints += commit.checkpoint == nil ? 0 : 1
                counts.checkpointSize += commit.checkpoint?.utf8.count ?? 0
                counts.outputs += commit.outputs.count
                counts.outputSize += commit.outputs.reduce(0) { $0 + $1.text.utf8.count }
            }
        }
        await work.withLock { $0 }?()
        if let refusal = refusal.withLock({ $0 }) { return commits.map { _ in refusal } }
        return await memory.commit(commits)
    }

    func list() async throws -> [StoredStream] { try await memory.list() }
    func read(_ id: String) async throws -> StoredStream? { try await memory.read(id) }
    func history(of id: String) async throws -> [StreamRevision] { try await memory.history(of: id) }
    func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await memory.revision(number, of: id)
    }
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        try await memory.create(drafts, replacing: replacing, by: author)
    }
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream {
        try await memory.replace(with: draft, ifRevision: revision, by: author)
    }
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        try await memory.replace(edits, by: author)
    }
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        try await memory.remove(id, ifRevision: revision, by: author)
    }
    func groups() async throws -> [StoredGroup] { try await memory.groups() }
    func createGroup(_ name: String) async throws { try await memory.createGroup(name) }
    func removeGroup(_ name: String) async throws { try await memory.removeGroup(name) }
    func assign(_ stream: String, to group: String) async throws { try await memory.assign(stream, to: group) }
    func unassign(_ stream: String, from group: String) async throws { try await memory.unassign(stream, from: group) }
    func runs() async throws -> [StoredRun] { try await memory.runs() }
    func run(of stream: String) async throws -> StoredRun? { try await memory.run(of: stream) }
    func commit(_ commit: RunCommit) async throws { try await memory.commit(commit) }
    func lastRun(of stream: String) async throws -> Int { try await memory.lastRun(of: stream) }
    func journal(of stream: String) async throws -> [StreamInput] { try await memory.journal(of: stream) }
    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await memory.outputs(of: stream, run: run, after: sequence, limit: limit)
    }
    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await memory.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit)
    }
    func forgetRun(of stream: String) async throws { try await memory.forgetRun(of: stream) }
    func trim(_ retention: Retention) async throws { try await memory.trim(retention) }
}
