#if Hub
import HTTPTypes
import SluiceJSON
import SluiceRuns
import SluiceStore
import SluiceStreams
import SluiceTesting
import Testing

@testable import SluiceHub

@Suite struct GroupSetTests {
    private func put(_ set: inout DocumentSet, _ id: String, name: String? = nil, _ references: [String]) throws {
        let sources = references.map { #"{"ref": "\#($0)"}"# }.joined(separator: ", ")
        let text = #"{"id": "\#(id)", "source": {"merge": [\#(sources)]}}"#
        let revision = (set[id]?.stored.revision ?? 0) + 1
        let stored = StoredStream(id: id, revision: revision, name: name, text: text)
        set.put(HubDocument(stored, try StreamDocument(reading: Array(text.utf8))))
    }

    /// A set that is changed again and again is the same as one that is made at once.
    @Test(arguments: 0..<300) func changesAddUp(_ seed: UInt64) throws {
        var chance = SeededChance(seed)
        let (ids, names) = ((0..<8).map { "\($0)" }, ["A", "B", "3"])
        var (documents, group, own) = (DocumentSet(), GroupSet(), Set<String>())
        var known: [String: GroupSet.Entry] = [:]
        for step in 0..<60 {
            let id = ids[chance.next(8)]
            var texts: Set<String> = [id]
            switch chance.next(5) {
            case 0:
                texts.formUnion([documents[id]?.stored.name].compactMap { $0 })
                documents.remove(id)
                own.remove(id)
            case 1: own.formSymmetricDifference([id])
            default:
                texts.formUnion([documents[id]?.stored.name].compactMap { $0 })
                let name = chance.next(2) == 0 ? names[chance.next(3)] : nil
                try put(&documents, id, name: name, (0..<chance.next(4)).map { _ in (ids + names)[chance.next(11)] })
                texts.formUnion([name].compactMap { $0 })
            }
            let changes = group.update([id], texts, isOwn: own.contains, in: documents)
            for id in changes.put { known[id] = group.entries[id] }
            for id in changes.removed { known[id] = nil }
            let given = own.filter { documents[$0] != nil }
            let references = documents.graph.closure(of: given)
            #expect(Set(group.entries.keys) == given.union(references), "step \(step)")
            for (id, entry) in group.entries {
                #expect(entry.isReference == !given.contains(id) && entry.revision == documents[id]?.stored.revision)
            }
            #expect(known == group.entries, "step \(step)")
        }
    }

    /// With a follower a write costs the same, however many streams there are.
    @Test func aWriteLooksAtWhatChanged() throws {
        func work(_ count: Int) throws -> [Int] {
            var documents = DocumentSet()
            for number in 0..<count {
                try put(&documents, "\(number)", number % 10 == 0 ? [] : ["\(number / 10 * 10)"])
            }
            var figures: [Int] = []
            for isAll in [true, false] {
                var group = GroupSet()
                let isOwn: (String) -> Bool = { isAll || !$0.hasSuffix("0") }
                _ = group.update(documents.ids, isOwn: isOwn, in: documents)
                #expect(group.entries.count == count)
                func change(_ body: (inout DocumentSet) throws -> (Set<String>, Set<String>)) rethrows {
                    let before = group.work
                    let (ids, texts) = try body(&documents)
                    _ = group.update(ids, texts, isOwn: isOwn, in: documents)
                    figures.append(group.work - before)
                }
                try change {
                    try put(&$0, "31", ["30"]); return (["31"], [])
                }  // an edit
                try change {
                    try put(&$0, "30", []); return (["30"], [])
                }  // of what others refer to
                try change {
                    try put(&$0, "31", ["40"]); return (["31"], [])
                }  // other references
                try change {
                    try put(&$0, "new\(isAll)", ["50"]); return (["new\(isAll)"], ["new\(isAll)"])
                }
                change {
                    $0.remove("new\(isAll)"); return (["new\(isAll)"], ["new\(isAll)"])
                }
            }
            return figures
        }
        let (few, many) = (try work(100), try work(10_000))
        #expect(few == many)
        #expect(few.allSatisfy { $0 < 20 }, "\(few)")
    }
}
#endif
