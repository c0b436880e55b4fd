#if HTTP
import HTTPTypes
import Sluice
import SluiceFilters
import SluiceHTTP
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The store of one stream in the hub, as the member that holds the stream's lease uses it.
///
/// A write is sent again until the hub has answered, and the hub does it once. Writes are sent one after the other. When the
/// lease is over, every call throws an error.
final class LeasedStore<C: Clock>: SinkStore where C.Duration == Duration {
    private let hub: HubClient
    private let group: String
    private let stream: String
    private let clock: C
    private let number: Int
    /// Returns a Boolean value that indicates whether the member may act under the lease.
    private let holds: @Sendable () -> Bool
    /// Is called when the hub answers that the lease has ended.
    private let onLoss: @Sendable () -> Void
    /// The lock that the write holds that is being sent.
    private let sending = AsyncLock()
    private let lastWrite = Locked(0)

    init(
        _ hub: HubClient,
        group: String,
        stream: String,
        number: Int,
        clock: C,
        holds: @escaping @Sendable () -> Bool,
        onLoss: @escaping @Sendable () -> Void
    ) {
        (self.hub, self.group, self.stream, self.number, self.clock) = (hub, group, stream, number, clock)
        (self.holds, self.onLoss) = (holds, onLoss)
    }

    // MARK: Calls

    private func read<Value: Codable & Sendable>(_ call: LeasedCall) async throws -> Value? {
        guard holds() else { throw Self.over }
        do {
            let body = try SluiceJSONEncoder().bytes(LeasedRequest(write: nil, call: call))
            return try await hub.call(body, under: number, of: stream, in: group)
        } catch let error as HTTPError { throw failure(error) }
    }

    private func list<Element: Codable & Sendable>(_ call: LeasedCall) async throws -> [Element] {
        try await read(call) ?? []
    }

    /// Sends a write until the hub has answered.
    @discardableResult
    private func write<Value: Codable & Sendable>(_ call: LeasedCall, as type: Value.Type = Int.self) async throws
        -> Value?
    {
        await sending.lock()
        defer { sending.unlock() }
        let write = lastWrite.withLock { last in
            last += 1
            return last
        }
        let body = try SluiceJSONEncoder().bytes(LeasedRequest(write: write, call: call))
        while true {
            guard holds() else { throw Self.over }
            do { return try await hub.call(body, under: number, of: stream, in: group) } catch let error as HTTPError {
                // Without an answer it is unknown whether it was done.
                guard error.response == nil || error.code == .badBody else { throw failure(error) }
                try Task.checkCancellation()
                try await clock.sleep(for: .milliseconds(200))
            }
        }
    }

    private func failure(_ error: HTTPError) -> any Error {
        switch error.response?.status.code {
        case 404: return StoreError(.missing(id: stream))
        case 412:
            onLoss()
            return Self.over
        default: return StoreError(.unavailable(reason: "the hub: \(error.reason)"))
        }
    }

    private static var over: StoreError { StoreError(.unavailable(reason: "the lease of the stream has ended")) }

    // MARK: Runs

    func run(of stream: String) async throws -> StoredRun? { try await read(.run) }
    func lastRun(of stream: String) async throws -> Int { try await read(.lastRun) ?? 0 }
    func journal(of stream: String) async throws -> [StreamInput] { try await list(.journal) }
    func commit(_ commit: RunCommit) async throws { try await write(.commit(run: commit)) }

    func forgetRun(of stream: String) async throws { try await write(.forgetRun) }

    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await list(.outputsOfRun(run: run, after: sequence, limit: limit))
    }

    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await list(.outputs(after: OutputPlace(run: run, sequence: sequence), limit: limit))
    }

    // MARK: Sinks

    func sinks() async throws -> [StoredSink] { try await list(.sinks) }
    func sinks(of stream: String) async throws -> [StoredSink] { try await list(.sinks) }
    func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery] {
        try await list(.deliveries(sink: sink))
    }
    func commit(_ commits: [SinkCommit]) async throws { try await write(.commitSinks(sinks: commits)) }
    func removeSink(_ id: String, of stream: String) async throws { try await write(.removeSink(sink: id)) }
    func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int] {
        try await list(.lettersToResend(limit: limit))
    }
    func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        try await read(.letter(number: number))
    }
    func replaceDeadLetter(_ letter: StoredDeadLetter) async throws { try await write(.replaceLetter(letter: letter)) }
    func removeDeadLetter(_ number: Int, of stream: String) async throws {
        try await write(.removeLetter(number: number))
    }
    func deadLetterCounts(of stream: String) async throws -> [String: Int] { try await read(.letterCounts) ?? [:] }
    func name(ofRun run: Int, of stream: String) async throws -> String {
        guard let name = try await write(.name(run: run), as: String.self) else {
            throw StoreError(.missing(id: stream))
        }
        return name
    }

    // MARK: Commands

    /// Answers a command that the hub has forwarded.
    func answer(_ order: Int, _ outcome: LeasedOutcome) async throws {
        try await write(.answer(order: order, outcome: outcome))
    }

    // MARK: What a member does not do

    private var refusal: StoreError {
        StoreError(.unavailable(reason: "a member of a group can't do this to the hub's store"))
    }

    func list() async throws -> [StoredStream] { [] }
    func read(_ id: String) async throws -> StoredStream? { nil }
    func history(of id: String) async throws -> [StreamRevision] { [] }
    func revision(_ number: Int, of id: String) async throws -> StoredStream? { nil }
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        throw refusal
    }
    func replace(with draft: StreamDraft, ifRevision revision: Int, by author: String?) async throws -> StoredStream {
        throw refusal
    }
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] { throw refusal }
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws { throw refusal }
    func groups() async throws -> [StoredGroup] { [] }
    func createGroup(_ name: String) async throws { throw refusal }
    func removeGroup(_ name: String) async throws { throw refusal }
    func assign(_ stream: String, to group: String) async throws { throw refusal }
    func unassign(_ stream: String, from group: String) async throws { throw refusal }
    func runs() async throws -> [StoredRun] { [] }
    func trim(_ retention: Retention) async throws {}
    func deadLetters(of stream: String, sink: String?, after number: Int, limit: Int) async throws -> [StoredDeadLetter]
    { throw refusal }
    func leases() async throws -> [StoredLease] { [] }
    func storeLease(_ lease: StoredLease) async throws { throw refusal }
}
#endif
