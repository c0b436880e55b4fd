/// A store of runs that can hold copies of documents whose revisions another store numbers.
///
/// The rules of ``StreamStore`` hold. ``SharedStreamStore`` keeps the runs of a hub in one, beside copies of the documents
/// that hubs share.
public protocol MirrorStore: SinkStore, TokenStore {
    /// Stores documents as the newest revisions, under the numbers that they have. It skips those that are not newer than
    /// what is stored, a removal included.
    func takeOver(_ documents: [StoredStream]) async throws

    /// Removes a document as ``DefinitionStore/remove(_:ifRevision:by:)`` does, at a revision that another store has given
    /// to the removal. It does nothing when that is not newer than what is stored.
    func takeOverRemoval(of id: String, at revision: Int) async throws

    /// Returns the ids of the documents that were removed and whose history is kept, in no order. Their numbers are not used
    /// again.
    func removedIDs() async throws -> [String]

    /// Makes the groups, and the streams of each, those of another store. Streams that this store does not have are left
    /// out.
    func takeOver(_ groups: [StoredGroup]) async throws
}
