#if SQLite
import SluiceRuns
import SluiceStore
import Testing

/// The laws of stores that several hubs share.
@Suite(.timeLimit(.minutes(20))) struct SharedLawTests {
    private func withStore(
        _ kind: DefinitionKind,
        _ body: (any SharedDefinitionStore) async throws -> Void
    ) async throws {
        try await kind.withStore { try await body(try #require($0 as? any SharedDefinitionStore)) }
    }

    /// Documents that are present come first, and then every change, whoever makes it.
    @Test(arguments: DefinitionKind.shareable)
    func changesComeInOrder(_ kind: DefinitionKind) async throws {
        try await withStore(kind) { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            try await store.remove("b", ifRevision: 1, by: nil)
            try await store.createGroup("g")
            var changes = try await store.changes().makeAsyncIterator()
            var present: Set<String> = []
            while let change = try await changes.next(), change != .current { present.insert(change.description) }
            #expect(present.isSuperset(of: ["a 1", "group g"]))
            #expect(present.isSubset(of: ["a 1", "group g", "b removed 2"]))
            try await store.replace(with: StreamDraft("a", "[]"), ifRevision: 1, by: nil)
            try await store.assign("a", to: "g")
            try await store.create([StreamDraft("b"), StreamDraft("c")], by: nil)
            try await store.remove("c", ifRevision: 1, by: nil)
            try await store.removeGroup("g")
            var seen: [String] = []
            while seen.last != "no group g", let change = try await changes.next() { seen.append(change.description) }
            // A revision that is replaced at once may be left out.
            seen.removeAll { $0 == "c 1" }
            #expect(seen == ["a 2", "group g", "b 3", "c removed 2", "no group g"])
        }
    }

    /// A document that comes from another store keeps its numbers, times, and authors.
    @Test(arguments: DefinitionKind.shareable)
    func anAdoptedHistoryIsTheSame(_ kind: DefinitionKind) async throws {
        let clock = WallClock()
        let other = MemoryStreamStore(now: { clock.now })
        try await other.create([StreamDraft("a", "[1]", name: "A")], by: "ada")
        clock.advance(by: 60)
        try await other.replace(with: StreamDraft("a", "[2]"), ifRevision: 1, by: nil)
        try await other.remove("a", ifRevision: 2, by: "bob")
        clock.advance(by: 60)
        try await other.create([StreamDraft("a", "[4]")], by: "cid")
        var history: [(line: StreamRevision, document: StoredStream?)] = []
        for line in try await other.history(of: "a") {
            history.append((line, try await other.revision(line.revision, of: "a")))
        }
        try await withStore(kind) { store in
            try await store.adopt(history, of: "a")
            #expect(try await store.history(of: "a") == history.map(\.line))
            #expect(try await store.read("a") == other.read("a"))
            #expect(try await store.revision(2, of: "a") == other.revision(2, of: "a"))
            #expect(try await store.revision(3, of: "a") == nil)
            await #expect(throws: StoreError(.taken(id: "a"))) { try await store.adopt(history, of: "a") }
            // It goes on from there.
            #expect(try await store.replace(with: StreamDraft("a"), ifRevision: 4, by: nil).revision == 5)
            // So does one that was removed in the end.
            try await store.adopt(Array(history.dropFirst()), of: "b")
            #expect(try await store.read("b") == nil)
            #expect(try await store.history(of: "b").map(\.revision) == [3, 2, 1])
            #expect(try await store.create([StreamDraft("b")], by: nil).map(\.revision) == [4])
        }
    }
}
#endif
