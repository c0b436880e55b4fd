/// A store of stream documents, filter stacks, and groups: what a hub is to run, without the runs.
///
/// The rules of ``StreamStore`` hold, which is a store of definitions too. Hubs on several machines share one where it is
/// kept on NATS JetStream.
///
/// ```swift
/// let store: any DefinitionStore = MemoryStreamStore()
/// try await store.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)], by: "me")
/// let revisions = try await store.history(of: "a").map(\.revision)  // [1]
/// ```
public protocol DefinitionStore: Sendable {
    // MARK: Documents

    /// Returns all streams that are not removed, in order of creation.
    func list() async throws -> [StoredStream]

    /// Returns the stream with an id; `nil` if it does not exist.
    func read(_ id: String) async throws -> StoredStream?

    /// Returns the revisions of a stream that are kept, the newest first; also of a removed stream.
    func history(of id: String) async throws -> [StreamRevision]

    /// Returns a stream at a revision; `nil` if that revision is not kept or removed the stream.
    func revision(_ number: Int, of id: String) async throws -> StoredStream?

    /// Adds streams, all or none, and returns them as stored.
    ///
    /// A new id begins with revision 1. The numbers of a removed stream continue if it is created again.
    ///
    /// - Parameters:
    ///   - drafts: the streams, no two with one id.
    ///   - replacing: whether a draft whose id exists becomes the next revision of that stream.
    ///   - author: the author, for the history.
    /// - Throws: ``StoreError/Kind/taken(id:)`` when an id exists and is not to be replaced, or occurs twice.
    @discardableResult
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream]

    /// Replaces a stream if it is at a revision, and returns it as stored.
    ///
    /// - Parameters:
    ///   - draft: the replacement for the stream with its id.
    ///   - revision: the revision that the author has read.
    ///   - author: the author, for the history.
    /// - Throws: ``StoreError/Kind/conflict(id:expected:current:)`` when the stream is at another revision or was
    ///   removed; ``StoreError/Kind/missing(id:)`` when it never existed.
    @discardableResult
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream

    /// Replaces streams, all or none, each if it is at a revision, and returns them as stored.
    ///
    /// - Parameters:
    ///   - edits: the replacements, no two with the same id.
    ///   - author: the author, for the history.
    /// - Throws: as ``replace(with:ifRevision:by:)``, for the first that can't be replaced;
    ///   ``StoreError/Kind/taken(id:)`` when an id occurs twice.
    @discardableResult
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream]

    /// Removes a stream if it is at a revision, with its run and its places in groups. The removal is a revision of its
    /// own, and the history is kept.
    ///
    /// - Throws: as ``replace(with:ifRevision:by:)``.
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws

    // MARK: Groups

    /// Returns all groups, in order of creation.
    func groups() async throws -> [StoredGroup]

    /// Creates a group; does nothing if it exists.
    func createGroup(_ name: String) async throws

    /// Removes a group; does nothing if it does not exist.
    func removeGroup(_ name: String) async throws

    /// Assigns a stream to a group; does nothing if the group has it.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)``, ``StoreError/Kind/missingGroup(name:)``.
    func assign(_ stream: String, to group: String) async throws

    /// Removes a stream from a group; does nothing if the group does not have it.
    func unassign(_ stream: String, from group: String) async throws

    // MARK: The store itself

    /// Removes everything beyond the retention limits. Other writes may happen in between.
    func trim(_ retention: Retention) async throws

    /// Checks that the store can be read, and that written data can be found again.
    ///
    /// - Throws: ``StoreError/Kind/moved(reason:)`` when its file was deleted, moved, or replaced.
    func check() async throws
}

extension DefinitionStore {
    /// Does nothing: a store in memory is always available.
    public func check() async throws {}

    /// Replaces a stream if it is at a revision, as one of several.
    @discardableResult
    public func replace(
        with draft: StreamDraft,
        ifRevision revision: Int,
        by author: String?
    ) async throws -> StoredStream {
        let stored = try await replace([StreamEdit(draft, ifRevision: revision)], by: author)
        guard let first = stored.first else { throw StoreError(.missing(id: draft.id)) }
        return first
    }

    /// Adds streams, all or none, and returns them as stored.
    ///
    /// - Throws: ``StoreError/Kind/taken(id:)`` when an id exists or occurs twice.
    @discardableResult
    public func create(_ drafts: [StreamDraft], by author: String?) async throws -> [StoredStream] {
        try await create(drafts, replacing: false, by: author)
    }
}
