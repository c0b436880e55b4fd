import Foundation
import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceRuns

/// The recorder of a run, as a state machine of its own.
@Suite struct RunRecorderTests {
    private var status: RunStatus {
        var status = RunStatus(stream: "a", pace: Pace(at: 0))
        (status.run, status.revision, status.state) = (0, 3, .running)
        return status
    }

    /// A run has turns with few outputs and with many, with inputs and checkpoints, and the store takes a part at a time or
    /// refuses it: every output and every input comes once, in order, and no output comes before the inputs of its turn.
    @Test(arguments: UInt64(1)...40) func everythingIsStoredOnceAndInOrder(seed: UInt64) throws {
        var random = Seeded(seed: seed)
        var recorder = RunRecorder("a", upTo: 8 << 20)
        recorder.begin(status, at: .distantPast)
        let time = Date(timeIntervalSince1970: 1000)
        let texts = [10, 1000, 50_000, 300_000].map { String(repeating: "x", count: $0) }
        var (taken, inputs) = (0, 0)
        var stored = Stored()
        for step in 0..<200 {
            if step < 150, !recorder.isFull {
                if Int.random(in: 0..<3, using: &random) == 0 {
                    inputs += 1
                    recorder.take([StreamInput(source: "s", time: .zero, item: JSON(inputs))])
                }
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    taken += 1
                    let text = texts.randomElement(using: &random) ?? ""
                    recorder.take(StreamEvent(time: .zero, kind: .value(.string(text))), number: taken)
                }
                var status = status
                (status.run, status.state) = (1, .running)
                if Bool.random(using: &random) {
                    recorder.note(status, documents: [], checkpoint: "\(inputs)", savedAt: time)
                } else {
                    recorder.note(status, documents: [], at: time)
                }
            }
            let limit = 1 << 20
            let last = recorder.lastNoted
            let batch = recorder.batch(upTo: limit)
            // What was noted is a little larger than its limit at most: a turn isn't divided.
            let largest = RunRecorder.commitSize + 4 * 300_100
            #expect(batch.isEmpty || recorder.inFlightSize - limit < largest)
            #expect(batch.isEmpty == recorder.isStored(upTo: last))
            let accepted =
                Int.random(in: 0...3, using: &random) == 0 && step < 150
                ? Int.random(in: 0...batch.count, using: &random) : batch.count
            for commit in batch.prefix(accepted) { stored.take(commit) }
            let outcomes = batch.indices.map { $0 < accepted ? nil : StoreError(.full) }
            #expect((recorder.finish(outcomes) == nil) == (accepted == batch.count))
        }
        #expect(!recorder.isDue && recorder.size == 0)
        #expect(stored.outputs == Array(1...max(1, taken)) && stored.inputs == inputs)
    }

    /// The store after some commits.
    private struct Stored {
        var outputs: [Int] = []
        /// The number of inputs that a run which continues has.
        var inputs = 0

        mutating func take(_ commit: RunCommit) {
            outputs += commit.outputs.map(\.sequence)
            if let checkpoint = commit.checkpoint { inputs = Int(checkpoint) ?? -1 }
            for input in commit.inputs {
                inputs += 1
                #expect(input.item == JSON(inputs))
            }
        }
    }

    /// The backlog of a run that goes on is stored in parts of about a quarter of a megabyte.
    @Test func aLargeBacklogHasParts() {
        var recorder = RunRecorder("a", upTo: 8 << 20)
        recorder.begin(status, at: .distantPast)
        for number in 1...400 {
            let text = String(repeating: "x", count: 10_000)
            recorder.take(StreamEvent(time: .zero, kind: .value(.string(text))), number: number)
            recorder.note(status, documents: [], at: .distantPast)
        }
        let batch = recorder.batch(upTo: 1 << 20)
        #expect(batch.count == 4 && recorder.hasMore && batch.allSatisfy { $0.outputs.count == 27 })
        #expect(!recorder.isStored(upTo: 1))
        #expect(recorder.finish(batch.map { _ in nil }) == nil)
        #expect(recorder.isStored(upTo: 1) && !recorder.isStored(upTo: 400) && recorder.isDue)
    }
}
