import Foundation
import Sluice
import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceRuns

/// The queue takes what a run has done at any time, also in the middle of a turn.
@Suite struct SharedRecorderTests {
    private let recorder = SharedRecorder("a", upTo: 1 << 20, isDurable: true) {}
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

    private func takeInput(_ number: Int) {
        let inputs = TakenInputs()
        inputs.list = [StreamInput(source: "s", time: .zero, item: JSON(number))]
        recorder.take(inputs)
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
        return recorder.batch()
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
        #expect(recorder.batch().map(\.inputs.count) == [1])
        // A list that has the recorder twice.
        #expect(recorder.batch().isEmpty)
        #expect(recorder.finish([StoreError(.full)]))
        #expect(recorder.batch().map(\.inputs.count) == [1])
        #expect(recorder.batch().isEmpty)
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
}
