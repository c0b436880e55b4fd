#if NATS
import Foundation
import Sluice
import SluiceJSON
import SluiceRuns
import SluiceStreams

/// The store of a partition's run and sinks: a store in memory, of which every write is a record of a log first.
///
/// What a worker has stored is what the log has. A worker that takes the log over repeats its records, and continues where the
/// one before has ended. From time to time the state is appended as a whole, and the records before it are removed.
final class PartitionStore: SinkStore {
    /// A write as the log has it.
    private enum Call: Codable {
        case store(call: LeasedCall)
        case name(run: Int, name: String)
        /// The checkpoint of the run without its groups, and the groups.
        case handOver(rest: RunCommit?, groups: HandedGroups)
        /// Groups of a partition of the division before, which came before the first owner. A worker of an earlier version can't
        /// read them, and leaves the partition alone.
        case arrive(groups: HandedGroups)
    }

    private struct Size {
        /// The bytes of the records since the last state.
        var records = 0
        /// The size of the last state.
        var state = 0
    }

    private let stream: String
    private let log: PartitionLog
    private let memory = MemoryStreamStore()
    /// The lock of a write: records are in the order in which they have an effect.
    private let writing = AsyncLock()
    private let size = Locked(Size())
    private let isClosed = Locked(false)
    /// The removal of the records before the last state.
    private let removal = Locked<Task<Void, Never>?>(nil)
    /// The position of the last message that the run is to read; `nil` without an end.
    private let end: String?
    /// A Boolean value that indicates whether the run has stored that position.
    private let isAtEnd = Locked(false)
    /// The groups that have come from the division before, by the number of their partition, before the run has begun.
    private let arrivals = Locked<[Int: HandedGroups]>([:])
    /// The groups that the run has given away.
    private let given = Locked<HandedGroups?>(nil)
    /// Is called once when another worker has the log.
    private let onLoss: @Sendable () -> Void

    /// Creates the store of a log that was taken over.
    ///
    /// - Parameters:
    ///   - document: The document of the stream.
    ///   - log: The log.
    ///   - records: The records of the log from its last state.
    ///   - end: The position of the last message that the run is to read.
    ///   - onLoss: A closure that is called when another worker has the log.
    init(
        _ document: StoredStream,
        _ log: PartitionLog,
        _ records: [PartitionLog.Record],
        upTo end: String?,
        onLoss: @escaping @Sendable () -> Void
    ) async throws {
        (stream, self.log, self.end, self.onLoss) = (document.id, log, end, onLoss)
        try await memory.takeOver([document])
        for record in records {
            switch record.kind {
            case .owner, .released: break
            case .state:
                let state = try SluiceJSONDecoder().decode(PartitionState.self, from: record.bytes)
                try memory.restore(state.stream, of: stream)
                note(checkpoint: state.stream.run?.checkpoint, state.stream.journal)
                given.withLock { $0 = state.handed }
                arrivals.withLock { $0 = [:] }
                size.withLock { $0 = Size(records: 0, state: record.bytes.count) }
            case .calls:
                // What the store has refused once it refuses again.
                for call in try SluiceJSONDecoder().decode([Call].self, from: record.bytes) {
                    do { try await perform(call) } catch is StoreError {}
                }
                size.withLock { $0.records += record.bytes.count }
            }
        }
        // A store in memory refuses what a canceled task asks for: nothing of a log may be left out.
        try Task.checkCancellation()
    }

    // MARK: Writing

    private func write<Value>(_ calls: [Call], _ effect: () async throws -> Value) async throws -> Value {
        await writing.lock()
        defer { writing.unlock() }
        let bytes = try SluiceJSONEncoder().bytes(calls)
        try await append(.calls, bytes)
        let value = try await effect()
        let isLarge = size.withLock { size in
            size.records += bytes.count
            return size.records > max(1 << 20, 4 * size.state)
        }
        if isLarge { try await compact() }
        return value
    }

    private func append(_ kind: PartitionLog.Kind, _ bytes: [UInt8] = []) async throws {
        do {
            try await log.append(kind, bytes) { self.isOpen }
        } catch is PartitionLog.LostError {
            onLoss()
            throw StoreError(.unavailable(reason: "another worker has the partition"))
        } catch let error as NATSError {
            throw StoreError(error)
        }
    }

    /// Appends the state, and removes the records before it.
    private func compact() async throws {
        try await memory.trim(Retention(revisions: 1, outputs: 1_000))
        let bytes = try SluiceJSONEncoder().bytes(PartitionState(try memory.state(of: stream), handed: handed))
        do {
            let first = try await log.append(.state, bytes) { self.isOpen }
            size.withLock { $0 = Size(records: 0, state: bytes.count) }
            // One by one, where the state is larger than a message: the run goes on meanwhile.
            removal.withLock { [log] removal in
                let before = removal
                removal = Task {
                    await before?.value
                    try? await log.remove(before: first)
                }
            }
        } catch is PartitionLog.LostError {
            onLoss()
        } catch is NATSError {}  // the records stay, and the next state replaces them
    }

    private func perform(_ call: Call) async throws {
        switch call {
        case .arrive(let groups):
            // One that comes later is an attempt that was repeated.
            guard try await memory.run(of: stream) == nil, (0..<StreamPartition.counts.upperBound).contains(groups.from)
            else { return }
            arrivals.withLock { $0[groups.from] = groups }
        case .handOver(let rest, let groups):
            if let rest { try await memory.commit(rest) }
            given.withLock { $0 = groups }
        case .name(let run, let name): try memory.setName(name, ofRun: run, of: stream)
        case .store(.commit(let commit)):
            try await memory.commit(commit)
            note(checkpoint: commit.checkpoint, commit.inputs)
        case .store(.commitSinks(let commits)): try await memory.commit(commits)
        case .store(.removeSink(let sink)): try await memory.removeSink(sink, of: stream)
        case .store(.replaceLetter(let letter)): try await memory.replaceDeadLetter(letter)
        case .store(.removeLetter(let number)): try await memory.removeDeadLetter(number, of: stream)
        case .store(.forgetRun): try await memory.forgetRun(of: stream)
        default: break
        }
    }

    private func write(_ call: LeasedCall) async throws {
        try await write([.store(call: call)]) { try await perform(.store(call: call)) }
    }

    // MARK: The log

    /// Checks that this worker has the partition.
    ///
    /// - Throws: ``NATSError`` where the server does not answer.
    func verify() async throws {
        do { try await log.verify() } catch let error as PartitionLog.LostError {
            onLoss()
            throw error
        }
    }

    /// Gives the partition up: another worker can have it at once.
    func release() async {
        await writing.lock()
        defer { writing.unlock() }
        // The next worker has less to read, and does not wait for the removal of what was before.
        let (records, state) = size.withLock { ($0.records, $0.state) }
        if records > 256 << 10, records + state < log.largestRecord { try? await compact() }
        isClosed.withLock { $0 = true }
        try? await append(.released)
    }

    private var isOpen: Bool { isClosed.withLock { !$0 } }

    /// Ends the repetition of writes that have no answer.
    func giveUp() { isClosed.withLock { $0 = true } }

    // MARK: Progress

    /// Notes whether the run has reached its end: the position is among its inputs, or in the checkpoint that replaces them.
    private func note(checkpoint: String?, _ inputs: [StreamInput]) {
        guard let end, !isAtEnd.withLock({ $0 }) else { return }
        let isThere =
            inputs.contains { $0.position == end }
            || checkpoint.map { $0.contains("\"\(end)\"") || $0.contains("\"\(end.replacing("/", with: "\\/"))\"") }
                ?? false
        if isThere { isAtEnd.withLock { $0 = true } }
    }

    /// A Boolean value that indicates whether the run has read all that it is to read.
    var hasReadAll: Bool { isAtEnd.withLock { $0 } }

    /// The state of the run, as far as it is stored.
    func runState() async throws -> RunState? {
        try await memory.run(of: stream).flatMap { RunState(rawValue: $0.state) }
    }

    /// Returns the sinks that have not delivered all outputs that are stored.
    ///
    /// - Parameter ids: The ids of the document's sinks.
    func sinksAtWork(of ids: [String]) async throws -> [String] {
        let sinks = try await memory.sinks(of: stream)
        let cursors = Dictionary(sinks.map { ($0.id, $0.cursor) }) { first, _ in first }
        var result: [String] = []
        // A sink that is not stored yet has delivered nothing.
        for id in Set(ids).union(cursors.keys).sorted() {
            let cursor = cursors[id] ?? .start
            let rest = try await memory.outputs(
                of: stream,
                afterRun: cursor.run,
                sequence: cursor.sequence,
                limit: 1
            )
            if !rest.isEmpty { result.append(id) }
        }
        return result
    }

    // MARK: Groups

    /// The groups that have come from the division before, and that the run is to begin with, in the order of their partitions.
    var arrived: [HandedGroups] { arrivals.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    /// The groups that the run has given to the next division; `nil` before.
    var handed: HandedGroups? { given.withLock { $0 } }

    /// Returns the record that gives groups to a partition.
    static func arrival(of groups: HandedGroups) throws -> [UInt8] {
        try SluiceJSONEncoder().bytes([Call.arrive(groups: groups)])
    }

    /// Stores the run that begins with the groups that have come, in place of them.
    func begin(_ run: RunCommit) async throws {
        await writing.lock()
        defer { writing.unlock() }
        try await memory.commit(run)
        let bytes = try SluiceJSONEncoder().bytes(PartitionState(try memory.state(of: stream), handed: nil))
        try await append(.state, bytes)
        size.withLock { $0 = Size(records: 0, state: bytes.count) }
        arrivals.withLock { $0 = [:] }
    }

    /// Returns the run with its checkpoint; `nil` where the run has taken or put out something since.
    ///
    /// The groups of an older checkpoint hold items that the run has put out already, such as those of `delay`. They would come again.
    func completeCheckpoint() async throws -> (run: StoredRun, checkpoint: StreamCheckpoint)? {
        guard let run = try await memory.run(of: stream), let text = run.checkpoint,
            try await memory.journal(of: stream).isEmpty
        else { return nil }
        let checkpoint = try StreamCheckpoint(parsing: text)
        let later = try await memory.outputs(of: stream, run: run.run, after: checkpoint.outputs, limit: 1000)
        // A run that has failed, and was resumed, has the failure among its outputs.
        return later.allSatisfy { $0.kind == .failed } ? (run, checkpoint) : nil
    }

    /// Stores that the run has given groups away, and its checkpoint without them, in one step.
    ///
    /// - Parameter rest: The checkpoint; `nil` where the run has given nothing.
    func handOver(_ groups: HandedGroups, rest: RunCommit?) async throws {
        let call = Call.handOver(rest: rest, groups: groups)
        try await write([call]) { try await perform(call) }
    }

    // MARK: Runs

    func run(of stream: String) async throws -> StoredRun? { try await memory.run(of: stream) }
    func lastRun(of stream: String) async throws -> Int { try await memory.lastRun(of: stream) }
    func journal(of stream: String) async throws -> [StreamInput] { try await memory.journal(of: stream) }
    func commit(_ commit: RunCommit) async throws { try await write(.commit(run: commit)) }
    func forgetRun(of stream: String) async throws { try await write(.forgetRun) }

    func outputs(of stream: String, run: Int?, after sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await memory.outputs(of: stream, run: run, after: sequence, limit: limit)
    }

    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput] {
        try await memory.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit)
    }

    // MARK: Sinks

    func sinks() async throws -> [StoredSink] { try await memory.sinks() }
    func sinks(of stream: String) async throws -> [StoredSink] { try await memory.sinks(of: stream) }
    func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery] {
        try await memory.deliveries(of: stream, sink: sink)
    }
    func commit(_ commits: [SinkCommit]) async throws { try await write(.commitSinks(sinks: commits)) }
    func removeSink(_ id: String, of stream: String) async throws { try await write(.removeSink(sink: id)) }
    func deadLetters(of stream: String, sink: String?, after number: Int, limit: Int) async throws -> [StoredDeadLetter]
    { try await memory.deadLetters(of: stream, sink: sink, after: number, limit: limit) }
    func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int] {
        try await memory.deadLettersToResend(of: stream, limit: limit)
    }
    func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        try await memory.deadLetter(number, of: stream)
    }
    func replaceDeadLetter(_ letter: StoredDeadLetter) async throws { try await write(.replaceLetter(letter: letter)) }
    func removeDeadLetter(_ number: Int, of stream: String) async throws {
        try await write(.removeLetter(number: number))
    }
    func deadLetterCounts(of stream: String) async throws -> [String: Int] {
        try await memory.deadLetterCounts(of: stream)
    }

    func name(ofRun run: Int, of stream: String) async throws -> String {
        let known = try memory.state(of: stream).name(ofRun: run)
        if let known { return known }
        let call = Call.name(run: run, name: ULID.make(at: Date()))
        try await write([call]) { try await perform(call) }
        return try await memory.name(ofRun: run, of: stream)
    }

    // MARK: Documents, which a worker has from elsewhere

    private var refusal: StoreError {
        StoreError(.unavailable(reason: "the documents of workers are in the bucket of the hubs"))
    }

    func list() async throws -> [StoredStream] { try await memory.list() }
    func read(_ id: String) async throws -> StoredStream? { try await memory.read(id) }
    func history(of id: String) async throws -> [StreamRevision] { try await memory.history(of: id) }
    func revision(_ number: Int, of id: String) async throws -> StoredStream? {
        try await memory.revision(number, of: id)
    }
    func create(_ drafts: [StreamDraft], replacing: Bool, by author: String?) async throws -> [StoredStream] {
        throw refusal
    }
    func replace(_ edits: [StreamEdit], by author: String?) async throws -> [StoredStream] { throw refusal }
    func remove(_ id: String, ifRevision revision: Int, by author: String?) async throws { throw refusal }
    func groups() async throws -> [StoredGroup] { [] }
    func createGroup(_ name: String) async throws { throw refusal }
    func removeGroup(_ name: String) async throws { throw refusal }
    func assign(_ stream: String, to group: String) async throws { throw refusal }
    func unassign(_ stream: String, from group: String) async throws { throw refusal }
    func runs() async throws -> [StoredRun] { try await memory.runs() }
    func trim(_ retention: Retention) async throws {}
    func leases() async throws -> [StoredLease] { [] }
    func storeLease(_ lease: StoredLease) async throws { throw refusal }
}
#endif
