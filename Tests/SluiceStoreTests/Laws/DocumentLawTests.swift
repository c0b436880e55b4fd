#if SQLite
import Foundation
import SluiceStore
import Testing

/// The laws of all stores for documents.
@Suite(.timeLimit(.minutes(30))) struct DocumentLawTests {
    @Test(arguments: DefinitionKind.allCases)
    func keepsWhatItIsGivenInTheOrderInWhichItCame(_ kind: DefinitionKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            #expect(try await store.list().isEmpty)
            let written = try await store.create([StreamDraft("b", "1", name: "B"), StreamDraft("a", "2")], by: "me")
            #expect(
                written == [
                    StoredStream(id: "b", revision: 1, name: "B", text: "1", time: clock.now),
                    StoredStream(id: "a", revision: 1, name: nil, text: "2", time: clock.now),
                ]
            )
            try await store.create([StreamDraft("0")], by: nil)
            #expect(try await store.list().map(\.id) == ["b", "a", "0"])
            #expect(try await store.list().prefix(2) == written[...])
            #expect(try await store.read("b") == written[0])
            #expect(try await store.read("c") == nil)
            #expect(try await store.history(of: "c").isEmpty)
            #expect(try await store.revision(1, of: "c") == nil)
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func createsAllOrNone(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            let first = try await store.create([StreamDraft("a")], by: nil)
            await #expect(throws: StoreError(.taken(id: "a"))) {
                try await store.create([StreamDraft("b"), StreamDraft("a")], by: nil)
            }
            await #expect(throws: StoreError(.taken(id: "b"))) {
                try await store.create([StreamDraft("b"), StreamDraft("b")], by: nil)
            }
            await #expect(throws: StoreError(.taken(id: "a"))) {
                try await store.create([StreamDraft("a", "1"), StreamDraft("a", "2")], replacing: true, by: nil)
            }
            #expect(try await store.list() == first)
            #expect(try await store.create([], by: nil).isEmpty)
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func whatIsReplacedWhileCreatingKeepsItsPlace(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            try await store.create([StreamDraft("c", "3"), StreamDraft("a", "1")], replacing: true, by: "import")
            #expect(try await store.list().map(\.text) == ["1", "{}", "3"])
            #expect(try await store.list().map(\.revision) == [2, 1, 1])
            #expect(try await store.history(of: "a").map(\.author) == ["import", nil])
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func replacesOnlyWhatTheAuthorHasRead(_ kind: DefinitionKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            try await store.create([StreamDraft("a")], by: "me")
            clock.advance(by: 1)
            let second = try await store.replace(with: StreamDraft("a", "[]", name: "A"), ifRevision: 1, by: "you")
            #expect(second == StoredStream(id: "a", revision: 2, name: "A", text: "[]", time: clock.now))
            for stale in [1, 3, 0, -1, .max] {
                await #expect(throws: StoreError(.conflict(id: "a", expected: stale, current: second))) {
                    try await store.replace(with: StreamDraft("a", "lost"), ifRevision: stale, by: "other")
                }
                await #expect(throws: StoreError(.conflict(id: "a", expected: stale, current: second))) {
                    try await store.remove("a", ifRevision: stale, by: "other")
                }
            }
            #expect(try await store.read("a") == second)
            await #expect(throws: StoreError(.missing(id: "b"))) {
                try await store.replace(with: StreamDraft("b"), ifRevision: 1, by: nil)
            }
            await #expect(throws: StoreError(.missing(id: "b"))) {
                try await store.remove("b", ifRevision: 1, by: nil)
            }
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func historyHasEveryRevision(_ kind: DefinitionKind) async throws {
        let clock = WallClock()
        try await kind.withStore(at: clock) { store in
            let start = clock.now
            try await store.create([StreamDraft("a", "1", name: "A")], by: "me")
            clock.advance(by: 0.25)
            try await store.replace(with: StreamDraft("a", "2"), ifRevision: 1, by: nil)
            clock.advance(by: 0.25)
            try await store.remove("a", ifRevision: 2, by: "you")
            #expect(
                try await store.history(of: "a") == [
                    StreamRevision(revision: 3, time: start + 0.5, author: "you", name: nil, isRemoved: true),
                    StreamRevision(revision: 2, time: start + 0.25, author: nil, name: nil, isRemoved: false),
                    StreamRevision(revision: 1, time: start, author: "me", name: "A", isRemoved: false),
                ]
            )
            #expect(
                try await store.revision(1, of: "a")
                    == StoredStream(id: "a", revision: 1, name: "A", text: "1", time: start)
            )
            #expect(try await store.revision(2, of: "a")?.text == "2")
            #expect(try await store.revision(3, of: "a") == nil)
            #expect(try await store.revision(4, of: "a") == nil)
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func whatIsRemovedIsGoneAndComesBackLast(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            try await store.remove("a", ifRevision: 1, by: nil)
            #expect(try await store.list().map(\.id) == ["b"])
            #expect(try await store.read("a") == nil)
            await #expect(throws: StoreError(.conflict(id: "a", expected: 1, current: nil))) {
                try await store.replace(with: StreamDraft("a"), ifRevision: 1, by: nil)
            }
            await #expect(throws: StoreError(.conflict(id: "a", expected: 2, current: nil))) {
                try await store.remove("a", ifRevision: 2, by: nil)
            }
            // No revision is used twice: who still has revision 1 in hand cannot write over the new one.
            let again = try await store.create([StreamDraft("a", "new")], by: nil)
            #expect(again.map(\.revision) == [3])
            #expect(try await store.list().map(\.id) == ["b", "a"])
            #expect(try await store.history(of: "a").map(\.isRemoved) == [false, true, false])
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func textsAreKeptByteForByte(_ kind: DefinitionKind) async throws {
        let odd = [
            "", "\0", "a\0b", "\u{FEFF}x", "\r\n", "'; DROP TABLE stream; --", "👩‍👩‍👧", "e\u{301}", "\u{FFFF}", "%_?1",
        ]
        try await kind.withStore { store in
            for text in odd {
                try await store.create([StreamDraft(id: text, name: text, text: text)], by: text)
                try await store.createGroup(text)
                try await store.assign(text, to: text)
            }
            let list = try await store.list()
            #expect(list.map { Array($0.text.utf8) } == odd.map { Array($0.utf8) })
            for text in odd {
                let stored = try await store.read(text)
                #expect(stored?.id == text)
                #expect(stored?.name.map { Array($0.utf8) } == Array(text.utf8))
                #expect(try await store.history(of: text).map(\.author) == [text])
            }
            #expect(try await store.groups() == odd.map { StoredGroup(name: $0, streams: [$0]) })
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func whatSwiftHoldsEqualIsOneID(_ kind: DefinitionKind) async throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        try await kind.withStore { store in
            try await store.create([StreamDraft(composed)], by: nil)
            await #expect(throws: StoreError(.taken(id: composed))) {
                try await store.create([StreamDraft(decomposed)], by: nil)
            }
            #expect(try await store.replace(with: StreamDraft(decomposed), ifRevision: 1, by: nil).id == composed)
            #expect(try await store.read(decomposed)?.revision == 2)
            try await store.createGroup(decomposed)
            try await store.createGroup(composed)
            try await store.assign(decomposed, to: composed)
            #expect(try await store.groups() == [StoredGroup(name: composed, streams: [composed])])
        }
    }

    /// Writers that read, add a line and write: each edit is there in the end, none was written over.
    @Test(arguments: DefinitionKind.allCases)
    func noUpdateIsLost(_ kind: DefinitionKind) async throws {
        let (writers, edits) = (8, 100)
        try await kind.withStore { store in
            try await store.create([StreamDraft("a", "")], by: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<writers {
                    group.addTask {
                        for edit in 0..<edits {
                            var current = try #require(try await store.read("a"))
                            while true {
                                var draft = current.draft
                                draft.text += "\(writer).\(edit) "
                                do {
                                    try await store.replace(
                                        with: draft,
                                        ifRevision: current.revision,
                                        by: "\(writer)"
                                    )
                                    break
                                } catch let error as StoreError {
                                    guard case .conflict(_, _, let newer?) = error.kind else { throw error }
                                    current = newer
                                }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let history = try await store.history(of: "a")
            #expect(history.map(\.revision) == (1...(writers * edits + 1)).reversed())
            let last = try #require(try await store.read("a")).text.split(separator: " ").map(String.init)
            #expect(last.count == writers * edits)
            for writer in 0..<writers {
                #expect(last.filter { $0.hasPrefix("\(writer).") } == (0..<edits).map { "\(writer).\($0)" })
                #expect(history.count { $0.author == "\(writer)" } == edits)
            }
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func whoIsCancelledBeforeItBeginsWritesNothing(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                try await store.create([StreamDraft("a")], by: nil)
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let list = try await store.list()
            #expect(list.isEmpty)
        }
    }
}
#endif
