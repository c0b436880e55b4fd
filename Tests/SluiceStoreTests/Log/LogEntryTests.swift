#if SQLite
import Foundation
import SluiceJSON
import SluiceRuns
import SluiceStreams
import Testing

@testable import SluiceStore

/// Entries of the log and chunks of outputs, as bytes.
@Suite struct LogEntryTests {
    private func outputs(_ count: Int, from first: Int = 1, _ random: inout SeededGenerator) -> [StoredOutput] {
        (0..<count).map { index in
            let kinds: [StoredOutput.Kind] = [.value, .reported, .completed, .failed]
            let texts = ["", "1", "a\0b", "\u{2028}caf\u{E9}", String(repeating: "x", count: 300)]
            return StoredOutput(
                run: 3,
                sequence: first + index,
                time: StreamTime(nanoseconds: Int64.random(in: 0...Int64.max, using: &random)),
                kind: kinds.randomElement(using: &random) ?? .value,
                text: texts.randomElement(using: &random) ?? ""
            )
        }
    }

    private func entry(_ random: inout SeededGenerator) -> LogEntry {
        let outputs = outputs(Int.random(in: 0...4, using: &random), from: 9, &random)
        let commit = RunCommit(
            stream: "a",
            run: 3,
            revision: Int.random(in: 1...100_000, using: &random),
            state: ["running", "", "caf\u{E9}"].randomElement(using: &random) ?? "",
            isPaused: Bool.random(using: &random),
            speed: [1, 0.01, 100, .infinity].randomElement(using: &random) ?? 1,
            error: [nil, "", "no"].randomElement(using: &random) ?? nil,
            savedAt: Date(milliseconds: Int64.random(in: -1_000_000...1_900_000_000_000, using: &random)),
            checkpoint: [nil, nil, "{}", ""].randomElement(using: &random) ?? nil,
            inputs: (0..<Int.random(in: 0...3, using: &random)).map { StreamInput($0) },
            outputs: outputs
        )
        return LogEntry(commit, outputs[...])
    }

    @Test func anEntryComesBackAsItWas() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let entry = entry(&random)
            #expect(try LogEntry(entry.bytes) == entry)
        }
    }

    @Test func chunksComeBackAsTheyWere() throws {
        var random = SeededGenerator(seed: 2)
        for count in [1, 2, 255, 256, 257, 1000] {
            let logged = outputs(count, &random).map {
                LoggedOutput($0, savedAt: Int64.random(in: -5...1_900_000_000_000, using: &random))
            }
            let chunks = OutputChunk.chunks(logged)
            #expect(try chunks.flatMap { try OutputChunk($0.bytes).outputs } == logged)
            #expect(chunks.allSatisfy { $0.outputs.count <= OutputChunk.largest })
        }
    }

    /// A chunk has outputs of one run, without a gap.
    @Test func aChunkHasNoGap() {
        let logged = [(1, 1), (1, 2), (1, 4), (2, 5), (2, 6)].map { run, sequence in
            LoggedOutput(StoredOutput(sequence, run: run), savedAt: 0)
        }
        #expect(OutputChunk.chunks(logged).map { $0.outputs.map(\.output.sequence) } == [[1, 2], [4], [5, 6]])
    }

    /// Whatever is in the file, reading it ends with an entry or with an error.
    @Test func damagedBytesAreAnError() {
        var random = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<5000 {
            var bytes = entry(&random).bytes
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            case 1: bytes.append(UInt8.random(in: 0...255, using: &random))
            default: bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            do { _ = try LogEntry(bytes) } catch {
                #expect(error as? StoreError == ByteReader.damage)
                refused += 1
            }
            _ = try? OutputChunk(bytes)
        }
        #expect(refused > 3000)
    }
}
#endif
