import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The queue takes what a run has done at any time, also in the middle of a turn.
@Suite struct SharedRecorderTests {
    private let recorder = SharedRecorder("a", upTo: 1 << 20, sharing: SharedBudget(limit: 1 << 20), isDurable: true) {}
    private let time = Date(timeIntervalSince1970: 1_000_000)

    private var status: RunStatus {
        var status = RunStatus(stream: "a", pace: Pace(at: 0, isPaused: true))
        (status.run, status.revision, status.state) = (1, 3, .running)
        return status
    }

    private func take(_ number: Int) throws {
        let event = StreamEvent<JSON>(time: .zero, kind: .value(JSON(number)))
        recorder.take(event, number: number)
    }

    private func takeInput(_ number: Int, onStored note: (@Sendable () -> Void)? = nil) {
        let inputs = TakenInputs()
        inputs.list = [StreamInput(source: "s", time: .zero, item: JSON(number))]
        recorder.take(inputs, noting: note.map { [$0] } ?? [])
    }

    private func note() {
        let (status, time) = (status, time)
        let document = StoredStream(id: "a", revision: 3, name: nil, text: "{}")
        recorder.record { $0.note(status, documents: [document], at: time) }
    }

    private func begin() {
        var before = status
        (before.run, before.state) = (0, .idle)
        recorder.begin(before, at: time)
    }

    /// Returns what the queue stores now.
    private func batch() -> [RunCommit] {
        _ = recorder.queue()
        return recorder.batch().commits
    }

    @Test func noOutputIsStoredWithoutItsInput() throws {
        begin()
        note()
        #expect(batch().count == 1)
        #expect(recorder.finish([nil]) == false)
        try take(1)
        #expect(batch().isEmpty)
        takeInput(7)
        #expect(batch().isEmpty)
        note()
        let commits = batch()
        #expect(commits.map(\.outputs.count) == [1] && commits.map(\.inputs.count) == [1])
    }

    /// The call comes when the store has the input: not when it is in flight, and not when the store refuses it.
    @Test func theCallComesWhenAnInputIsStored() throws {
        let stored = Locked<[Int]>([])
        func takeAwaited(_ number: Int) { takeInput(number) { stored.withLock { $0.append(number) } } }
        begin()
        takeAwaited(1)
        note()
        #expect(batch().count == 1)
        takeAwaited(2)
        note()
        #expect(stored.withLock { $0 } == [])
        #expect(recorder.finish([StoreError(.full)]))
        #expect(stored.withLock { $0 } == [])
        #expect(batch().map(\.inputs.count) == [2])
        takeAwaited(3)
        #expect(!recorder.finish([nil]))
        #expect(stored.withLock { $0 } == [1, 2])
        // The turn that took the third one has not ended.
        #expect(batch().isEmpty)
        note()
        #expect(batch().count == 1)
        #expect(!recorder.finish([nil]))
        #expect(stored.withLock { $0 } == [1, 2, 3])
    }

    /// A checkpoint holds what was taken before it.
    @Test func theCallComesWhenACheckpointHasTheInput() throws {
        let stored = Locked(0)
        begin()
        takeInput(1) { stored.withLock { $0 += 1 } }
        note()
        takeInput(2) { stored.withLock { $0 += 1 } }
        let (status, time) = (status, time)
        recorder.record { $0.note(status, documents: [], checkpoint: "{}", savedAt: time) }
        let commit = try #require(batch().first)
        #expect(commit.inputs.isEmpty && commit.checkpoint == "{}" && stored.withLock { $0 } == 0)
        #expect(!recorder.finish([nil]))
        #expect(stored.withLock { $0 } == 2)
    }

    /// Nobody stores inputs that a reset has forgotten.
    @Test func noCallComesForAForgottenInput() throws {
        let stored = Locked(0)
        begin()
        takeInput(1) { stored.withLock { $0 += 1 } }
        note()
        recorder.reset()
        begin()
        note()
        #expect(batch().count == 1)
        #expect(!recorder.finish([nil]))
        #expect(stored.withLock { $0 } == 0)
    }

    @Test func aNewRunIsStoredWithItsStatus() throws {
        begin()
        #expect(batch().isEmpty)
        note()
        let commit = try #require(batch().first)
        #expect(commit.isNewRun && commit.state == "running" && commit.revision == 3)
        #expect(commit.savedAt == time && commit.documents?.map(\.id) == ["a"])
    }

    @Test func whatIsInFlightIsNotGivenTwice() throws {
        begin()
        takeInput(7)
        note()
        #expect(recorder.queue())
        #expect(recorder.batch().commits.map(\.inputs.count) == [1])
        // A list that has the recorder twice.
        #expect(recorder.batch().commits.isEmpty)
        #expect(recorder.finish([StoreError(.full)]))
        #expect(recorder.batch().commits.map(\.inputs.count) == [1])
        #expect(recorder.batch().commits.isEmpty)
    }

    /// The run puts its recorder into the list again while a flush takes a list that has it twice.
    @Test func whatIsInFlightIsNotGivenTwiceToARunThatGoesOn() throws {
        begin()
        takeInput(7)
        note()
        #expect(recorder.queue())
        #expect(recorder.batch().commits.map(\.inputs.count) == [1])
        takeInput(8)
        note()
        #expect(recorder.queue())
        #expect(recorder.batch().commits.isEmpty)
        #expect(recorder.finish([nil]) == false)
        #expect(recorder.batch().commits.map(\.inputs) == [[StreamInput(source: "s", time: .zero, item: JSON(8))]])
    }

    /// A flush waits for what a run had noted. The run is reset, and another is begun: the flush doesn't wait for that one.
    @Test func whatIsBegunAfterAResetIsNotAwaited() throws {
        begin()
        takeInput(7)
        note()
        let last = recorder.lastNoted
        #expect(!recorder.isStored(upTo: last))
        recorder.setAside(status)
        #expect(recorder.isStored(upTo: last))
        begin()
        takeInput(8)
        note()
        #expect(recorder.isStored(upTo: last) && recorder.isDue)
        recorder.reset()
        begin()
        note()
        #expect(recorder.isStored(upTo: last) && recorder.isDue)
    }

    @Test func turnsBecomeOneCommit() throws {
        begin()
        for number in 1...5 {
            takeInput(number)
            try take(number)
            note()
        }
        let commits = batch()
        #expect(commits.map { $0.outputs.map(\.sequence) } == [[1, 2, 3, 4, 5]])
        #expect(commits.map(\.inputs.count) == [5])
        #expect(recorder.finish([nil]) == false && recorder.size == 0)
    }

    /// The backlogs of all runs are bounded together: beyond the bound, a run with more than its share waits until its own
    /// backlog is stored, and one with little does not wait.
    @Test func aRunWithMoreThanItsShareWaits() throws {
        let budget = SharedBudget(limit: 10_000)
        let calls = Locked(0)
        var recorders: [SharedRecorder] = []
        for name in ["large", "small"] {
            let recorder = SharedRecorder(name, upTo: 1 << 20, sharing: budget, isDurable: true) {
                calls.withLock { $0 += 1 }
            }
            recorder.begin(status, at: time)
            recorders.append(recorder)
        }
        let text = String(repeating: "x", count: 11_000)
        for (recorder, text) in zip(recorders, [text, "y"]) {
            recorder.take(StreamEvent<JSON>(time: .zero, kind: .value(.string(text))), number: 1)
            let (status, time) = (status, time)
            recorder.record { $0.note(status, documents: [], at: time) }
        }
        #expect(recorders.map(\.isFull) == [true, false])
        #expect(budget.byteCount == recorders.reduce(0) { $0 + $1.size })
        // The store refuses it, and then accepts it.
        #expect(recorders[0].queue())
        #expect(recorders[0].batch().commits.count == 1 && recorders[0].isFull)
        #expect(recorders[0].finish([StoreError(.full)]))
        #expect(recorders[0].isFull && calls.withLock { $0 } == 1)
        #expect(recorders[0].batch().commits.count == 1)
        #expect(!recorders[0].finish([nil]))
        #expect(!recorders[0].isFull && calls.withLock { $0 } == 2)
        // A checkpoint counts too, and what a recorder holds at its end is returned.
        let (status, time) = (status, time)
        recorders[0].record { $0.note(status, documents: [], checkpoint: text, savedAt: time) }
        #expect(recorders[0].isFull && budget.byteCount > 11_000)
        recorders = []
        #expect(budget.byteCount == 0)
    }
}
