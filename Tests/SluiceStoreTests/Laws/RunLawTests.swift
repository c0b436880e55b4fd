#if SQLite
import Foundation
import SluiceJSON
import SluiceStore
import SluiceStreams
import Testing

/// The laws of both stores for durable runs.
@Suite(.timeLimit(.minutes(30))) struct RunLawTests {
    func withRun(_ kind: StoreKind, _ body: (any StreamStore) async throws -> Void) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            try await store.commit(RunCommit(isNew: true))
            try await body(store)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRunIsFoundAgainAsItWasLeft(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            let savedAt = Date(timeIntervalSince1970: 1_700_000_001.2345)
            try await store.commit(
                RunCommit(
                    stream: "a",
                    run: 1,
                    revision: 7,
                    state: "failed",
                    isPaused: true,
                    speed: 0.25,
                    error: "no",
                    savedAt: savedAt,
                    checkpoint: "{}",
                    outputs: [StoredOutput(1), StoredOutput(2)]
                )
            )
            let expected = StoredRun(
                stream: "a",
                run: 1,
                revision: 7,
                state: "failed",
                isPaused: true,
                speed: 0.25,
                error: "no",
                savedAt: Date(timeIntervalSince1970: 1_700_000_001.235),
                checkpoint: "{}",
                outputs: 2
            )
            #expect(try await store.run(of: "a") == expected)
            #expect(try await store.runs().map(\.checkpoint) == [nil])
            #expect(try await store.runs().map(\.state) == ["failed"])
            #expect(try await store.run(of: "b") == nil)
            #expect(try await store.run(of: "c") == nil)
            try await store.commit(RunCommit())
            #expect(try await store.run(of: "a")?.error == nil)
            #expect(try await store.run(of: "a")?.checkpoint == "{}")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func theJournalBeginsAtTheCheckpoint(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            #expect(try await store.journal(of: "a").isEmpty)
            try await store.commit(RunCommit(inputs: [StreamInput(1), StreamInput(2)]))
            try await store.commit(RunCommit(inputs: [StreamInput(3)]))
            #expect(try await store.journal(of: "a") == [1, 2, 3].map { StreamInput($0) })
            // What comes with a checkpoint is in it.
            try await store.commit(RunCommit(checkpoint: "1", inputs: [StreamInput(4)]))
            #expect(try await store.journal(of: "a").isEmpty)
            for number in [5, 6] { try await store.commit(RunCommit(inputs: [StreamInput(number)])) }
            #expect(try await store.journal(of: "a").map(\.nanoseconds) == [5, 6])
            #expect(try await store.run(of: "a")?.checkpoint == "1")
            #expect(try await store.journal(of: "b").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func anInputComesBackAsItWas(_ kind: StoreKind) async throws {
        let items: [JSON] = [
            ["value", 1], ["value", 1.0], ["value", .string("a\0\u{2028}\"\\")], ["completed", nil],
            ["value", ["b": [1, nil, true], "a": 9_007_199_254_740_993]], ["value", 1e300], ["value", -0.0],
        ]
        try await withRun(kind) { store in
            let inputs = items.map { StreamInput(source: "merge[1].lines", time: .zero, item: $0) }
            try await store.commit(RunCommit(inputs: inputs))
            let journal = try await store.journal(of: "a")
            #expect(journal == inputs)
            #expect(journal.map(\.item.description) == items.map(\.description))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func outputsAreStoredOnceAndInOrder(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            try await store.commit(RunCommit(outputs: [StoredOutput(1), StoredOutput(2)]))
            // A replay after a crash gives again what is stored.
            try await store.commit(RunCommit(outputs: [StoredOutput(2, text: "again"), StoredOutput(3)]))
            try await store.commit(RunCommit(outputs: [StoredOutput(1)]))
            let all = [StoredOutput(1), StoredOutput(2), StoredOutput(3)]
            #expect(try await store.outputs(of: "a", run: nil, after: 0, limit: 10) == all)
            #expect(try await store.outputs(of: "a", run: 1, after: 1, limit: 1) == [all[1]])
            #expect(try await store.outputs(of: "a", run: 1, after: 3, limit: 10).isEmpty)
            #expect(try await store.outputs(of: "a", run: 1, after: .min, limit: .max) == all)
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: -1).isEmpty)
            #expect(try await store.outputs(of: "a", run: 2, after: 0, limit: 10).isEmpty)
            #expect(try await store.outputs(of: "b", run: nil, after: 0, limit: 10).isEmpty)
            #expect(try await store.run(of: "a")?.outputs == 3)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func everyKindOfOutputIsKept(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            let outputs = [
                StoredOutput(1, kind: .value, text: #"{"a":1}"#), StoredOutput(2, kind: .reported, text: "no number"),
                StoredOutput(3, kind: .failed, text: "x"), StoredOutput(4, kind: .completed, text: ""),
            ]
            try await store.commit(RunCommit(outputs: outputs))
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 10) == outputs)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aGapInTheOutputsIsRefusedAndNothingStored(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            try await store.commit(RunCommit(outputs: [StoredOutput(1)]))
            let cases: [(outputs: [StoredOutput], expected: Int, given: Int)] = [
                ([StoredOutput(3)], 2, 3), ([StoredOutput(2), StoredOutput(4)], 3, 4),
                ([StoredOutput(2), StoredOutput(2)], 3, 2), ([StoredOutput(2, run: 2)], 2, 2),
                ([StoredOutput(0)], 1, 0), ([StoredOutput(.min, text: "")], 1, .min),
            ]
            for (outputs, expected, given) in cases {
                let error = StoreError(.outputGap(stream: "a", run: 1, expected: expected, given: given))
                await #expect(throws: error) {
                    try await store.commit(
                        RunCommit(state: "lost", checkpoint: "lost", inputs: [StreamInput(1)], outputs: outputs)
                    )
                }
            }
            #expect(try await store.run(of: "a")?.state == "running")
            #expect(try await store.run(of: "a")?.checkpoint == nil)
            #expect(try await store.journal(of: "a").isEmpty)
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 10) == [StoredOutput(1)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aNewRunTakesThePlaceOfTheOld(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            try await store.commit(RunCommit(checkpoint: "1"))
            try await store.commit(RunCommit(inputs: [StreamInput(1)], outputs: [StoredOutput(1)]))
            try await store.commit(RunCommit(run: 3, isNew: true, state: "new"))
            #expect(try await store.run(of: "a")?.run == 3)
            #expect(try await store.run(of: "a")?.checkpoint == nil)
            #expect(try await store.run(of: "a")?.outputs == 0)
            #expect(try await store.journal(of: "a").isEmpty)
            #expect(try await store.outputs(of: "a", run: nil, after: 0, limit: 10).isEmpty)
            try await store.commit(RunCommit(run: 3, outputs: [StoredOutput(1, run: 3)]))
            #expect(try await store.outputs(of: "a", run: nil, after: 0, limit: 10) == [StoredOutput(1, run: 3)])
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 10) == [StoredOutput(1)])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aCommitOfAnotherRunIsRefused(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            try await store.commit(RunCommit(run: 2, isNew: true, state: "now"))
            for (run, isNew) in [(1, false), (3, false), (1, true), (2, true)] {
                await #expect(throws: StoreError(.staleRun(stream: "a", run: run, current: 2))) {
                    try await store.commit(RunCommit(run: run, isNew: isNew, state: "lost"))
                }
            }
            #expect(try await store.run(of: "a")?.state == "now")
            await #expect(throws: StoreError(.staleRun(stream: "b", run: 1, current: nil))) {
                var commit = RunCommit()
                commit.stream = "b"
                try await store.commit(commit)
            }
            await #expect(throws: StoreError(.missing(id: "c"))) {
                var commit = RunCommit(isNew: true)
                commit.stream = "c"
                try await store.commit(commit)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func whatIsForgottenIsGone(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            try await store.commit(RunCommit(checkpoint: "1"))
            try await store.commit(RunCommit(inputs: [StreamInput(1)], outputs: [StoredOutput(1)]))
            try await store.forgetRun(of: "a")
            try await store.forgetRun(of: "a")
            try await store.forgetRun(of: "c")
            #expect(try await store.run(of: "a") == nil)
            #expect(try await store.runs().isEmpty)
            #expect(try await store.journal(of: "a").isEmpty)
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 10).isEmpty)
            await #expect(throws: StoreError(.staleRun(stream: "a", run: 1, current: nil))) {
                try await store.commit(RunCommit())
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRemovedStreamHasNoRun(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            try await store.commit(RunCommit(checkpoint: "1"))
            try await store.commit(RunCommit(inputs: [StreamInput(1)], outputs: [StoredOutput(1)]))
            try await store.remove("a", ifRevision: 1, by: nil)
            await #expect(throws: StoreError(.missing(id: "a"))) { try await store.commit(RunCommit()) }
            try await store.create([StreamDraft("a")], by: nil)
            #expect(try await store.run(of: "a") == nil)
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 10).isEmpty)
        }
    }

    /// A cursor names a run by its number: it never means a run that came later.
    @Test(arguments: StoreKind.allCases)
    func noNumberOfARunIsUsedTwice(_ kind: StoreKind) async throws {
        try await withRun(kind) { store in
            #expect(try await store.lastRun(of: "a") == 1)
            #expect(try await store.lastRun(of: "b") == 0)
            #expect(try await store.lastRun(of: "none") == 0)
            try await store.commit(RunCommit(run: 3, isNew: true))
            #expect(try await store.lastRun(of: "a") == 3)
            for _ in 0..<2 {
                try await store.forgetRun(of: "a")
                #expect(try await store.lastRun(of: "a") == 3)
            }
            for run in 1...3 {
                await #expect(throws: StoreError(.staleRun(stream: "a", run: run, current: 3))) {
                    try await store.commit(RunCommit(run: run, isNew: true))
                }
            }
            try await store.commit(RunCommit(run: 4, isNew: true))
            try await store.remove("a", ifRevision: 1, by: nil)
            #expect(try await store.lastRun(of: "a") == 4)
            try await store.create([StreamDraft("a")], by: nil)
            #expect(try await store.lastRun(of: "a") == 4)
            await #expect(throws: StoreError(.staleRun(stream: "a", run: 1, current: 4))) {
                try await store.commit(RunCommit(isNew: true))
            }
            try await store.commit(RunCommit(run: 5, isNew: true, outputs: [StoredOutput(1, run: 5)]))
            #expect(try await store.outputs(of: "a", afterRun: 4, sequence: 9, limit: 9).map(\.run) == [5])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func runsComeInTheOrderOfTheStreams(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create(["c", "a", "b"].map { StreamDraft($0) }, by: nil)
            for stream in ["a", "b", "c"] {
                var commit = RunCommit(isNew: true)
                commit.stream = stream
                try await store.commit(commit)
            }
            #expect(try await store.runs().map(\.stream) == ["c", "a", "b"])
        }
    }
}
#endif
