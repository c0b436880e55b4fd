public import SluiceStreams

/// Where stream documents, groups and durable runs are kept.
///
/// ```swift
/// let store = MemoryStreamStore()
/// try await store.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)], by: "me")
/// let names = try await store.list().map(\.name)  // ["A"]
/// ```
///
/// ``SQLiteStreamStore`` keeps them in a file, ``MemoryStreamStore`` in memory. Both hold what is promised here:
///
/// - Every method is one transaction: all of it is done, or nothing of it. Who returns from a write finds it stored.
/// - Writes are done in the order in which they are called for.
/// - Cancelling the calling task before its transaction has begun throws `CancellationError` and changes nothing; one that
///   has begun is carried out.
/// - Every method throws ``StoreError``.
/// - Ids and names of groups are any strings; what Swift holds equal is one id.
public protocol StreamStore: Sendable {
    // MARK: Documents

    /// All streams that are not removed, in the order in which they came.
    func list() async throws -> [StoredStream]

    /// The stream with an id; `nil` when there is none.
    func read(_ id: String) async throws -> StoredStream?

    /// The revisions of a stream that are still kept, the newest first; also of one that is removed.
    func history(of id: String) async throws -> [StreamRevision]

    /// A stream as it was at a revision; `nil` when that is not kept, or was the removal.
    func revision(_ number: Int, of id: String) async throws -> StoredStream?

    /// Adds streams, all or none, and gives those that were written, as they are stored now.
    ///
    /// A new id begins with revision 1; one that was there before and was removed goes on counting.
    ///
    /// - Parameters:
    ///   - drafts: the streams, no two with one id.
    ///   - replacing: whether one whose id is taken becomes the next revision of the stream that is there.
    ///   - author: who writes, for the history.
    /// - Throws: ``StoreError/Kind/taken(id:)``, where it is not to be replaced, or an id is there twice.
    @discardableResult
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream]

    /// Replaces a stream, if it is at a revision, and gives it as it is stored now.
    ///
    /// - Parameters:
    ///   - draft: what takes the place of the stream with its id.
    ///   - revision: the revision that the author has read.
    ///   - author: who writes, for the history.
    /// - Throws: ``StoreError/Kind/conflict(id:expected:current:)`` when it is at another revision, or removed;
    ///   ``StoreError/Kind/missing(id:)`` when it never was.
    @discardableResult
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream

    /// Replaces streams, all or none, each if it is at a revision, and returns them as they are stored now.
    ///
    /// - Parameters:
    ///   - edits: what takes the place of the streams, no two with one id.
    ///   - author: who writes, for the history.
    /// - Throws: as ``replace(with:ifRevision:by:)``, for the first that can't be replaced;
    ///   ``StoreError/Kind/taken(id:)`` when an id is there twice.
    @discardableResult
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream]

    /// Removes a stream, if it is at a revision; with it go its run and its places in groups. The removal is a revision of
    /// its own, and the history stays.
    ///
    /// - Throws: as ``replace(with:ifRevision:by:)``.
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws

    // MARK: Groups

    /// All groups, in the order in which they came.
    func groups() async throws -> [StoredGroup]

    /// Makes a group; nothing happens where it is there.
    func createGroup(_ name: String) async throws

    /// Removes a group; nothing happens where it is not there.
    func removeGroup(_ name: String) async throws

    /// Gives a stream to a group; nothing happens where it has it.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)``, ``StoreError/Kind/missingGroup(name:)``.
    func assign(_ stream: String, to group: String) async throws

    /// Takes a stream from a group; nothing happens where it does not have it.
    func unassign(_ stream: String, from group: String) async throws

    // MARK: Durable runs

    /// The run of every stream that has one, in the order of the streams, without the texts of their checkpoints.
    func runs() async throws -> [StoredRun]

    /// The run of a stream, with the text of its checkpoint; `nil` when it has none.
    func run(of stream: String) async throws -> StoredRun?

    /// Stores where a run is: its state, its checkpoint, what it took and what it gave, all or none.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)`` when there is no such stream; ``StoreError/Kind/staleRun(stream:run:current:)``
    ///   when the run is not the one that is stored, or, of a new one, not later than it;
    ///   ``StoreError/Kind/outputGap(stream:run:expected:given:)`` when an output is missing before the first that is new.
    func commit(_ commit: RunCommit) async throws

    /// Stores where runs are, each as ``commit(_:)-(RunCommit)`` does, with as few transactions as possible.
    ///
    /// - Parameter commits: the commits, those of one run in their order.
    /// - Returns: the error of each commit; `nil` for one that is stored. After a commit that is not stored, none of the
    ///   same stream is.
    func commit(_ commits: [RunCommit]) async -> [(any Error)?]

    /// What the run of a stream took from outside since its checkpoint, in order.
    func journal(of stream: String) async throws -> [StreamInput]

    /// What a run gave, in order.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - run: the number of the run; the newest where it is `nil`.
    ///   - sequence: the number of the last output that is not wanted; 0 for all.
    ///   - limit: the most that is given.
    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput]

    /// The outputs of all runs of a stream, in order, after one of them.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - run: the number of the run of the last output that isn't wanted; 0 for all outputs that are kept.
    ///   - sequence: the number of that output in its run.
    ///   - limit: the most outputs that are returned.
    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput]

    /// Forgets the runs of a stream: state, checkpoint, journal and outputs; nothing happens where there is none.
    func forgetRun(of stream: String) async throws

    /// Removes what is older than is to be kept. Others write in between.
    func trim(_ retention: Retention) async throws

    // MARK: The store itself

    /// Checks that the store can still be read, and that what is written to it will be found again.
    ///
    /// - Throws: ``StoreError/Kind/moved(reason:)`` when its file was deleted, moved, or replaced.
    func check() async throws
}

extension StreamStore {
    /// Does nothing: a store in memory is always there.
    public func check() async throws {}

    /// Stores where runs are, one after the other.
    public func commit(_ commits: [RunCommit]) async -> [(any Error)?] {
        var refused: [String: any Error] = [:]
        var outcomes: [(any Error)?] = []
        for next in commits {
            if refused[next.stream] == nil {
                do { try await commit(next) } catch { refused[next.stream] = error }
            }
            outcomes.append(refused[next.stream])
        }
        return outcomes
    }

    /// Adds streams, all or none, and gives them as they are stored now.
    ///
    /// - Throws: ``StoreError/Kind/taken(id:)`` when an id is taken, or is there twice.
    @discardableResult
    public func create(_ drafts: [StreamDraft], by author: String?) async throws -> [StoredStream] {
        try await create(drafts, replacing: false, by: author)
    }
}
