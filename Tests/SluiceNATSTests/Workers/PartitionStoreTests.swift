#if NATS
import Foundation
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(2))) struct PartitionStoreTests {
    private let document = StoredStream(
        id: "s",
        revision: 1,
        name: nil,
        text: "{}",
        time: Date(timeIntervalSince1970: 0)
    )
    private let subject = "sluice.runs.g.s.1.0"

    private func opened(_ connected: Connected) async throws -> (PartitionLog, [PartitionLog.Record]) {
        try await PartitionLog.takeOver(subject, by: "w", over: connected.connection, clock: ContinuousClock())
    }

    private func create(_ connected: Connected) async throws {
        try await connected.connection.perform { connection in
            var settings = NATSStreamSettings(name: PartitionLog.stream, subjects: ["sluice.runs.>"])
            settings.allowsReplacing = true
            try connection.createStream(settings)
        }
    }

    private func store(_ log: (PartitionLog, [PartitionLog.Record]), upTo end: String? = nil) async throws
        -> PartitionStore
    {
        try await PartitionStore(document, log.0, log.1, upTo: end) {}
    }

    private func commit(_ run: Int, state: String = "running", isNewRun: Bool = true, outputs: Range<Int>)
        -> RunCommit
    {
        RunCommit(
            stream: "s",
            run: run,
            isNewRun: isNewRun,
            revision: 1,
            state: state,
            savedAt: Date(timeIntervalSince1970: 0),
            checkpoint: isNewRun ? "{}" : nil,
            outputs: outputs.map { StoredOutput(run: run, sequence: $0, time: .zero, kind: .value, text: "1") }
        )
    }

    /// A worker that is to end while it repeats a log leaves nothing of it out, which the next state would remove for good.
    @Test func aLogIsRepeatedInFullOrNotAtAll() async throws {
        let connected = try await Connected()
        try await create(connected)
        let first = try await store(opened(connected))
        for run in 1...3 { try await first.commit(commit(run, outputs: 1..<2)) }
        let log = try await opened(connected)
        let canceled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await self.store(log)
        }
        await #expect(throws: CancellationError.self) { try await canceled.value }
        #expect(try await store(log).lastRun(of: "s") == 3)
    }

    /// The deliveries of a run are done when nothing is left to deliver, whatever the run has put out.
    @Test func aSinkIsAtWorkWhileOutputsFollowItsCursor() async throws {
        let connected = try await Connected()
        try await create(connected)
        let store = try await store(opened(connected))
        #expect(try await store.sinksAtWork(of: ["to"]) == [])
        try await store.commit(commit(1, outputs: 1..<1))
        // From the start, and nothing was put out.
        try await store.commit([SinkCommit(sink: StoredSink(stream: "s", id: "to", cursor: .start))])
        #expect(try await store.sinksAtWork(of: ["to"]) == [])
        try await store.commit(commit(1, isNewRun: false, outputs: 1..<3))
        #expect(try await store.sinksAtWork(of: ["to"]) == ["to"])
        // One that is not stored yet.
        #expect(try await store.sinksAtWork(of: ["to", "new"]) == ["new", "to"])
        let place = OutputPlace(run: 1, sequence: 2)
        try await store.commit([SinkCommit(sink: StoredSink(stream: "s", id: "to", cursor: place))])
        #expect(try await store.sinksAtWork(of: ["to"]) == [])
        // A run that follows, and has put out nothing.
        try await store.commit(commit(2, state: "completed", outputs: 1..<1))
        #expect(try await store.sinksAtWork(of: ["to"]) == [])
        #expect(try await store.runState() == .completed)
    }
}
#endif
