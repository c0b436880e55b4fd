public import SluiceStreams

/// Everything but documents and groups is in the store of the runs.
extension SharedStreamStore {
    /// As ``StreamStore/trimGrown(_:)``.
    public func trimGrown(_ retention: Retention) async throws { try await runs.trimGrown(retention) }

    // MARK: Runs

    /// As ``StreamStore/runs()``.
    public func runs() async throws -> [StoredRun] { try await runs.runs() }

    /// As ``StreamStore/run(of:)``.
    public func run(of stream: String) async throws -> StoredRun? { try await runs.run(of: stream) }

    /// As ``StreamStore/lastRun(of:)``.
    public func lastRun(of stream: String) async throws -> Int { try await runs.lastRun(of: stream) }

    /// As `StreamStore.commit(_:)`.
    public func commit(_ commit: RunCommit) async throws { try await runs.commit(commit) }

    /// As `StreamStore.commit(_:)`, of several.
    public func commit(_ commits: [RunCommit]) async -> [(any Error)?] { await runs.commit(commits) }

    /// As ``StreamStore/journal(of:)``.
    public func journal(of stream: String) async throws -> [StreamInput] { try await runs.journal(of: stream) }

    /// As ``StreamStore/outputs(of:run:after:limit:)``.
    public func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await runs.outputs(of: stream, run: run, after: sequence, limit: limit)
    }

    /// As ``StreamStore/outputs(of:afterRun:sequence:limit:)``.
    public func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput]
    {
        try await runs.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit)
    }

    /// As ``StreamStore/forgetRun(of:)``.
    public func forgetRun(of stream: String) async throws { try await runs.forgetRun(of: stream) }

    // MARK: Sinks

    /// As ``SinkStore/sinks()``.
    public func sinks() async throws -> [StoredSink] { try await runs.sinks() }

    /// As ``SinkStore/sinks(of:)``.
    public func sinks(of stream: String) async throws -> [StoredSink] { try await runs.sinks(of: stream) }

    /// As ``SinkStore/deliveries(of:sink:)``.
    public func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery] {
        try await runs.deliveries(of: stream, sink: sink)
    }

    /// As `SinkStore.commit(_:)`.
    public func commit(_ commits: [SinkCommit]) async throws { try await runs.commit(commits) }

    /// As ``SinkStore/removeSink(_:of:)``.
    public func removeSink(_ id: String, of stream: String) async throws { try await runs.removeSink(id, of: stream) }

    /// As ``SinkStore/deadLetters(of:sink:after:limit:)``.
    public func deadLetters(
        of stream: String,
        sink: String?,
        after number: Int,
        limit: Int
    ) async throws -> [StoredDeadLetter] {
        try await runs.deadLetters(of: stream, sink: sink, after: number, limit: limit)
    }

    /// As ``SinkStore/deadLettersToResend(of:limit:)``.
    public func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int] {
        try await runs.deadLettersToResend(of: stream, limit: limit)
    }

    /// As ``SinkStore/deadLetter(_:of:)``.
    public func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        try await runs.deadLetter(number, of: stream)
    }

    /// As ``SinkStore/replaceDeadLetter(_:)``.
    public func replaceDeadLetter(_ letter: StoredDeadLetter) async throws { try await runs.replaceDeadLetter(letter) }

    /// As ``SinkStore/removeDeadLetter(_:of:)``.
    public func removeDeadLetter(_ number: Int, of stream: String) async throws {
        try await runs.removeDeadLetter(number, of: stream)
    }

    /// As ``SinkStore/deadLetterCounts(of:)``.
    public func deadLetterCounts(of stream: String) async throws -> [String: Int] {
        try await runs.deadLetterCounts(of: stream)
    }

    /// As ``SinkStore/name(ofRun:of:)``.
    public func name(ofRun run: Int, of stream: String) async throws -> String {
        try await runs.name(ofRun: run, of: stream)
    }

    /// As ``SinkStore/leases()``.
    public func leases() async throws -> [StoredLease] { try await runs.leases() }

    /// As ``SinkStore/storeLease(_:)``.
    public func storeLease(_ lease: StoredLease) async throws { try await runs.storeLease(lease) }

    // MARK: Tokens

    /// As ``TokenStore/tokens()``.
    public func tokens() async throws -> [StoredToken] { try await runs.tokens() }

    /// As ``TokenStore/addToken(_:)``.
    public func addToken(_ token: StoredToken) async throws { try await runs.addToken(token) }

    /// As ``TokenStore/removeToken(_:)``.
    public func removeToken(_ name: String) async throws { try await runs.removeToken(name) }
}
