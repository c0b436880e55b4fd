#if SQLite
import Foundation
import SluiceJSON
import SluiceStore
import Testing

@Suite(.timeLimit(.minutes(30))) struct ExchangeTests {
    @Test(arguments: StoreKind.allCases)
    func whatIsExportedIsImported(_ kind: StoreKind) async throws {
        let drafts = [
            StreamDraft("b", "{ \"x-odd\" : 1.50, \"id\": \"b\",\n  \"name\":\"B\\u0041\" }", name: "BA"),
            StreamDraft("a", #"{"id": "a"}"#),
        ]
        try await kind.withStore { store in
            try await store.create(drafts, by: nil)
            let text = try await store.export()
            #expect(text == "[\n\(drafts[0].text),\n\(drafts[1].text)\n]\n")
            #expect(try StreamDraft.list(parsing: text) == drafts)
            try await kind.withStore { other in
                try await other.importDrafts(StreamDraft.list(parsing: text), whereTaken: .refuse, by: "me")
                #expect(try await other.list().map(\.draft) == drafts)
                #expect(try await other.export() == text)
                #expect(try await other.history(of: "a").map(\.author) == ["me"])
            }
        }
    }

    @Test func nothingIsAnEmptyArray() async throws {
        #expect(try await MemoryStreamStore().export() == "[]\n")
        #expect(try StreamDraft.list(parsing: "[]").isEmpty)
    }

    @Test func anIDIsAddedWhereThereIsNone() async throws {
        let store = MemoryStreamStore()
        try await store.create(
            [
                StreamDraft("1", "{}"), StreamDraft("2", " {\n \"name\": \"x\"}"),
                StreamDraft("\"", #"{"id": "other"}"#),
                StreamDraft("4", #"{"id": null, "a": {"id": 1}}"#),
            ],
            by: nil
        )
        #expect(
            try await store.export() == """
                [
                {"id": "1"},
                 {"id": "2", \n "name": "x"},
                {"id": "\\""},
                {"id": "4", "a": {"id": 1}}
                ]

                """
        )
    }

    @Test func whatIsNoDocumentCannotBeExported() async throws {
        let store = MemoryStreamStore()
        try await store.create([StreamDraft("a", "[1]")], by: nil)
        let error = await #expect(throws: StoreError.self) { try await store.export() }
        #expect(
            error?.reason
                == "the text of stream 'a' is not a JSON object (1:1: expected an object): replace or remove it first"
        )
    }

    @Test func aLoneDocumentIsOneToo() throws {
        let drafts = try StreamDraft.list(parsing: #" {"name": "A", "stream": []} "#)
        #expect(drafts.map(\.text) == [#"{"name": "A", "stream": []}"#])
        #expect(drafts.map(\.name) == ["A"])
        #expect(UUID(uuidString: drafts[0].id) != nil)
    }

    @Test(arguments: [
        ("[1, {}, {\"id\": 2}]", "1:2: [0]: expected a document: an object\n1:16: [2].id: expected a text as id"),
        ("[", "1:2: the text ends where a value was expected"), ("3", "1:1: expected a document: an object"),
    ])
    func whatIsNoDocumentIsRefusedWithItsPlace(_ text: String, _ errors: String) {
        let error = #expect(throws: JSONErrors.self) { try StreamDraft.list(parsing: text) }
        #expect(error?.description == errors)
    }

    @Test func whatIsTakenIsRefusedReplacedOrRenamed() async throws {
        let drafts = try StreamDraft.list(
            parsing: #"[{"id": "a", "n": 2}, {"id": "c", "source": {"merge": [{"ref": "a"}, {"ref": "b"}]}}]"#
        )
        func store() async throws -> MemoryStreamStore {
            let store = MemoryStreamStore()
            try await store.create([StreamDraft("a", #"{"id": "a", "n": 1}"#), StreamDraft("b", "{}")], by: nil)
            return store
        }
        let refusing = try await store()
        await #expect(throws: StoreError(.taken(id: "a"))) {
            try await refusing.importDrafts(drafts, whereTaken: .refuse, by: nil)
        }
        #expect(try await refusing.list().map(\.id) == ["a", "b"])

        let replacing = try await store()
        try await replacing.importDrafts(drafts, whereTaken: .replace, by: nil)
        #expect(try await replacing.list().map(\.text) == [drafts[0].text, "{}", drafts[1].text])
        #expect(try await replacing.history(of: "a").map(\.revision) == [2, 1])

        let renaming = try await store()
        let stored = try await renaming.importDrafts(drafts, whereTaken: .newIDs, by: nil)
        let id = stored[0].id
        #expect(UUID(uuidString: id) != nil)
        #expect(stored[0].text == #"{"id": "\#(id)", "n": 2}"#)
        #expect(stored[1].text == #"{"id": "c", "source": {"merge": [{"ref": "\#(id)"}, {"ref": "b"}]}}"#)
        #expect(try await renaming.list().map(\.id) == ["a", "b", id, "c"])
        #expect(try await renaming.read("a")?.text == #"{"id": "a", "n": 1}"#)
    }

    @Test func referencesFollowAndValuesDoNot() async throws {
        let store = MemoryStreamStore()
        try await store.create([StreamDraft("a")], by: nil)
        let text =
            #"{"id": "d", "source": {"ref": {"id": "a", "parameters": {}}}, "x-data": {"ref": "a"}, "operators": [{"merge": {"ref": "a"}}, {"mapTo": {"value": {"ref": "a"}}}]}"#
        let drafts = [
            StreamDraft("a", #"{"id": "a"}"#), StreamDraft("d", text), StreamDraft("a", #"{"id": "a", "second": 1}"#),
        ]
        let stored = try await store.importDrafts(drafts, whereTaken: .newIDs, by: nil)
        #expect(Set(stored.map(\.id)).count == 3)
        let expected = text.replacing(#""id": "a""#, with: #""id": "\#(stored[0].id)""#)
            .replacing(#"{"merge": {"ref": "a"}}"#, with: #"{"merge": {"ref": "\#(stored[0].id)"}}"#)
        #expect(stored[1].text == expected)
    }

    /// Of two with one id the first keeps it.
    @Test func oneThatComesTwiceGetsANewID() async throws {
        let store = MemoryStreamStore()
        let drafts = try StreamDraft.list(parsing: #"[{"id": "a"}, {"id": "a"}, {"id": "b", "source": {"ref": "a"}}]"#)
        let stored = try await store.importDrafts(drafts, whereTaken: .newIDs, by: nil)
        #expect(stored[0].text == #"{"id": "a"}"#)
        #expect(stored[1].id != "a")
        #expect(stored[2].text == drafts[2].text)
    }
}
#endif
