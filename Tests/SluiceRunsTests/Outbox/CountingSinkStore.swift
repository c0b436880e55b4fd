import Sluice
import SluiceStreams

@testable import SluiceRuns

/// The numbers of what was read from a store.
final class SinkReads: Sendable {
    /// The number of dead letters.
    let letters = Locked(0)
    /// The number of writes of sinks.
    let commits = Locked(0)
    /// The call that is made when the store has done what it was asked for, before the asker goes on.
    let onDone = Locked<(@Sendable () async -> Void)?>(nil)
    /// A Boolean value that indicates whether calls do not return.
    let isHolding = Locked(false)
    /// A Boolean value that indicates whether the store refuses writes of sinks.
    let isFailing = Locked(false)
    /// The number of removals of sinks that are refused.
    let refusals = Locked(0)

    func done() async {
        while isHolding.withLock({ $0 }) { await Task.yield() }
        await onDone.withLock { $0 }?()
    }
}

/// A store that counts the dead letters that are read from it, and that lets a test act in the middle of its calls.
final class CountingSinkStore: SinkStore, ForwardingStore {
    private let memory: MemoryStreamStore
    let base: CountingStore
    private let reads: SinkReads

    init(_ memory: MemoryStreamStore, _ reads: SinkReads) {
        (self.memory, base, self.reads) = (memory, CountingStore(memory), reads)
    }

    func deadLetters(of stream: String, sink: String?, after number: Int, limit: Int) async throws -> [StoredDeadLetter]
    {
        let letters = try await memory.deadLetters(of: stream, sink: sink, after: number, limit: limit)
        reads.letters.withLock { $0 += letters.count }
        await reads.done()
        return letters
    }
    func deadLetter(_ number: Int, of stream: String) async throws -> StoredDeadLetter? {
        reads.letters.withLock { $0 += 1 }
        return try await memory.deadLetter(number, of: stream)
    }
    func deadLettersToResend(of stream: String, limit: Int) async throws -> [Int] {
        try await memory.deadLettersToResend(of: stream, limit: limit)
    }
    func sinks() async throws -> [StoredSink] { try await memory.sinks() }
    func sinks(of stream: String) async throws -> [StoredSink] {
        let sinks = try await memory.sinks(of: stream)
        await reads.done()
        return sinks
    }
    func deliveries(of stream: String, sink: String) async throws -> [StoredDelivery] {
        let deliveries = try await memory.deliveries(of: stream, sink: sink)
        await reads.done()
        return deliveries
    }
    func commit(_ commits: [SinkCommit]) async throws {
        if reads.isFailing.withLock({ $0 }) { throw StoreError(.unavailable(reason: "it is away")) }
        try await memory.commit(commits)
        reads.commits.withLock { $0 += 1 }
        await reads.done()
    }
    func removeSink(_ id: String, of stream: String) async throws {
        let isRefused = reads.refusals.withLock { count in
            count -= 1
            return count >= 0
        }
        if isRefused { throw StoreError(.busy) }
        try await memory.removeSink(id, of: stream)
    }
    func replaceDeadLetter(_ letter: StoredDeadLetter) async throws { try await memory.replaceDeadLetter(letter) }
    func removeDeadLetter(_ number: Int, of stream: String) async throws {
        try await memory.removeDeadLetter(number, of: stream)
    }
    func deadLetterCounts(of stream: String) async throws -> [String: Int] {
        let counts = try await memory.deadLetterCounts(of: stream)
        await reads.done()
        return counts
    }
    func name(ofRun run: Int, of stream: String) async throws -> String {
        let name = try await memory.name(ofRun: run, of: stream)
        await reads.done()
        return name
    }

    func leases() async throws -> [StoredLease] { try await memory.leases() }
    func storeLease(_ lease: StoredLease) async throws { try await memory.storeLease(lease) }

    // MARK: Runs

    func outputs(of stream: String, afterRun run: Int, sequence: Int, limit: Int) async throws -> [StoredOutput] {
        let outputs = try await base.outputs(of: stream, afterRun: run, sequence: sequence, limit: limit)
        await reads.done()
        return outputs
    }
}
