#if SQLite
public import SluiceRuns

extension SQLiteStreamStore: MirrorStore {
    /// As `MirrorStore.takeOver(_:)`, of documents.
    public func takeOver(_ documents: [StoredStream]) async throws {
        if documents.isEmpty { return }
        let time = now().stored
        try await write { database in for document in documents { try database.takeOver(document, at: time) } }
    }

    /// As ``SluiceRuns/MirrorStore/takeOverRemoval(of:at:)``.
    public func takeOverRemoval(of id: String, at revision: Int) async throws {
        let time = now().stored
        if try await write({ [log] in try $0.takeOverRemoval(of: id, at: revision, time: time, log) }) { removeLater() }
    }

    /// As ``SluiceRuns/MirrorStore/removedIDs()``.
    public func removedIDs() async throws -> [String] { try await read { try $0.removedIDs() } }

    /// As `MirrorStore.takeOver(_:)`, of groups.
    public func takeOver(_ groups: [StoredGroup]) async throws { try await write { try $0.takeOver(groups) } }
}
#endif
