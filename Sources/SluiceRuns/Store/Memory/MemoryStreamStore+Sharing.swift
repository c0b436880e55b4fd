/// Hubs in one process may share a store in memory.
extension MemoryStreamStore: SharedDefinitionStore {
    /// As ``SharedDefinitionStore/changes()``. The sequence does not end by itself.
    public func changes() async throws -> AsyncThrowingStream<DefinitionChange, any Error> {
        let (changes, continuation) = AsyncThrowingStream<DefinitionChange, any Error>.makeStream()
        let id = try transact { state in
            for stream in state.ordered {
                continuation.yield(
                    stream.current.map { .stored($0) } ?? .removed(stream.id, revision: stream.number)
                )
            }
            for group in state.groups { continuation.yield(.group(group.name)) }
            continuation.yield(.current)
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in self?.endWatch(id) }
        return changes
    }

    /// As ``SharedDefinitionStore/adopt(_:of:)``.
    public func adopt(_ history: [(line: StreamRevision, document: StoredStream?)], of id: String) async throws {
        let revisions = history.reversed().map { line, document in
            MemoryStream.Revision(
                number: line.revision,
                time: (line.time ?? document?.time ?? now()).stored,
                author: line.author,
                name: line.name ?? document?.name,
                text: document?.text
            )
        }
        try transact { try $0.adopt(revisions, of: id) }
    }
}

extension MemoryState {
    /// Informs the watchers of what has changed.
    mutating func publishNews() {
        if news.isEmpty { return }
        for watcher in watchers.values { for change in news { watcher.yield(change) } }
        news = []
    }
}
