import SluiceJSON
import SluiceStreams
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

    @Test func aNameOfTwoIsAmbiguous() async throws {
        var set = DocumentSet()
        put(&set, "a", #"{"source": {"ref": "N"}}"#)
        put(&set, "b", #"{"name": "N", "source": {"never": {}}}"#, name: "N")
        put(&set, "c", #"{"name": "N", "source": {"never": {}}}"#, name: "N")
        let check = try await check("a", in: &set)
        #expect(check.all.map { "\($0)" } == [#"1:21: source.ref: 2 streams are named "N" (refer to one by its id)"#])
    }
}
