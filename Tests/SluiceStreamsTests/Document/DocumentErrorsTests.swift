import SluiceJSON
import SluiceStreams
import Testing

/// All errors of a document are reported at once.
struct DocumentErrorsTests {
    private func errors(_ text: String, _ library: StreamLibrary = StreamLibrary()) throws -> [String] {
        let document = try StreamDocument(preserving: Array(text.utf8))
        let error = #expect(throws: JSONErrors.self) { try document.flow(in: library) }
        return error?.errors.map(\.description) ?? []
    }

    @Test func unresolvedReferencesAreReportedWithAllOtherErrors() throws {
        let found = try errors(
            #"""
            {"source": {"merge": [{"ref": "nobody"}, {"values": [1]}]},
             "operators": [{"filter": {"expression": "x >"}}, {"dely": {"seconds": 1}},
                           {"merge": {"source": {"ref": "no one"}}}, {"prefix": {"count": -1}}]}
            """#
        )
        #expect(
            found.map { String($0.prefix { $0 != " " }) } == ["1:32:", "2:46:", "2:52:", "3:46:", "3:79:"],
            "\(found)"
        )
        #expect(found[0] == #"1:32: source.merge[0].ref: there is no stream "nobody""#)
        #expect(found[3] == #"3:46: operators[2].merge.source.ref: there is no stream "no one""#)
    }

    @Test func idsAreUniqueWithinADocument() throws {
        let text = #"""
            {"source": {"merge": [{"source": {"values": [1]}, "operators": [{"id": "a", "count": {}}]}]},
             "operators": [{"id": "b", "count": {}}, {"id": "a", "disabled": true, "count": {}},
              {"id": "c", "flatMap": {"to": {"source": {"values": [1]}, "operators": [{"id": "b", "count": {}}]}}}]}
            """#
        let error = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        #expect(
            error?.errors.map(\.description) == [
                #"2:49: operators[1].id: the id "a" is taken: ids are unique within a document (source.merge[0].operators[0].id has it; choose another)"#,
                #"3:82: operators[2].flatMap.to.operators[0].id: the id "b" is taken: ids are unique within a document (operators[0].id has it; choose another)"#,
            ]
        )
        // Another document may have them.
        let another = #"{"name": "o", "source": {"values": [1]}, "operators": [{"id": "a", "count": {}}]}"#
        let other = try StreamDocument(parsing: another)
        let own = try StreamDocument(parsing: #"{"source": {"ref": "o"}, "operators": [{"id": "a", "count": {}}]}"#)
        _ = try own.flow(in: StreamLibrary([other]))
    }
}
