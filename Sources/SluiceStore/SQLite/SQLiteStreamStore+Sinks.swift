#if SQLite
public import SluiceRuns

extension SQLiteStreamStore: SinkStore {
    /// As ``SluiceRuns/SinkStore/sinks()``.
    public func sinks() async throws -> [StoredSink] { try await read { try $0.sinks(of: nil) } }

    /// As ``SluiceRuns/SinkStore/sinks(of:)``.
    public func sinks(of stream: String) async throws -> [StoredSink] { try await read { try $0.sinks(of: stream) } }

    /// As ``SluiceRuns/SinkStore/deliveries(of:sink:)``.
    public func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery] {
        try await read { try $0.deliveries(of: stream, sink: sink) }
    }

    /// As ``SluiceRuns/SinkStore/commit(_:)``.
    public func commit(_ commits: [SinkCommit]) async throws { try await write { try $0.commit(commits) } }

    /// As ``SluiceRuns/SinkStore/removeSink(_:of:)``.
    public func removeSink(_ id: String, of stream: String) async throws {
        try await write { try $0.removeSink(id, of: stream) }
    }

    /// As ``SluiceRuns/SinkStore/deadLetters(of:sink:after:limit:)``.
    public func deadLetters(
        of stream: String,
        sink: String?,
        after number: Int,
        limit: Int
    ) async throws -> [StoredDeadLetter] {
        try await read { try $0.deadLetters(of: stream, sink: sink, after: number, limit: limit) }
    }

    /// As ``SluiceRuns/SinkStore/deadLettersToResend(of:limit:)``.
    public func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int] {
        try await read { try $0.deadLettersToResend(of: stream, limit: limit) }
    }

    /// As ``SluiceRuns/SinkStore/deadLetter(_:of:)``.
    public func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        try await read { try $0.deadLetters(of: stream, number: number).first }
    }

    /// As ``SluiceRuns/SinkStore/replaceDeadLetter(_:)``.
    public func replaceDeadLetter(_ letter: StoredDeadLetter) async throws {
        try await write { try $0.replaceDeadLetter(letter) }
    }

    /// As ``SluiceRuns/SinkStore/removeDeadLetter(_:of:)``.
    public func removeDeadLetter(_ number: Int, of stream: String) async throws {
        try await write { try $0.removeDeadLetter(number, of: stream) }
    }

    /// As ``SluiceRuns/SinkStore/deadLetterCounts(of:)``.
    public func deadLetterCounts(of stream: String) async throws -> [String: Int] {
        try await read { try $0.deadLetterCounts(of: stream) }
    }

    /// As ``SluiceRuns/SinkStore/name(ofRun:of:)``.
    public func name(ofRun run: Int, of stream: String) async throws -> String {
        let new = ULID.make(at: now())
        return try await write { try $0.name(ofRun: run, of: stream, orStore: new) }
    }

    /// As ``SluiceRuns/SinkStore/leases()``.
    public func leases() async throws -> [StoredLease] { try await read { try $0.leases() } }

    /// As ``SluiceRuns/SinkStore/storeLease(_:)``.
    public func storeLease(_ lease: StoredLease) async throws { try await write { try $0.store(lease) } }
}
#endif
