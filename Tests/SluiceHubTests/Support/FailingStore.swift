#if Hub
import Sluice
import SluiceStore
import SluiceStreams
import Testing

/// A store whose disk may be full, or unreadable.
final class FailingStore: StreamStore {
    let isFull = Locked(false)
    let isUnreadable = Locked(false)
    /// The stream of which every second reading of outputs fails.
    let flaky = Locked<String?>(nil)
    /// The largest numbers of outputs that readers of each stream have asked for, in order.
    let limits = Locked<[String: [Int]]>([:])
    private let store = MemoryStreamStore()

    private func checkRoom() throws { if isFull.withLock({ $0 }) { throw StoreError(.full, path: "hub.sqlite") } }

    func list() async throws -> [StoredStream] { try await store.list() }
    func read(_ id: String) async throws -> StoredStream? { try await store.read(id) }
    func history(of id: String) async throws -> [StreamRevision] { try await store.history(of: id) }
    func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await store.revision(number, of: id)
    }
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        try checkRoom()
        return try await store.create(drafts, replacing: replacing, by: author)
    }
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream {
        try checkRoom()
        return try await store.replace(with: draft, ifRevision: revision, by: author)
    }
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        try checkRoom()
        return try await store.replace(edits, by: author)
    }
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        try checkRoom()
        try await store.remove(id, ifRevision: revision, by: author)
    }
    func groups() async throws -> [StoredGroup] { try await store.groups() }
    func createGroup(_ name: String) async throws { try await store.createGroup(name) }
    func removeGroup(_ name: String) async throws { try await store.removeGroup(name) }
    func assign(_ stream: String, to group: String) async throws { try await store.assign(stream, to: group) }
    func unassign(_ stream: String, from group: String) async throws { try await store.unassign(stream, from: group) }
    func runs() async throws -> [StoredRun] { try await store.runs() }
    func run(of stream: String) async throws -> StoredRun? { try await store.run(of: stream) }
    func commit(_ commit: RunCommit) async throws {
        try checkRoom()
        try await store.commit(commit)
    }
    func lastRun(of stream: String) async throws -> Int { try await store.lastRun(of: stream) }
    func journal(of stream: String) async throws -> [StreamInput] { try await store.journal(of: stream) }
    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await store.outputs(of: stream, run: run, after: sequence, limit: limit)
    }
    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput] {
        let count = limits.withLock { limits in
            limits[stream, default: []].append(limit)
            return limits[stream]?.count ?? 0
        }
        let isFailure = flaky.withLock { $0 == stream } && count.isMultiple(of: 2)
        if isUnreadable.withLock({ $0 }) || isFailure { throw StoreError(.full, path: "hub.sqlite") }
        return try await store.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit)
    }
    func forgetRun(of stream: String) async throws { try await store.forgetRun(of: stream) }
    func trim(_ retention: Retention) async throws { try await store.trim(retention) }
}

/// Copies a store, as a crash leaves it.
enum Copy {
    static func of(_ store: any StreamStore, _ ids: [String] = []) async throws -> any StreamStore {
        MemoryStreamStore(copying: try #require(store as? MemoryStreamStore))
    }
}
#endif
