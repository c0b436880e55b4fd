#if SQLite
import Foundation
import SluiceStore
import SluiceStreams
import Testing

/// The promises of both stores about the documents that a run is compiled from, and outputs of several runs.
@Suite(.timeLimit(.minutes(30))) struct RunDocumentLawTests {
    private func stored(_ id: String, _ revision: Int, _ text: String) -> StoredStream {
        StoredStream(id: id, revision: revision, name: "name \(id)", text: text)
    }

    private func commit(_ documents: [StoredStream]?, isNew: Bool = false, run: Int = 1) -> RunCommit {
        var commit = RunCommit(run: run, isNew: isNew, checkpoint: "{}")
        commit.documents = documents
        return commit
    }

    @Test(arguments: StoreKind.allCases) func documentsStayUntilOthersCome(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a", "1"), StreamDraft("b", "2")], by: nil)
            // One that is in the history, one whose text differs from it, and one that never was there.
            let first = [stored("a", 1, "1"), stored("b", 1, "another"), stored("c\u{0}", 9, "gone \u{0}")]
            try await store.commit(commit(first, isNew: true))
            #expect(try await store.run(of: "a")?.documents == first)
            #expect(try await store.runs().map(\.documents) == [[]])
            try await store.commit(commit(nil))
            #expect(try await store.run(of: "a")?.documents == first)
            try await store.commit(commit([first[1], first[0]]))
            #expect(try await store.run(of: "a")?.documents == [first[1], first[0]])
            try await store.commit(commit(nil, isNew: true, run: 2))
            #expect(try await store.run(of: "a")?.documents == [])
            try await store.commit(commit(first, run: 2))
            try await store.forgetRun(of: "a")
            #expect(try await store.run(of: "a") == nil)
        }
    }

    /// The texts outlive edits, trimming, and removal of the documents, and the run that uses them.
    @Test(arguments: StoreKind.allCases) func textsOutliveTheirDocuments(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b", "first")], by: nil)
            let documents = [stored("a", 1, "{}"), stored("b", 1, "first")]
            try await store.commit(commit(documents, isNew: true))
            for revision in 1...4 { try await store.replace(with: StreamDraft("b"), ifRevision: revision, by: nil) }
            try await store.remove("b", ifRevision: 5, by: nil)
            try await store.trim(Retention(revisions: 1))
            #expect(try await store.run(of: "a")?.documents == documents)
            #expect(try await store.history(of: "b").map(\.revision) == [6, 1])
            try await store.create([StreamDraft("b")], by: nil)
            #expect(try await store.run(of: "a")?.documents == documents)
            try await store.forgetRun(of: "a")
            try await store.trim(Retention(revisions: 1))
            #expect(try await store.history(of: "b").map(\.revision) == [7])
        }
    }

    @Test(arguments: StoreKind.allCases) func editsAreAllDoneOrNone(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            func edit(_ id: String, _ revision: Int) -> StreamEdit {
                StreamEdit(StreamDraft(id, "edited"), ifRevision: revision)
            }
            let stored = try await store.replace([edit("b", 1), edit("a", 1)], by: "me")
            #expect(stored.map(\.id) == ["b", "a"] && stored.map(\.revision) == [2, 2])
            #expect(try await store.history(of: "a").first?.author == "me")
            for edits in [[edit("a", 2), edit("b", 1)], [edit("a", 2), edit("c", 1)], [edit("a", 2), edit("a", 3)]] {
                await #expect(throws: StoreError.self) { try await store.replace(edits, by: nil) }
                #expect(try await store.list().map(\.revision) == [2, 2])
            }
            #expect(try await store.replace([], by: nil).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases) func outputsAreReadFromRunToRun(_ kind: StoreKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            for run in 1...3 {
                let outputs = (1...5).map { StoredOutput($0, run: run) }
                try await store.commit(RunCommit(run: run, isNew: true, outputs: outputs))
            }
            try await store.commit(RunCommit(isNew: true, stream: "b", outputs: [StoredOutput(1)]))
            let all = (1...3).flatMap { run in (1...5).map { [run, $0] } }
            for start in 0...all.count {
                let last = start == 0 ? [0, 0] : all[start - 1]
                for limit in [1, 4, 100] {
                    let read = try await store.outputs(of: "a", afterRun: last[0], sequence: last[1], limit: limit)
                    #expect(read.map { [$0.run, $0.sequence] } == Array(all[start...].prefix(limit)))
                }
            }
            #expect(try await store.outputs(of: "c", afterRun: 0, sequence: 0, limit: 9).isEmpty)
            #expect(try await store.outputs(of: "a", afterRun: 0, sequence: 0, limit: 0).isEmpty)
        }
    }
}
#endif
