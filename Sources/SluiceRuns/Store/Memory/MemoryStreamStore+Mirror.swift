extension MemoryStreamStore: MirrorStore {
    /// As ``MirrorStore/takeOver(_:)-([StoredStream])``.
    public func takeOver(_ documents: [StoredStream]) async throws {
        try transact { state in for document in documents { state.takeOver(document) } }
    }

    /// As ``MirrorStore/takeOverRemoval(of:at:)``.
    public func takeOverRemoval(of id: String, at revision: Int) async throws {
        let time = now().stored
        try transact { state in
            guard let current = state.streams[id]?.current, current.revision < revision else { return }
            state.remove(current, revision: revision, by: nil, at: time)
        }
    }

    /// As ``MirrorStore/removedIDs()``.
    public func removedIDs() async throws -> [String] {
        try transact { $0.streams.values.filter { $0.current == nil }.map(\.id) }
    }

    /// As ``MirrorStore/takeOver(_:)-([StoredGroup])``.
    public func takeOver(_ groups: [StoredGroup]) async throws { try transact { $0.takeOver(groups) } }
}
