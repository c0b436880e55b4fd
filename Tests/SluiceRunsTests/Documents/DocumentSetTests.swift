import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

@testable import SluiceRuns

@Suite struct DocumentSetTests {
    private let compiler = DocumentCompiler()

    private func put(_ set: inout DocumentSet, _ id: String, _ text: String, name: String? = nil) {
        let revision = (set[id]?.stored.revision ?? 0) + 1
        set.put(SetDocument(reading: StoredStream(id: id, revision: revision, name: name, text: text)))
    }

    private func check(_ id: String, in set: inout DocumentSet) async throws -> DocumentCheck {
        let checks = try await compiler.run(set.job(checking: [id]), keeping: [id])
        return try #require(checks[id])
    }

    @Test func aProgramHasTheDocumentsThatItRefersTo() async throws {
        var set = DocumentSet()
        put(&set, "a", #"{"source": {"merge": [{"ref": "b"}, {"ref": "Numbers"}]}}"#)
        put(&set, "b", #"{"source": {"ref": "c"}}"#)
        put(&set, "c", #"{"source": {"ref": "a"}}"#)
        put(&set, "n", #"{"name": "Numbers", "source": {"values": [1]}}"#, name: "Numbers")
        put(&set, "other", #"{"source": {"never": {}}}"#)
        let circle = try await check("a", in: &set)
        #expect(circle.compiled == nil)
        #expect(circle.all.contains { $0.message.contains("streams refer to each other in a circle") })
        // The texts name themselves only where their authors did: references lead to the ids of the set.
        put(&set, "c", #"{"source": {"values": [2]}}"#)
        let whole = try await check("a", in: &set)
        let compiled = try #require(whole.compiled)
        let program = try #require(set.program("a", compiled, whole.references))
        #expect(program.documents.map(\.id).sorted() == ["a", "b", "c", "n"] && program.documents.first?.id == "a")
        let values = try program.document.flow(in: program.library).virtualEvents().compactMap(\.value)
        #expect(values == [2, 1])
        let other = try await check("other", in: &set)
        #expect(other.references.isEmpty && other.compiled != nil)
    }

    /// The ids of streams and of blocked documents are those of the documents, whatever is put, checked, and removed.
    @Test(arguments: UInt64(1)...10) func theIDsAreThoseOfTheDocuments(seed: UInt64) async throws {
        var random = Seeded(seed: seed)
        let texts = [
            #"{"source": {"never": {}}}"#, #"{"source": {"ref": "4"}}"#, #"{"source": 1}"#,
            #"{"filters": [{"timeout": {"seconds": 2}}]}"#,
        ]
        var set = DocumentSet()
        var kinds: Set<String> = []
        for _ in 0..<60 {
            let id = "\(Int.random(in: 0..<5, using: &random))"
            switch Int.random(in: 0..<4, using: &random) {
            case 0: set.remove(id)
            case 1: if set[id] != nil { _ = set.note(try await check(id, in: &set), of: id) }
            default: put(&set, id, texts.randomElement(using: &random) ?? "")
            }
            #expect(set.streamIDs == set.all.filter { !$0.isStack }.map(\.id))
            #expect(set.blockedIDs == Set(set.all.filter(\.isBlocked).map(\.id)))
            kinds.formUnion(set.all.map { "\($0.isStack) \($0.isBlocked)" })
        }
        #expect(kinds.isSuperset(of: ["false false", "false true", "true false"]))
    }

    @Test func aNameOfTwoIsAmbiguous() async throws {
        var set = DocumentSet()
        put(&set, "a", #"{"source": {"ref": "N"}}"#)
        put(&set, "b", #"{"name": "N", "source": {"never": {}}}"#, name: "N")
        put(&set, "c", #"{"name": "N", "source": {"never": {}}}"#, name: "N")
        let check = try await check("a", in: &set)
        #expect(check.all.map { "\($0)" } == [#"1:21: source.ref: 2 streams are named "N" (refer to one by its id)"#])
    }
}
