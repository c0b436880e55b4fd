#if NATS
import Foundation
import SluiceJSON
import SluiceRuns
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceNATS

@Suite(.enabled(if: hasServer, "nats-server isn't installed"), .timeLimit(.minutes(20))) struct RunMigrationTests {
    private let text =
        #"{"source": {"interval": {"seconds": 1}}, "sinks": [{"id": "to", "post": {"url": "http://127.0.0.1/"}}]}"#

    /// A store with a run, of whose four outputs the sink has delivered one, and attempted the next.
    private func file(isPaused: Bool = false, text: String? = nil) async throws -> MemoryStreamStore {
        let store = MemoryStreamStore()
        try await store.create([StreamDraft(id: "s", name: nil, text: text ?? self.text)], by: nil)
        try await store.commit(commit(isPaused: isPaused))
        let sink = StoredSink(stream: "s", id: "to", cursor: OutputPlace(run: 1, sequence: 1), delivered: 1)
        let place = OutputPlace(run: 1, sequence: 2)
        let delivery = StoredDelivery(first: place, last: place, key: "\"s/R/to/2\"", request: "{}")
        try await store.commit([SinkCommit(sink: sink, fixed: [delivery])])
        return store
    }

    private func commit(isPaused: Bool) -> RunCommit {
        let outputs = (1...4).map { StoredOutput(run: 1, sequence: $0, time: .zero, kind: .value, text: "\($0)") }
        return RunCommit(
            stream: "s",
            run: 1,
            isNewRun: true,
            revision: 1,
            state: isPaused ? "paused" : "running",
            isPaused: isPaused,
            savedAt: Date(timeIntervalSince1970: 1),
            outputs: outputs
        )
    }

    private func opened(_ connected: Connected, _ file: MemoryStreamStore) async throws -> RunMigration {
        let definitions = try await NATSDefinitionStore.open(on: connected.connection)
        _ = try await SharedStreamStore.migrate(file, to: definitions)
        return try await RunMigration.open(definitions, group: "g")
    }

    private func taken(_ connected: Connected, _ document: StoredStream) async throws -> PartitionStore {
        let subject = try WorkUnit("s", 1, 0).subject(in: "g")
        let clock = ContinuousClock()
        let (log, records) = try await PartitionLog.takeOver(subject, by: "w", over: connected.connection, clock: clock)
        return try await PartitionStore(document, log, records, upTo: nil) {}
    }

    @Test func workersHaveTheRunThatTheFileHad() async throws {
        let connected = try await Connected()
        let file = try await file()
        let migration = try await opened(connected, file)
        let document = try #require(try await file.read("s"))
        let name = try await file.name(ofRun: 1, of: "s")
        let (run, sinks) = (try await file.run(of: "s"), try await file.sinks(of: "s"))
        let deliveries = try await file.deliveries(of: "s", sink: "to")
        #expect(try await migration.move("s", from: file) == .moved)
        let store = try await taken(connected, document)
        #expect(try await store.run(of: "s") == run)
        #expect(try await store.sinks(of: "s") == sinks)
        #expect(try await store.deliveries(of: "s", sink: "to") == deliveries)
        #expect(try await store.name(ofRun: 1, of: "s") == name)
        let waiting = try await store.outputs(of: "s", afterRun: 1, sequence: 1, limit: 10)
        #expect(waiting.map(\.sequence) == [2, 3, 4])
        // The file has it no more, and knows the document and the number of the run.
        #expect(try await file.run(of: "s") == nil)
        #expect(try await file.sinks(of: "s").isEmpty)
        #expect(try await file.lastRun(of: "s") == 1)
        #expect(try await file.read("s") == document)
        #expect(try await migration.move("s", from: file) == .nothing)
    }

    /// A migration that was killed before it has removed the run from the file does that the next time, also when workers have
    /// continued the run meanwhile.
    @Test func aMigrationThatWasInterruptedIsCompleted() async throws {
        let connected = try await Connected()
        let file = try await file()
        let migration = try await opened(connected, file)
        let document = try #require(try await file.read("s"))
        let copy = MemoryStreamStore()
        try await copy.takeOver([document])
        try copy.restore(try await StreamState(of: "s", in: file), of: "s")
        #expect(try await migration.move("s", from: file) == .moved)
        let store = try await taken(connected, document)
        var next = commit(isPaused: false)
        next.isNewRun = false
        next.outputs = [StoredOutput(run: 1, sequence: 5, time: .zero, kind: .value, text: "5")]
        try await store.commit(next)
        await store.release()
        #expect(try await migration.move("s", from: copy) == .moved)
        #expect(try await copy.run(of: "s") == nil)
        #expect(try await taken(connected, document).run(of: "s")?.outputs == 5)
    }

    /// The rest of a stream without a run, such as dead letters, is known by the names of its runs.
    @Test func theRestOfAStreamWithoutARunIsCompleted() async throws {
        let connected = try await Connected()
        let file = try await file()
        _ = try await file.name(ofRun: 1, of: "s")
        let migration = try await opened(connected, file)
        let document = try #require(try await file.read("s"))
        var state = try await StreamState(of: "s", in: file)
        state.run = nil
        let (first, second) = (MemoryStreamStore(), MemoryStreamStore())
        for copy in [first, second] {
            try await copy.takeOver([document])
            try copy.restore(state, of: "s")
        }
        #expect(try await migration.move("s", from: first) == .moved)
        #expect(try await migration.move("s", from: second) == .moved)
        #expect(try await second.sinks(of: "s").isEmpty)
    }

    @Test func anotherRunOfTheSameStreamIsNotReplaced() async throws {
        let connected = try await Connected()
        let (file, other) = (try await file(), try await file())
        let migration = try await opened(connected, file)
        #expect(try await migration.move("s", from: file) == .moved)
        guard case .refused = try await migration.move("s", from: other) else {
            Issue.record("the run of another file takes the place of that of the workers")
            return
        }
        #expect(try await other.run(of: "s") != nil)
    }

    @Test func whatWorkersCannotContinueStays() async throws {
        let connected = try await Connected()
        let paused = try await file(isPaused: true)
        let migration = try await opened(connected, paused)
        guard case .refused(let reason) = try await migration.move("s", from: paused) else {
            Issue.record("a paused run moves")
            return
        }
        #expect(reason.hasPrefix("its run is paused"))
        #expect(try await paused.run(of: "s") != nil)
        for state in ["idle", "failed"] {
            let ended = try await file()
            var commit = commit(isPaused: false)
            (commit.isNewRun, commit.state, commit.outputs) = (false, state, [])
            try await ended.commit(commit)
            guard case .refused(let reason) = try await migration.move("s", from: ended) else {
                Issue.record("a run that is \(state) moves")
                return
            }
            #expect(reason.contains("start it in the hub first"))
        }
        let webhook = try await file(text: #"{"source": {"webhook": {"name": "in", "auth": "token"}}}"#)
        guard case .refused = try await migration.move("s", from: webhook) else {
            Issue.record("a stream moves that reads what workers can't")
            return
        }
    }
}
#endif
