import SluiceStreams

@testable import SluiceRuns

/// A store that asks another one, except for the calls that it declares itself.
protocol ForwardingStore: StreamStore {
    associatedtype Base: StreamStore

    /// The store that is asked.
    var base: Base { get }
}

extension ForwardingStore {
    func list() async throws -> [StoredStream] { try await base.list() }
    func read(_ id: String) async throws -> StoredStream? { try await base.read(id) }
    func history(of id: String) async throws -> [StreamRevision] { try await base.history(of: id) }
    func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await base.revision(number, of: id)
    }
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        try await base.create(drafts, replacing: replacing, by: author)
    }
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream {
        try await base.replace(with: draft, ifRevision: revision, by: author)
    }
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        try await base.replace(edits, by: author)
    }
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        try await base.remove(id, ifRevision: revision, by: author)
    }
    func groups() async throws -> [StoredGroup] { try await base.groups() }
    func createGroup(_ name: String) async throws { try await base.createGroup(name) }
    func removeGroup(_ name: String) async throws { try await base.removeGroup(name) }
    func assign(_ stream: String, to group: String) async throws { try await base.assign(stream, to: group) }
    func unassign(_ stream: String, from group: String) async throws { try await base.unassign(stream, from: group) }
    func runs() async throws -> [StoredRun] { try await base.runs() }
    func run(of stream: String) async throws -> StoredRun? { try await base.run(of: stream) }
    func commit(_ commit: RunCommit) async throws { try await base.commit(commit) }
    func commit(_ commits: [RunCommit]) async -> [(any Error)?] { await base.commit(commits) }
    func lastRun(of stream: String) async throws -> Int { try await base.lastRun(of: stream) }
    func journal(of stream: String) async throws -> [StreamInput] { try await base.journal(of: stream) }
    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await base.outputs(of: stream, run: run, after: sequence, limit: limit)
    }
    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await base.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit)
    }
    func forgetRun(of stream: String) async throws { try await base.forgetRun(of: stream) }
    func trim(_ retention: Retention) async throws { try await base.trim(retention) }
}
