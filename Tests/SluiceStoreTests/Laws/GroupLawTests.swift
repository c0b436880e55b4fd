#if SQLite
import SluiceStore
import Testing

/// The laws of all stores for groups.
@Suite(.timeLimit(.minutes(30))) struct GroupLawTests {
    @Test(arguments: DefinitionKind.allCases)
    func groupsHaveTheirStreamsInTheOrderGiven(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b"), StreamDraft("c")], by: nil)
            try await store.createGroup("workers")
            try await store.createGroup("tests")
            try await store.createGroup("workers")
            for stream in ["c", "a", "b", "c"] { try await store.assign(stream, to: "workers") }
            try await store.assign("a", to: "tests")
            #expect(
                try await store.groups() == [
                    StoredGroup(name: "workers", streams: ["c", "a", "b"]), StoredGroup(name: "tests", streams: ["a"]),
                ]
            )
            try await store.unassign("a", from: "workers")
            try await store.unassign("a", from: "workers")
            try await store.unassign("none", from: "workers")
            try await store.unassign("a", from: "none")
            #expect(try await store.groups().map(\.streams) == [["c", "b"], ["a"]])
            try await store.removeGroup("workers")
            try await store.removeGroup("workers")
            #expect(try await store.groups().map(\.name) == ["tests"])
            try await store.createGroup("workers")
            #expect(try await store.groups().map(\.streams) == [["a"], []])
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func whatIsNotThereCannotBeAssigned(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("gone")], by: nil)
            try await store.remove("gone", ifRevision: 1, by: nil)
            try await store.createGroup("g")
            for id in ["gone", "never"] {
                await #expect(throws: StoreError(.missing(id: id))) { try await store.assign(id, to: "g") }
            }
            await #expect(throws: StoreError(.missingGroup(name: "h"))) { try await store.assign("a", to: "h") }
            #expect(try await store.groups() == [StoredGroup(name: "g", streams: [])])
        }
    }

    @Test(arguments: DefinitionKind.allCases)
    func aRemovedStreamLeavesItsGroups(_ kind: DefinitionKind) async throws {
        try await kind.withStore { store in
            try await store.create([StreamDraft("a"), StreamDraft("b")], by: nil)
            for group in ["g", "h"] {
                try await store.createGroup(group)
                for stream in ["a", "b"] { try await store.assign(stream, to: group) }
            }
            try await store.remove("a", ifRevision: 1, by: nil)
            try await store.create([StreamDraft("a")], by: nil)
            #expect(try await store.groups().map(\.streams) == [["b"], ["b"]])
        }
    }
}
#endif
