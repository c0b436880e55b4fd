public import SluiceStreams

/// A store of stream documents, groups, and durable runs.
///
/// ```swift
/// let store = MemoryStreamStore()
/// try await store.create([StreamDraft(id: "a", name: "A", text: #"{"id": "a", "stream": []}"#)], by: "me")
/// let names = try await store.list().map(\.name)  // ["A"]
/// ```
///
/// `SQLiteStreamStore` keeps them in a file, ``MemoryStreamStore`` in memory. Both follow these rules:
///
/// - Every method is one transaction: all of it is done, or none of it. When a write returns, the data is durable.
/// - Writes are done in the order of the calls.
/// - Canceling the calling task before its transaction has begun throws `CancellationError` and changes nothing. A
///   transaction that has begun is completed.
/// - Every method throws ``StoreError``.
/// - Ids and names of groups are any strings. Strings that are equal in Swift are the same id.
public protocol StreamStore: Sendable {
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

    // MARK: Durable runs

    /// Returns the run of every stream that has one, in the order of the streams, without the texts of their
    /// checkpoints.
    func runs() async throws -> [StoredRun]

    /// Returns the run of a stream with the text of its checkpoint; `nil` if it has none.
    func run(of stream: String) async throws -> StoredRun?

    /// Returns the number of the last run that a stream has had, removed runs and those of a removed stream included; 0 if
    /// it has had none. The next run has a greater number, so that a cursor never means an output of another run.
    func lastRun(of stream: String) async throws -> Int

    /// Stores the state of a run: its checkpoint, its inputs, and its outputs, all or none.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)`` when there is no such stream; ``StoreError/Kind/staleRun(stream:run:current:)``
    ///   when the run is not the one that is stored, or, of a new one, not later than all that the stream has had;
    ///   ``StoreError/Kind/outputGap(stream:run:expected:given:)`` when an output is missing before the first that is new.
    func commit(_ commit: RunCommit) async throws

    /// Stores the progress of runs, each as `commit(_:)` does, with as few transactions as possible.
    ///
    /// - Parameter commits: the commits, those of one run in their order.
    /// - Returns: the error of each commit; `nil` for one that is stored. After a commit of a stream fails, its later
    ///   ones fail too.
    func commit(_ commits: [RunCommit]) async -> [(any Error)?]

    /// Returns the inputs of a stream's run since its checkpoint, in order.
    func journal(of stream: String) async throws -> [StreamInput]

    /// Returns the outputs of a run, in order. 8 MB of values end the list early, with at least one output.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - run: the number of the run; `nil` for the newest.
    ///   - sequence: the number of the output after which to begin; 0 for the first.
    ///   - limit: the largest number of outputs to return.
    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput]

    /// Returns the outputs of all runs of a stream after one of them, in order. 8 MB of values end the list early, with at
    /// least one output.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - run: the number of the run of the output after which to begin; 0 for the first output that is kept.
    ///   - sequence: the number of that output in its run.
    ///   - limit: the largest number of outputs to return.
    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput]

    /// Removes the runs of a stream: state, checkpoint, journal, and outputs. Their numbers are not used again. Does nothing
    /// for a stream without runs.
    func forgetRun(of stream: String) async throws

    /// Removes everything beyond the retention limits. Other writes may happen in between.
    func trim(_ retention: Retention) async throws

    // MARK: The store itself

    /// Checks that the store can be read, and that written data can be found again.
    ///
    /// - Throws: ``StoreError/Kind/moved(reason:)`` when its file was deleted, moved, or replaced.
    func check() async throws
}

extension StreamStore {
    /// Does nothing: a store in memory is always available.
    public func check() async throws {}

    /// Stores the progress of runs, one after the other.
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

    /// Adds streams, all or none, and returns them as stored.
    ///
    /// - Throws: ``StoreError/Kind/taken(id:)`` when an id exists or occurs twice.
    @discardableResult
    public func create(_ drafts: [StreamDraft], by author: String?) async throws -> [StoredStream] {
        try await create(drafts, replacing: false, by: author)
    }
}
