#if SQLite
import Foundation
import GRDB
import Sluice
import SluiceStreams
import Testing

@testable import SluiceStore

/// A process that stores what streams give, and is killed at any moment.
@Suite(.timeLimit(.minutes(30))) struct KillTests {
    @Test func whatIsStoredHasNoGapAndNoDuplicate() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("hub.sqlite")
        try await SQLiteStreamStore(path: path).create(Victim.streams.map { StreamDraft($0) }, by: nil)
        var last = 0
        for kill in 1...(10 * scale) {
            let result = await #expect(
                processExitsWith: .signal(SIGKILL),
                observing: [\.standardOutputContent]
            ) { [path = path as String, kill = kill as Int] in
                try await Victim(path: path, seed: kill).run()
            }
            let told = Victim.told(result?.standardOutputContent ?? [])
            let store = try SQLiteStreamStore(path: path)
            var sum = 0
            for stream in Victim.streams {
                let run = try await store.run(of: stream)
                let outputs = try await store.outputs(of: stream, run: 1, after: 0, limit: .max)
                let checkpoint = run?.checkpoint.flatMap(Int.init) ?? 0
                #expect(outputs.map(\.sequence) == Array(1..<(outputs.count + 1)), "kill \(kill)")
                #expect(outputs.allSatisfy { $0.text == "\(stream) \($0.sequence)" }, "kill \(kill)")
                #expect(run?.outputs ?? 0 == outputs.count, "kill \(kill)")
                // Of one commit all is there: what was taken since the checkpoint is what made the outputs since then.
                #expect(
                    try await store.journal(of: stream).map { Int($0.nanoseconds) }
                        == Array((checkpoint + 1)..<(outputs.count + 1)),
                    "kill \(kill)"
                )
                // What a commit has returned from is there.
                #expect(outputs.count >= told[stream] ?? 0, "kill \(kill)")
                sum += outputs.count
            }
            let integrity = try await store.file.database.read {
                try String.fetchOne($0, sql: "PRAGMA integrity_check")
            }
            #expect(integrity == "ok", "kill \(kill)")
            #expect(sum > last, "kill \(kill)")
            last = sum
        }
    }
}

/// The work of the process that is killed: streams that resume from their checkpoints.
private struct Victim: Sendable {
    static let streams = ["a", "b", "c", "d"]

    let path: String
    let seed: Int

    func run() async throws {
        let store = try SQLiteStreamStore(path: path)
        var random = SeededGenerator(seed: seed)
        let end = Int.random(in: 20...300, using: &random)
        let spins = Int.random(in: 0...200_000, using: &random)
        let commits = CommitCount()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, stream) in Self.streams.enumerated() {
                group.addTask {
                    try await write(stream, to: store, seed: seed * 10 + number) {
                        // Some work later, so that any moment of a transaction may be the one.
                        if commits.next() == end { Thread.detachNewThread { Self.die(after: spins) } }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func die(after spins: Int) {
        var random = SystemRandomNumberGenerator()
        var sum: UInt64 = 0
        for _ in 0..<spins { sum &+= random.next() >> 63 }
        // The sum is used, so that it is counted.
        kill(getpid(), sum == .max ? SIGTERM : SIGKILL)
    }

    /// One stream, from its checkpoint on: what came after that is given again.
    private func write(
        _ stream: String,
        to store: SQLiteStreamStore,
        seed: Int,
        onCommit: @Sendable () -> Void
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let run = try await store.run(of: stream)
        var next = (run?.checkpoint.flatMap(Int.init) ?? 0) + 1
        var journaled = run?.outputs ?? 0
        var isNew = run == nil
        while true {
            let last = max(next, journaled) + Int.random(in: 0...3, using: &random)
            var commit = RunCommit(isNew: isNew, stream: stream)
            commit.outputs = (next...last).map { StoredOutput($0, text: "\(stream) \($0)") }
            if last > journaled { commit.inputs = ((journaled + 1)...last).map { StreamInput($0) } }
            if Int.random(in: 0..<4, using: &random) == 0 { commit.checkpoint = "\(last)" }
            try await store.commit(commit)
            (isNew, next, journaled) = (false, last + 1, last)
            FileHandle.standardOutput.write(Data("\(stream) \(last)\n".utf8))
            onCommit()
        }
    }

    /// Returns the last output of each stream that the output reports as stored.
    static func told(_ output: [UInt8]) -> [String: Int] {
        var told: [String: Int] = [:]
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let number = Int(words[1]) { told[String(words[0])] = number }
        }
        return told
    }
}

/// The number of commits of all streams.
private final class CommitCount: Sendable {
    private let count = Locked(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
#endif
