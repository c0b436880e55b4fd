/// A store of definitions that several hubs write, each of which has to learn of the changes of the others.
///
/// ```swift
/// let store = MemoryStreamStore()
/// try await store.create([StreamDraft(id: "a", name: nil, text: "{}")], by: "ada")
/// var changes = try await store.changes().makeAsyncIterator()
/// let first = try await changes.next()  // .stored, the document a at revision 1
/// ```
public protocol SharedDefinitionStore: DefinitionStore {
    /// Returns the changes of documents and groups, whoever makes them: first those that are present, then
    /// ``DefinitionChange/current``, then every change.
    ///
    /// The changes of one document come in the order of its revisions; some may be left out, but not the newest. The
    /// sequence ends when the store is closed.
    ///
    /// - Throws: ``StoreError``, as the sequence does.
    func changes() async throws -> AsyncThrowingStream<DefinitionChange, any Error>

    /// Stores the history of a document that another store has had, under its numbers.
    ///
    /// - Parameters:
    ///   - history: the lines of the history that are kept, the newest first, as ``DefinitionStore/history(of:)`` returns
    ///     them, and the document at each of them; `nil` for a removal.
    ///   - id: the document.
    /// - Throws: ``StoreError/Kind/taken(id:)`` when this store has, or had, a document of this id.
    func adopt(_ history: [(line: StreamRevision, document: StoredStream?)], of id: String) async throws
}
