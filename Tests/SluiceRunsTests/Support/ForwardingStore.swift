import SluiceStreams

@testable import SluiceRuns

/// A store of definitions that asks another one, except for the calls that it declares itself.
protocol ForwardingDefinitionStore: DefinitionStore {
    associatedtype Reached: DefinitionStore

    /// The store that is asked; throws when it can't be reached.
    var reached: Reached { get throws }
}

extension ForwardingDefinitionStore {
    func list() async throws -> [StoredStream] { try await reached.list() }
    func read(_ id: String) async throws -> StoredStream? { try await reached.read(id) }
    func history(of id: String) async throws -> [StreamRevision] { try await reached.history(of: id) }
    func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await reached.revision(number, of: id)
    }
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        try await reached.create(drafts, replacing: replacing, by: author)
    }
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream {
        try await reached.replace(with: draft, ifRevision: revision, by: author)
    }
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] {
        try await reached.replace(edits, by: author)
    }
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws {
        try await reached.remove(id, ifRevision: revision, by: author)
    }
    func groups() async throws -> [StoredGroup] { try await reached.groups() }
    func createGroup(_ name: String) async throws { try await reached.createGroup(name) }
    func removeGroup(_ name: String) async throws { try await reached.removeGroup(name) }
    func assign(_ stream: String, to group: String) async throws { try await reached.assign(stream, to: group) }
    func unassign(_ stream: String, from group: String) async throws { try await reached.unassign(stream, from: group) }
    func trim(_ retention: Retention) async throws { try await reached.trim(retention) }
    func check() async throws { try await reached.check() }
}

/// A store that asks another one, except for the calls that it declares itself.
protocol ForwardingStore: StreamStore, ForwardingDefinitionStore {
    associatedtype Base: StreamStore

    /// The store that is asked.
    var base: Base { get }
}

extension ForwardingStore {
    var reached: Base { base }
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
}
