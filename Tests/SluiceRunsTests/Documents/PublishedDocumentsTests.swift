import SluiceTestSupport
import Testing

@testable import SluiceRuns

/// The documents as readers outside of the set's actor see them.
@Suite struct PublishedDocumentsTests {
    /// After each of many random changes, the published documents are those of the set, and the change is counted.
    @Test func theyAreThoseOfTheSet() {
        let published = PublishedDocuments()
        var set = DocumentSet(publishedIn: published)
        var random = Seeded(seed: 14)
        let ids = (0..<6).map { "s\($0)" }
        for step in 0..<500 {
            let id = ids[Int.random(in: 0..<6, using: &random)]
            let (changes, exists) = (published.changeCount, set[id] != nil)
            var isChange = true
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                set.remove(id)
                isChange = exists
            case 1:
                _ = set.note(DocumentCheck(own: [], all: [], compiled: nil, references: []), of: id)
                isChange = exists
            case 2:
                let text = #"{"filters": [{"timeout": {"seconds": \#(step + 1)}}]}"#
                set.put(SetDocument(reading: StoredStream(id: id, revision: step, name: nil, text: text)))
            default:
                let text = #"{"source": {"values": [\#(step)]}}"#
                set.put(SetDocument(reading: StoredStream(id: id, revision: step, name: nil, text: text)))
            }
            #expect((published.changeCount > changes) == isChange)
            for id in ids {
                let entry = published[id]
                #expect(
                    entry?.stored.text == set[id]?.stored.text && entry?.stored.revision == set[id]?.stored.revision
                )
                #expect(entry?.isStack == set[id]?.isStack)
            }
        }
    }
}
