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

    // MARK: Groups

    private func groups(_ from: Int, size: Int = 1) throws -> HandedGroups {
        let text = #"""
            {"time": 5, "lastOrder": 2, "stage": {"states": {"windows": {"open": [1], "running": 0, "lastID": 1,
             "isCompleted": false}, "held": 1, "keys": ["k"]}}}
            """#
        return HandedGroups(
            from: from,
            by: "x",
            groups: try SluiceJSONDecoder().decode(MovingGroups.self, from: Array(text.utf8)),
            savedAt: Date(timeIntervalSince1970: 0),
            revision: 1,
            documents: [
                StoredStream(
                    id: "s",
                    revision: 1,
                    name: nil,
                    text: String(repeating: "t", count: size),
                    time: Date(timeIntervalSince1970: 0)
                )
            ]
        )
    }

    private func deposit(_ groups: HandedGroups, _ connected: Connected) async throws {
        let bytes = try PartitionStore.arrival(of: groups)
        try await PartitionLog.deposit(bytes, to: subject, over: connected.connection, clock: ContinuousClock()) {
            true
        }
    }

    /// An output after the checkpoint may be of an item that a group still holds there, and an input is in no group yet.
    @Test func groupsAreTakenFromACompleteCheckpoint() async throws {
        let connected = try await Connected()
        try await create(connected)
        let run = try StreamRun(StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}}"#))
        run.advance(to: StreamTime(nanoseconds: 1_000_000_000))
        while run.next() != nil {}
        let count = run.outputs
        #expect(count > 0)
        let store = try await store(opened(connected))
        #expect(try await store.completeCheckpoint() == nil)
        var begun = commit(1, outputs: 1..<count + 1)
        begun.checkpoint = run.checkpoint().text
        try await store.commit(begun)
        #expect(try await store.completeCheckpoint()?.checkpoint.outputs == count)
        try await store.commit(commit(1, isNewRun: false, outputs: count + 1..<count + 2))
        #expect(try await store.completeCheckpoint() == nil)
        // The next checkpoint has it.
        run.advance(to: StreamTime(nanoseconds: 2_000_000_000))
        while run.next() != nil {}
        var next = commit(1, isNewRun: false, outputs: count + 2..<run.outputs + 1)
        next.checkpoint = run.checkpoint().text
        try await store.commit(next)
        #expect(try await store.completeCheckpoint()?.run.outputs == run.outputs)
        var taken = commit(1, isNewRun: false, outputs: 1..<1)
        taken.inputs = [StreamInput(source: "s", time: .zero, item: [1])]
        try await store.commit(taken)
        #expect(try await store.completeCheckpoint() == nil)
    }

    /// The partitions of the division before give their groups at the same time, also large ones, and some twice.
    @Test func aPartitionBeginsWithTheGroupsThatHaveCome() async throws {
        let connected = try await Connected()
        try await create(connected)
        try await withThrowingTaskGroup { tasks in
            for from in [0, 1, 2, 3, 1, 2] {
                let groups = try groups(from, size: from == 3 ? 3 << 20 : 10)
                tasks.addTask { try await self.deposit(groups, connected) }
            }
            try await tasks.waitForAll()
        }
        let first = try await store(opened(connected))
        #expect(first.arrived.map(\.from) == [0, 1, 2, 3])
        // A worker that dies before it has begun the run has changed nothing.
        let second = try await store(opened(connected))
        #expect(second.arrived.map(\.from) == [0, 1, 2, 3] && second.arrived.last?.documents[0].text.count == 3 << 20)
        try await second.begin(commit(1, outputs: 1..<1))
        #expect(second.arrived.isEmpty)
        await second.release()
        // One that comes late is an attempt that was repeated.
        try await deposit(try groups(2), connected)
        let third = try await store(opened(connected))
        #expect(third.arrived.isEmpty)
        #expect(try await third.lastRun(of: "s") == 1)
    }

    /// Several partitions give many groups to one at the same time: each record has several messages.
    @Test func largeGroupsOfSeveralPartitionsArrive() async throws {
        let connected = try await Connected()
        try await create(connected)
        try await withThrowingTaskGroup { tasks in
            for from in 0..<6 {
                let groups = try groups(from, size: 3 << 20)
                tasks.addTask { try await self.deposit(groups, connected) }
            }
            try await tasks.waitForAll()
        }
        #expect(try await store(opened(connected)).arrived.map(\.from) == Array(0..<6))
    }

    /// An earlier version reads a record of calls that it does not know, and a state without the groups: it refuses both.
    @Test func anEarlierVersionRefusesGroups() throws {
        #expect(throws: (any Error).self) {
            try SluiceJSONDecoder().decode(
                StreamState.self,
                from: SluiceJSONEncoder().bytes(PartitionState(StreamState(), handed: groups(1)))
            )
        }
        let whole = try SluiceJSONEncoder().bytes(PartitionState(StreamState(), handed: groups(1)))
        #expect(try SluiceJSONDecoder().decode(PartitionState.self, from: whole).handed?.from == 1)
        let plain = try SluiceJSONEncoder().bytes(PartitionState(StreamState(), handed: nil))
        _ = try SluiceJSONDecoder().decode(StreamState.self, from: plain)
        #expect(try String(decoding: PartitionStore.arrival(of: groups(1)), as: UTF8.self).hasPrefix(#"[{"arrive":"#))
    }

    /// The groups that a run has given away are stored with its checkpoint without them, and stay in the state of the partition.
    @Test func whatWasGivenAwayIsStoredWithTheRest() async throws {
        let connected = try await Connected()
        try await create(connected)
        let first = try await store(opened(connected))
        try await first.commit(commit(1, outputs: 1..<3))
        var rest = commit(1, isNewRun: false, outputs: 1..<1)
        rest.checkpoint = #"{"rest": true}"#
        try await first.handOver(groups(0), rest: rest)
        let second = try await store(opened(connected))
        #expect(second.handed?.groups?.isEmpty == false)
        #expect(try await second.run(of: "s")?.checkpoint == rest.checkpoint)
        // So much that the state is written as a whole.
        let text = String(repeating: "1", count: 600 << 10)
        let large = (3..<6).map { StoredOutput(run: 1, sequence: $0, time: .zero, kind: .value, text: text) }
        for output in large {
            var next = commit(1, isNewRun: false, outputs: 1..<1)
            next.outputs = [output]
            try await second.commit(next)
        }
        let (log, records) = try await opened(connected)
        #expect(records.contains { $0.kind == .state })
        let third = try await store((log, records))
        #expect(third.handed?.from == 0)
        #expect(try await third.run(of: "s")?.outputs == 5)
    }
}
#endif
