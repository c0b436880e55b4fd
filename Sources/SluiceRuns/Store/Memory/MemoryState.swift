import Foundation
import SluiceStreams

/// The contents of a store in memory, and the rules of every store.
///
/// Each method checks before it changes anything: if it throws, nothing has changed.
struct MemoryState {
    /// All streams, also those that are removed.
    var streams: [String: MemoryStream] = [:]
    private(set) var groups: [StoredGroup] = []
    var tokens: [StoredToken] = []
    /// The dead letters of all streams, in the order of their numbers.
    var letters: [StoredDeadLetter] = []
    var lastLetter = 0
    /// The last lease of each stream that has had one.
    var leases: [String: StoredLease] = [:]
    private var arrivals = 0
    /// The changes of definitions that watchers are not informed of yet, and the watchers.
    var news: [DefinitionChange] = []
    var watchers: [Int: AsyncThrowingStream<DefinitionChange, any Error>.Continuation] = [:]
    var lastWatcher = 0

    func list() -> [StoredStream] { ordered.compactMap(\.current) }

    func runs() -> [StoredRun] { ordered.compactMap { $0.run?.stored.withoutCheckpoint } }

    var ordered: [MemoryStream] { streams.values.sorted { $0.position < $1.position } }

    mutating func addToken(_ token: StoredToken) throws {
        if tokens.contains(where: { $0.name == token.name }) { throw StoreError(.taken(id: token.name)) }
        tokens.append(token)
    }

    // MARK: Documents

    mutating func create(
        _ drafts: [StreamDraft],
        replacing: Bool,
        by author: String?,
        at time: Date
    ) throws -> [StoredStream] {
        var ids: Set<String> = []
        for draft in drafts {
            let isTaken = !replacing && streams[draft.id]?.current != nil
            guard !isTaken, ids.insert(draft.id).inserted else { throw StoreError(.taken(id: draft.id)) }
        }
        return drafts.map { write($0, by: author, at: time) }
    }

    mutating func replace(
        with draft: StreamDraft,
        ifRevision revision: Int,
        by author: String?,
        at time: Date
    ) throws -> StoredStream {
        _ = try check(draft.id, isAt: revision)
        return write(draft, by: author, at: time)
    }

    mutating func remove(_ id: String, ifRevision revision: Int, by author: String?, at time: Date) throws {
        remove(try check(id, isAt: revision), revision: revision + 1, by: author, at: time)
    }

    /// Removes a stream; the removal is a revision.
    mutating func remove(_ current: StoredStream, revision: Int, by author: String?, at time: Date) {
        let id = current.id
        streams[id]?.append(.init(number: revision, time: time, author: author, name: current.name, text: nil))
        streams[id]?.forgetRun()
        streams[id]?.sinks = MemorySinks()
        letters.removeAll { $0.stream == id }
        note(.removed(id, revision: revision))
        for group in groups { unassign(id, from: group.name) }
    }

    private func check(_ id: String, isAt revision: Int) throws -> StoredStream {
        guard let stream = streams[id] else { throw StoreError(.missing(id: id)) }
        guard let current = stream.current, current.revision == revision else {
            throw StoreError(.conflict(id: id, expected: revision, current: stream.current))
        }
        return current
    }

    private mutating func write(_ draft: StreamDraft, by author: String?, at time: Date) -> StoredStream {
        let id = draft.id.key
        let number = (streams[id]?.number ?? 0) + 1
        append(.init(number: number, time: time, author: author, name: draft.name, text: draft.text), to: id)
        return StoredStream(id: id, revision: number, name: draft.name, text: draft.text, time: time)
    }

    private mutating func append(_ revision: MemoryStream.Revision, to id: String) {
        var stream = streams.removeValue(forKey: id) ?? MemoryStream(id: id)
        if stream.current == nil {
            arrivals += 1
            stream.position = arrivals
        }
        stream.append(revision)
        streams[id] = stream
        if let stored = stream.current { note(.stored(stored)) }
    }

    /// Stores a document under the number that another store has given it, unless that is not newer.
    mutating func takeOver(_ document: StoredStream) {
        let id = document.id.key
        guard document.revision > streams[id]?.number ?? 0 else { return }
        append(
            .init(
                number: document.revision,
                time: document.time ?? .distantPast,
                author: nil,
                name: document.name,
                text: document.text
            ),
            to: id
        )
    }

    /// Stores a document with the revisions that it has had elsewhere, the oldest first.
    mutating func adopt(_ revisions: [MemoryStream.Revision], of id: String) throws {
        if let current = streams[id] { throw StoreError(.taken(id: current.id)) }
        for revision in revisions { append(revision, to: id.key) }
    }

    // MARK: Groups

    mutating func createGroup(_ name: String) {
        guard !groups.contains(where: { $0.name == name }) else { return }
        groups.append(StoredGroup(name: name.key, streams: []))
        note(.group(name.key))
    }

    mutating func removeGroup(_ name: String) {
        guard groups.contains(where: { $0.name == name }) else { return }
        groups.removeAll { $0.name == name }
        note(.groupRemoved(name.key))
    }

    mutating func assign(_ stream: String, to name: String) throws {
        guard streams[stream]?.current != nil else { throw StoreError(.missing(id: stream)) }
        guard let place = groups.firstIndex(where: { $0.name == name }) else {
            throw StoreError(.missingGroup(name: name))
        }
        let group = groups[place]
        guard !group.streams.contains(stream) else { return }
        groups[place] = StoredGroup(name: group.name, streams: group.streams + [stream.key])
        note(.group(group.name))
    }

    mutating func unassign(_ stream: String, from name: String) {
        guard let place = groups.firstIndex(where: { $0.name == name }) else { return }
        let group = groups[place]
        guard group.streams.contains(stream) else { return }
        groups[place] = StoredGroup(name: group.name, streams: group.streams.filter { $0 != stream })
        note(.group(group.name))
    }

    /// Makes the groups those of another store, without the streams that are missing here.
    mutating func takeOver(_ others: [StoredGroup]) {
        groups = others.map { group in
            StoredGroup(name: group.name.key, streams: group.streams.filter { streams[$0]?.current != nil }.map(\.key))
        }
    }

    private mutating func note(_ change: DefinitionChange) { if !watchers.isEmpty { news.append(change) } }

    // MARK: Durable runs

    mutating func commit(_ commit: RunCommit) throws {
        guard streams[commit.stream]?.current != nil else { throw StoreError(.missing(id: commit.stream)) }
        try streams[commit.stream]?.take(commit)
    }

    mutating func trim(_ retention: Retention, at now: Date) {
        // The revisions that runs were compiled from are kept.
        var used: [String: Set<Int>] = [:]
        for document in streams.values.flatMap({ $0.run?.stored.documents ?? [] }) {
            used[document.id, default: []].insert(document.revision)
        }
        for id in streams.keys { streams[id]?.trim(retention, at: now, keeping: used[id] ?? []) }
    }
}
