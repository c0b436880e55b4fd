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
public protocol StreamStore: DefinitionStore {
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

    /// Removes outputs beyond the retention limits, of the streams that have grown much since they were trimmed. A store
    /// that does not fill a disk has nothing to do. Other writes may happen in between.
    ///
    /// - Throws: ``StoreError``. What was removed by then stays removed, and ``DefinitionStore/trim(_:)`` removes the rest.
    /// - Cancellation: As an error, between two parts.
    func trimGrown(_ retention: Retention) async throws
}

extension StreamStore {
    /// Does nothing: a store in memory fills no disk.
    public func trimGrown(_ retention: Retention) async throws {}

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
}
