#if SQLite
import Foundation
import SluiceStore
import SluiceStreams
import Testing

/// The laws of both stores for retention.
@Suite(.timeLimit(.minutes(30))) struct RetentionLawTests {
    func revisions(_ store: any StreamStore, _ id: String = "a") async throws -> [Int] {
        try await store.history(of: id).map(\.revision)
    }

    func write(_ count: Int, _ store: any StreamStore, _ clock: WallClock) async throws {
        try await store.create([StreamDraft("a", "1"), StreamDraft("b")], by: nil)
        for revision in 1..<count {
            clock.advance(by: 10)
            try await store.replace(with: StreamDraft("a", "\(revision + 1)"), ifRevision: revision, by: nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func keepsTheNewestRevisions(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await write(6, store, clock)
            try await store.trim(Retention(revisions: 3))
            #expect(try await revisions(store) == [6, 5, 4])
            #expect(try await revisions(store, "b") == [1])
            #expect(try await store.revision(3, of: "a") == nil)
            #expect(try await store.read("a")?.text == "6")
            // What is kept still counts, and the numbers go on.
            try await store.replace(with: StreamDraft("a", "7"), ifRevision: 6, by: nil)
            try await store.trim(Retention(revisions: 3))
            #expect(try await revisions(store) == [7, 6, 5])
            try await store.trim(Retention(revisions: nil, outputs: nil))
            #expect(try await revisions(store) == [7, 6, 5])
            try await store.trim(Retention(revisions: -1))
            #expect(try await revisions(store) == [7])
        }
    }

    /// The newest outputs that fit into the size stay, one at least, in order, and later ones follow them.
    @Test(arguments: StoreKind.allCases)
    func keepsASize(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await store.create([StreamDraft("a", "1")], by: nil)
            func output(_ number: Int) -> StoredOutput {
                let text = "\"\(number)" + String(repeating: "x", count: 10_000) + "\""
                let time = StreamTime(nanoseconds: Int64(number))
                return StoredOutput(run: 1, sequence: number, time: time, kind: .value, text: text)
            }
            func commit(_ numbers: ClosedRange<Int>) async throws {
                let isNew = numbers.lowerBound == 1
                try await store.commit(RunCommit(run: 1, isNew: isNew, outputs: numbers.map(output)))
            }
            func kept() async throws -> [Int] {
                var kept: [Int] = []
                while true {
                    // A page has a bound in bytes too.
                    let page = try await store.outputs(of: "a", run: 1, after: kept.last ?? 0, limit: 10_000)
                    if page.isEmpty { return kept }
                    kept += page.map(\.sequence)
                }
            }
            for first in stride(from: 1, through: 2000, by: 20) { try await commit(first...(first + 19)) }
            try await store.trim(Retention(size: 4_000_000))
            let some = try await kept()
            #expect((300...400).contains(some.count) && some == Array((2001 - some.count)...2000), "\(some)")
            for first in stride(from: 2001, through: 3000, by: 20) { try await commit(first...(first + 19)) }
            try await store.trim(Retention(size: nil))
            #expect(try await kept().count == some.count + 1000)
            // Also without a look at all streams.
            if store is SQLiteStreamStore {
                try await store.trimGrown(Retention(size: 4_000_000))
                #expect((300...400).contains(try await kept().count))
            }
            try await store.trim(Retention(size: 1))
            #expect(try await kept() == [3000])
        }
    }

    /// More than one piece of them.
    @Test(arguments: StoreKind.allCases)
    func manyRevisionsGoAtOnce(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await write(50, store, clock)
            try await store.trim(Retention(revisions: 2))
            #expect(try await revisions(store) == [50, 49])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func keepsWhatIsYoung(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await write(6, store, clock)
            clock.advance(by: 5)
            try await store.trim(Retention(age: .seconds(20)))
            #expect(try await revisions(store) == [6, 5])
            clock.advance(by: 1000)
            try await store.trim(Retention(age: .seconds(20)))
            // The newest stays, however old it is.
            #expect(try await revisions(store) == [6])
            #expect(try await revisions(store, "b") == [1])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func keepsWhatARunHas(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await write(6, store, clock)
            var commit = RunCommit(isNew: true, checkpoint: "{}")
            commit.revision = 2
            try await store.commit(commit)
            try await store.trim(Retention(revisions: 1, age: .zero))
            #expect(try await revisions(store) == [6, 2])
            #expect(try await store.revision(2, of: "a")?.text == "2")
            try await store.forgetRun(of: "a")
            try await store.trim(Retention(revisions: 1))
            #expect(try await revisions(store) == [6])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aRemovedStreamKeepsItsNumber(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await write(6, store, clock)
            try await store.remove("a", ifRevision: 6, by: nil)
            try await store.trim(Retention(revisions: 1))
            #expect(try await revisions(store) == [7])
            #expect(try await store.create([StreamDraft("a")], by: nil).map(\.revision) == [8])
        }
    }

    /// More than one piece of it, over two runs; what a run has given before stays known.
    @Test(arguments: StoreKind.allCases)
    func keepsTheNewestOutputs(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a")], by: nil)
            try await store.commit(RunCommit(isNew: true, outputs: (1...1200).map { StoredOutput($0) }))
            try await store.commit(
                RunCommit(run: 2, isNew: true, outputs: (1...100).map { StoredOutput($0, run: 2) })
            )
            try await store.trim(Retention(outputs: 150))
            let first = try await store.outputs(of: "a", run: 1, after: 0, limit: 2000)
            #expect(first.map(\.sequence) == Array(1151...1200))
            try await store.trim(Retention(outputs: 10))
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 2000).isEmpty)
            #expect(try await store.outputs(of: "a", run: 2, after: 0, limit: 2000).map(\.sequence) == Array(91...100))
            #expect(try await store.run(of: "a")?.outputs == 100)
            try await store.commit(RunCommit(run: 2, outputs: (80...101).map { StoredOutput($0, run: 2) }))
            #expect(try await store.outputs(of: "a", run: 2, after: 0, limit: 2000).map(\.sequence) == Array(91...101))
        }
    }

    @Test(arguments: StoreKind.allCases)
    func oldOutputsGo(_ kind: StoreKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await store.create([StreamDraft("a")], by: nil)
            for number in 1...4 {
                var commit = RunCommit(isNew: number == 1, outputs: [StoredOutput(number)])
                commit.savedAt = clock.now
                try await store.commit(commit)
                clock.advance(by: 60)
            }
            try await store.trim(Retention(age: .seconds(150)))
            #expect(try await store.outputs(of: "a", run: 1, after: 0, limit: 9).map(\.sequence) == [3, 4])
        }
    }
}
#endif
