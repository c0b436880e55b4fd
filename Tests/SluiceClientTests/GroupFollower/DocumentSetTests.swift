import SluiceJSON
import SluiceStreams
import Testing

@testable import SluiceClient

@Suite struct DocumentSetTests {
    private func document(_ id: String, _ text: String, _ revision: Int = 1) -> GroupEvent.Document {
        GroupEvent.Document(id: id, revision: revision, name: nil, text: text, isReference: false)
    }

    @Test func definitionHasAllThatIsReferredTo() throws {
        var set = DocumentSet(maximumDocumentBytes: 1_000)
        let all = [
            document("a", #"{"source": {"merge": [{"ref": "b"}, {"ref": "Numbers"}]}}"#),
            document("b", #"{"source": {"ref": "c"}}"#), document("c", #"{"source": {"ref": "a"}}"#),
            document("n", #"{"name": "Numbers", "source": {"values": [1]}}"#),
            document("other", #"{"source": {"never": {}}}"#),
        ]
        let news = (all + [all[0]]).map { set.put($0) }
        #expect(news == [true, true, true, true, true, false])
        #expect(set.definition(of: "a")?.ids.sorted() == ["a", "a", "b", "c", "n"])
        #expect(set.definition(of: "other")?.ids == ["other"])
        #expect(set.definition(of: "none") == nil)
        let circle = #expect(throws: JSONErrors.self) { try set.definition(of: "a")?.checked() }
        #expect(circle?.description.contains("streams refer to each other in a circle") == true)
        _ = set.put(document("c", #"{"source": {"values": [2]}}"#, 2))
        #expect(
            try set.definition(of: "a")?.checked().document.flow(in: set.definition(of: "a")?.library ?? .init())
                .virtualEvents().compactMap(\.value) == [2, 1]
        )
    }

    @Test func definitionIsTheSameUntilSomethingOfItChanges() throws {
        var set = DocumentSet(maximumDocumentBytes: 1_000)
        _ = set.put(document("a", #"{"source": {"ref": "b"}}"#))
        let without = try #require(set.definition(of: "a"))
        _ = set.put(document("b", #"{"source": {"never": {}}}"#))
        let with = try #require(set.definition(of: "a"))
        #expect(!with.isSame(as: without))
        _ = set.put(document("c", #"{"source": {"never": {}}}"#))
        #expect(set.definition(of: "a")?.isSame(as: with) == true)
        _ = set.put(document("b", #"{"source": {"never": {}}}"#, 2))
        #expect(set.definition(of: "a")?.isSame(as: with) == false)
        set.remove("b")
        #expect(set.definition(of: "a")?.isSame(as: without) == true)
    }

    @Test func nameOfTwoIsNoReference() throws {
        var set = DocumentSet(maximumDocumentBytes: 1_000)
        _ = set.put(document("a", #"{"source": {"ref": "N"}}"#))
        _ = set.put(document("b", #"{"name": "N", "source": {"never": {}}}"#))
        _ = set.put(document("c", #"{"name": "N", "source": {"never": {}}}"#))
        let errors = #expect(throws: JSONErrors.self) { try set.definition(of: "a")?.checked() }
        #expect(errors?.description == #"1:20: source.ref: 2 streams are named "N" (refer to one by its id)"#)
    }
}
