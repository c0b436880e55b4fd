public import Foundation
import Sluice
public import SluiceStreams

/// A store in memory, which is gone with the process: for tests, and for hubs that need no yesterday.
///
/// ```swift
/// let store = MemoryStreamStore()
/// let stored = try await store.create([StreamDraft(id: "a", name: nil, text: "{}")], by: nil)
/// try await store.replace(with: StreamDraft(id: "a", name: nil, text: "[]"), ifRevision: 1, by: nil)
/// let revision = try await store.read("a")?.revision  // 2
/// ```
public final class MemoryStreamStore: StreamStore, TokenStore {
    private let state = Locked(MemoryState())
    let now: @Sendable () -> Date

    /// Makes an empty store.
    ///
    /// - Parameter now: the clock on the wall, which the history has its times from.
    public init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

    /// Creates a store with what another holds now: what a crash leaves.
    package init(copying other: MemoryStreamStore) {
        now = other.now
        var copy = other.state.withLock { $0 }
        copy.watchers = [:]
        state.withLock { $0 = copy }
    }

    /// As ``DefinitionStore/list()``.
    public func list() async throws -> [StoredStream] { try transact { $0.list() } }

    /// As ``DefinitionStore/read(_:)``.
    public func read(_ id: String) async throws -> StoredStream? { try transact { $0.streams[id]?.current } }

    /// As ``DefinitionStore/history(of:)``.
    public func history(of id: String) async throws -> [StreamRevision] {
        try transact { $0.streams[id]?.revisions.reversed().map(\.line) ?? [] }
    }

    /// As ``DefinitionStore/revision(_:of:)``.
    public func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try transact { $0.streams[id]?.revision(number) }
    }

    /// As ``DefinitionStore/create(_:replacing:by:)``.
    @discardableResult
    public func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        let time = now().stored
        return try transact { try $0.create(drafts, replacing: replacing, by: author, at: time) }
    }

    /// As ``DefinitionStore/replace(with:ifRevision:by:)``.
    @discardableResult
    public func replace(
        with draft: StreamDraft,
        ifRevision revision: Int,
        by author: String?
    ) async throws -> StoredStream {
        let time = now().stored
        return try transact { try $0.replace(with: draft, ifRevision: revision, by: author, at: time) }
    }

    /// As ``DefinitionStore/replace(_:by:)``.
    @discardableResult
    public func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        let time = now().stored
        return try transact { state in
            var copy = state
            var ids: Set<String> = []
            let stored = try edits.map { edit in
                guard ids.insert(edit.draft.id).inserted else { throw StoreError(.taken(id: edit.draft.id)) }
                return try copy.replace(with: edit.draft, ifRevision: edit.revision, by: author, at: time)
            }
            state = copy
            return stored
        }
    }

    /// As ``DefinitionStore/remove(_:ifRevision:by:)``.
    public func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        let time = now().stored
        try transact { try $0.remove(id, ifRevision: revision, by: author, at: time) }
    }

    /// As ``DefinitionStore/groups()``.
    public func groups() async throws -> [StoredGroup] { try transact { $0.groups } }

    /// As ``DefinitionStore/createGroup(_:)``.
    public func createGroup(_ name: String) async throws { try transact { $0.createGroup(name) } }

    /// As ``DefinitionStore/removeGroup(_:)``.
    public func removeGroup(_ name: String) async throws { try transact { $0.removeGroup(name) } }

    /// As ``DefinitionStore/assign(_:to:)``.
    public func assign(_ stream: String, to group: String) async throws {
        try transact { try $0.assign(stream, to: group) }
    }

    /// As ``DefinitionStore/unassign(_:from:)``.
    public func unassign(_ stream: String, from group: String) async throws {
        try transact { $0.unassign(stream, from: group) }
    }

    /// As ``StreamStore/runs()``.
    public func runs() async throws -> [StoredRun] { try transact { $0.runs() } }

    /// As ``StreamStore/run(of:)``.
    public func run(of stream: String) async throws -> StoredRun? {
        try transact { $0.streams[stream]?.run?.stored }
    }

    /// As ``StreamStore/lastRun(of:)``.
    public func lastRun(of stream: String) async throws -> Int { try transact { $0.streams[stream]?.lastRun ?? 0 } }

    /// As `StreamStore.commit(_:)`.
    public func commit(_ commit: RunCommit) async throws { try transact { try $0.commit(commit) } }

    /// As ``StreamStore/journal(of:)``.
    public func journal(of stream: String) async throws -> [StreamInput] {
        try transact { $0.streams[stream]?.run?.journal ?? [] }
    }

    /// As ``StreamStore/outputs(of:run:after:limit:)``.
    public func outputs(
        of stream: String,
        run: Int?,
        after sequence: Int,
        limit: Int
    ) async throws -> [StoredOutput] {
        try transact { state in
            guard let entry = state.streams[stream], let number = run ?? entry.run?.stored.run else { return [] }
            let wanted = entry.outputs.lazy.map(\.output).filter { $0.run == number && $0.sequence > sequence }
            return StoredPage(of: wanted, limit: limit, size: \.size).elements
        }
    }

    /// As ``StreamStore/outputs(of:afterRun:sequence:limit:)``.
    public func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput]
    {
        try transact { state in
            let outputs = (state.streams[stream]?.outputs ?? []).lazy.map(\.output)
            let wanted = outputs.filter { ($0.run, $0.sequence) > (run, sequence) }
            return StoredPage(of: wanted, limit: limit, size: \.size).elements
        }
    }

    /// As ``StreamStore/forgetRun(of:)``.
    public func forgetRun(of stream: String) async throws { try transact { $0.streams[stream]?.forgetRun() } }

    /// As ``DefinitionStore/trim(_:)``.
    public func trim(_ retention: Retention) async throws {
        let time = now()
        try transact { $0.trim(retention, at: time) }
    }

    /// As ``TokenStore/tokens()``.
    public func tokens() async throws -> [StoredToken] { try transact { $0.tokens } }

    /// As ``TokenStore/addToken(_:)``.
    public func addToken(_ token: StoredToken) async throws { try transact { try $0.addToken(token) } }

    /// As ``TokenStore/removeToken(_:)``.
    public func removeToken(_ name: String) async throws { try transact { $0.tokens.removeAll { $0.name == name } } }

    func endWatch(_ id: Int) { state.withLock { _ = $0.watchers.removeValue(forKey: id) } }

    func transact<Result: Sendable>(_ body: (inout MemoryState) throws -> Result) throws -> Result {
        try Task.checkCancellation()
        return try state.withLock { state in
            defer { state.publishNews() }
            return try body(&state)
        }
    }
}
