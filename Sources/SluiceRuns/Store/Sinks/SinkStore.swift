/// A change of a sink's state that is stored in one transaction.
public struct SinkCommit: Sendable, Codable {
    /// The state of the sink, which replaces the stored one.
    public var sink: StoredSink
    /// Deliveries whose requests are fixed now. One with the place of another replaces it.
    public var fixed: [StoredDelivery]
    /// The first places of deliveries that have ended.
    public var ended: [OutputPlace]
    /// The deliveries that are given up; the store assigns their numbers.
    public var letters: [StoredDeadLetter]

    /// Creates a change.
    public init(
        sink: StoredSink,
        fixed: [StoredDelivery] = [],
        ended: [OutputPlace] = [],
        letters: [StoredDeadLetter] = []
    ) {
        (self.sink, self.fixed, self.ended, self.letters) = (sink, fixed, ended, letters)
    }
}

/// A store of what sinks have delivered.
///
/// The rules of ``StreamStore`` hold. ``DefinitionStore/trim(_:)`` keeps the outputs after the cursor of any sink. A stream
/// that is removed takes its sinks and dead letters along; ``StreamStore/forgetRun(of:)`` removes the deliveries of its
/// sinks, and keeps the cursors and the dead letters.
public protocol SinkStore: StreamStore {
    /// Returns the sinks of all streams, in the order of streams and ids.
    func sinks() async throws -> [StoredSink]

    /// Returns the sinks of a stream, in the order of their ids.
    func sinks(of stream: String) async throws -> [StoredSink]

    /// Returns the deliveries of a sink that are not acknowledged, in the order of their places.
    func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery]

    /// Stores changes of sinks, all or none. A sink that is not stored is added.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)`` when there is no such stream.
    func commit(_ commits: [SinkCommit]) async throws

    /// Removes a sink and its deliveries; does nothing if it does not exist. Its dead letters are kept.
    func removeSink(_ id: String, of stream: String) async throws

    /// Returns the dead letters of a stream in the order of their numbers. 8 MB of outputs and requests end the list early.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - sink: the sink; `nil` for all.
    ///   - number: the number after which to begin; 0 for the first.
    ///   - limit: the largest number of letters to return.
    func deadLetters(of stream: String, sink: String?, after number: Int, limit: Int) async throws -> [StoredDeadLetter]

    /// Returns the numbers of the dead letters of a stream that are being sent again, in order.
    ///
    /// - Parameters:
    ///   - stream: the stream.
    ///   - limit: the largest number of letters.
    func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int]

    /// Returns a dead letter of a stream; `nil` if it does not exist.
    func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter?

    /// Replaces the dead letter with the same number; does nothing if it does not exist.
    func replaceDeadLetter(_ letter: StoredDeadLetter) async throws

    /// Removes a dead letter; does nothing if it does not exist.
    func removeDeadLetter(_ number: Int, of stream: String) async throws

    /// Returns the number of dead letters of each sink of a stream.
    func deadLetterCounts(of stream: String) async throws -> [String: Int]

    /// Returns the name of a run, which no other run of any store has: a ULID. The first call stores it.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)`` when there is no such stream.
    func name(ofRun run: Int, of stream: String) async throws -> String

    /// Returns the leases of all streams that have had one, also of removed streams.
    func leases() async throws -> [StoredLease]

    /// Stores the lease of a stream in the place of the one before. It stays when the stream is removed.
    ///
    /// - Throws: ``StoreError/Kind/missing(id:)`` when there is no such stream.
    func storeLease(_ lease: StoredLease) async throws
}
