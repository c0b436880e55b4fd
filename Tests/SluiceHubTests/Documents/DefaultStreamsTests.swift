#if Hub
import Foundation
import HTTPTypes
import SluiceJSON
import SluiceStore
import SluiceStreams
import Testing

@testable import SluiceHub

/// The streams of a new store: those of the seed's program, so that the page has something to show at once.
@Suite struct DefaultStreamsTests {
    /// At two and at four seconds both give something: B's is due for longer, since an item's delay begins with the item
    /// before it.
    private static let given: [(name: String, values: String)] = [
        ("Serial Stream A", "1 2 3 4"),
        ("Serial Stream B", "A B C D"),
        ("Filter Stream", "1 2 4"),
        ("Drop Stream", "3 4"),
        ("Map Stream", "2 4 6 8"),
        ("Scan Stream", "1 3 6 10"),
        ("Map then Scan", "2 6 12 20"),
        ("Merge Stream", "1 A 2 3 B 4 C D"),
        ("FlatMap Stream", "A A B A B A C B C B D C D C D D"),
        ("Append Stream", "1 2 3 4 A B C D"),
        ("Zip Stream", "[1,A] [2,B] [3,C] [4,D]"),
        ("CombineLatest Stream", "[1,A] [2,A] [3,A] [3,B] [4,B] [4,C] [4,D]"),
    ]

    @Test func anEmptyStoreBeginsWithThem() async throws {
        let hub = try await Hub()
        let heads = try #require(try await hub.ask(.get, "/streams").json.array)
        #expect(heads.map { $0["name"]?.string } == Self.given.map(\.name))
        #expect(heads.allSatisfy { $0["isDefault"] == true && $0["state"] == "idle" && $0["revision"] == 1 })
        #expect(heads.dropFirst(2).allSatisfy { $0["description"]?.string?.isEmpty == false })
    }

    /// Each reads as a model whose identity is made of its name, and is saved whole.
    @Test func eachIsAModel() throws {
        var ids: Set<UUID> = []
        for draft in try DefaultStreams.make() {
            let model = try SluiceJSONDecoder().decode(StreamModel<JSON>.self, from: draft.text)
            #expect(model.documentID == draft.id)
            #expect(ids.insert(model.id).inserted)
            #expect(try JSON(parsing: SluiceJSONEncoder().text(model)) == JSON(parsing: draft.text))
            let foundation = try JSONDecoder().decode(StreamModel<JSON>.self, from: Data(draft.text.utf8))
            #expect(foundation == model)
        }
    }

    @Test(arguments: given.indices) func eachGivesWhatItsNameSays(_ index: Int) async throws {
        let hub = try await Hub()
        let heads = try #require(try await hub.ask(.get, "/streams").json.array)
        let id = try #require(heads[index]["id"]?.string)
        #expect(try await hub.ask(.post, "/streams/\(id)/start").status == .ok)
        try await hub.pass(13)
        #expect(hub.state(id) == .completed)
        try await hub.hub.run(id).save()
        let values = try await hub.store.outputs(of: id, run: nil, after: 0, limit: 1000).filter { $0.kind == .value }
        #expect(values.map { $0.text.replacing("\"", with: "") }.joined(separator: " ") == Self.given[index].values)
    }

    /// They refer to each other by id: whoever renames one, or opens a copy of it, breaks none.
    @Test func namesMayChangeAndBeTaken() async throws {
        let hub = try await Hub()
        let renamed = Document.items("serial-stream-a", [1], name: "Mine")
        #expect(try await hub.ask(.put, "/streams/serial-stream-a", renamed, ["If-Match": "\"1\""]).status == .ok)
        #expect(
            try await hub.ask(.post, "/streams", Document.items("copy", [1], name: "Serial Stream B")).status
                == .created
        )
        let heads = try #require(try await hub.ask(.get, "/streams").json.array)
        #expect(heads.count == 13 && heads.allSatisfy { $0["state"] == "idle" })
    }

    /// A store that has something keeps to that.
    @Test func aStoreWithStreamsIsLeftAsItIs() async throws {
        let hub = try await Hub([Document.items("a", [1])])
        #expect(try await hub.ask(.get, "/streams").json.array?.count == 1)
    }
}
#endif
