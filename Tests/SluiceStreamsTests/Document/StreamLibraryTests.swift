import SluiceJSON
import Testing

@testable import SluiceStreams

@Suite struct StreamLibraryTests {
    func document(_ text: String) throws -> StreamDocument { try StreamDocument(parsing: text) }

    func problem(_ text: String, _ others: String...) throws -> String {
        let library = StreamLibrary(try others.map(document))
        let error = #expect(throws: JSONErrors.self) { try document(text).flow(in: library) }
        return error?.description ?? ""
    }

    @Test func byIdAndByUniqueName() throws {
        let numbers = try document(#"{"id": "n1", "name": "numbers", "source": {"values": [1, 2]}}"#)
        for reference in ["n1", "numbers"] {
            let values = try document(#"{"source": {"ref": "\#(reference)"}}"#)
                .virtualEvents(in: StreamLibrary([numbers])).compactMap(\.value)
            #expect(values == [1, 2])
        }
    }

    @Test func whatIsNotThereIsNamed() throws {
        #expect(
            try problem(#"{"source": {"ref": "numbrs"}}"#, #"{"name": "numbers", "source": {"never": {}}}"#)
                == #"1:21: source.ref: there is no stream "numbrs" (known: numbers)"#
        )
        let twice = #"{"name": "n", "source": {"never": {}}}"#
        #expect(
            try problem(#"{"source": {"ref": "n"}}"#, twice, twice)
                == #"1:21: source.ref: 2 streams are named "n" (refer to one by its id)"#
        )
    }

    /// An id before a name, wherever the documents are, and a name only if one document has it.
    @Test func anExtensionFindsTheDocumentsOfBoth() throws {
        let base = StreamLibrary([
            try document(#"{"id": "a", "name": "one", "source": {"values": [1]}}"#),
            try document(#"{"id": "b", "name": "c", "source": {"values": [2]}}"#),
        ])
        var library = StreamLibrary(extending: base)
        library.add(try document(#"{"id": "c", "name": "two", "source": {"values": [3]}}"#))
        library.add(try document(#"{"id": "d", "name": "one", "source": {"values": [4]}}"#))
        func outcome(_ reference: String, in library: StreamLibrary) -> String {
            do {
                let flow = try document(#"{"source": {"ref": "\#(reference)"}}"#).flow(in: library)
                return "\(flow.virtualEvents().compactMap(\.value))"
            } catch { return "\(error)" }
        }
        for (reference, value) in [("a", 1), ("b", 2), ("c", 3), ("two", 3), ("d", 4)] {
            #expect(outcome(reference, in: library) == "[\(value)]")
        }
        #expect(outcome("one", in: library).contains(#"2 streams are named "one""#))
        #expect(outcome("x", in: library).hasSuffix("(known: a, b, c, d, one, two)"))
        // The base is as it was.
        #expect(outcome("one", in: base) == "[1]")
        #expect(outcome("c", in: base) == "[2]")
        #expect(outcome("d", in: base).hasSuffix("(known: a, b, c, one)"))
    }

    @Test func aHintNamesTheFirstTwenty() throws {
        let names = (10..<60).map { "s\($0)" }
        let library = StreamLibrary(try names.reversed().map { try document(#"{"id": "\#($0)", "stream": []}"#) })
        let error = #expect(throws: JSONErrors.self) {
            try document(#"{"source": {"ref": "x"}}"#).flow(in: library)
        }
        let known = names.prefix(20).joined(separator: ", ")
        #expect(error?.description.hasSuffix("(known: \(known))") == true)
    }

    @Test func aLongChainOfReferencesIsRefused() throws {
        let chain = try (1...40).map { try document(#"{"id": "\#($0)", "source": {"ref": "\#($0 + 1)"}}"#) }
        let error = #expect(throws: JSONErrors.self) { try chain[0].flow(in: StreamLibrary(chain)) }
        let text = error?.description ?? ""
        #expect(text.hasSuffix(#"in the stream "17": streams are nested more than 32 deep"#), "\(text)")
    }

    /// An error in a document at the end of references has no empty path, whatever leads to it.
    @Test(arguments: [
        #""source": {"ref": "$"}"#, #""source": {"merge": [{"ref": "$"}, {"values": [1]}]}"#,
        #""source": {"source": {"ref": "$"}, "operators": [{"prefix": {"count": 1}}]}"#,
        #""source": {"values": [1]}, "operators": [{"merge": {"source": {"ref": "$"}}}]"#,
        #""source": {"values": [1]}, "operators": [{"flatMap": {"to": {"ref": "$"}}}]"#,
        #""stream": [{"value": 1}], "operators": [{"catch": {"source": {"ref": "$"}}}]"#,
    ])
    func noPlaceIsEmpty(_ members: String) throws {
        let chain = try (1...40).map { number in
            try document(#"{"id": "\#(number)", \#(members.replacing("$", with: "\(number + 1)"))}"#)
        }
        let error = #expect(throws: JSONErrors.self) { try chain[0].flow(in: StreamLibrary(chain)) }
        let text = error?.description ?? ""
        #expect(text.contains("streams are nested more than 32 deep"), "\(text)")
        #expect(!text.contains(": :") && !text.contains("::"), "\(text)")
    }

    @Test func aCircleIsPrinted() throws {
        #expect(
            try problem(
                #"{"id": "1", "name": "a", "source": {"ref": "b"}}"#,
                #"{"id": "2", "name": "b", "source": {"ref": "c"}}"#,
                #"{"id": "3", "name": "c", "source": {"merge": [{"values": [1]}, {"ref": "b"}]}}"#
            )
                == #"1:45: source.ref: in the stream "b": source.ref: in the stream "c": source.merge.sources[1].ref: streams refer to each other in a circle: b → c → b"#
        )
        #expect(
            try problem(#"{"name": "me", "source": {"ref": "me"}}"#, #"{"name": "me", "source": {"never": {}}}"#)
                .contains("in a circle: me → me")
        )
    }

    @Test func whatIsWrongThereIsToldHere() throws {
        let library = StreamLibrary([
            try StreamDocument(preserving: Array(#"{"name": "n", "source": {"values": 1}}"#.utf8))
        ])
        let error = #expect(throws: JSONErrors.self) {
            try document(#"{"source": {"ref": "n"}}"#).flow(in: library)
        }
        #expect(
            error?.description.hasPrefix(
                #"1:21: source.ref: the stream "n" has errors: 1:36: source.values: expected an array"#
            )
                == true,
            "\(String(describing: error))"
        )
    }

    @Test func parametersStandForValuesAndInExpressions() throws {
        let cut = try document(
            #"""
            {"name": "cut", "parameters": {"low": 2, "count": 10, "word": "it's"}, "source": {"values": [1, 2, 3, 4, "${word}"]},
             "operators": [{"filter": {"expression": "x == '' || x != ${word}", "onError": "drop"}},
                           {"filter": {"expression": "x >= ${low}"}}, {"prefix": {"count": "${count}"}}]}
            """#
        )
        let library = StreamLibrary([cut])
        func values(_ source: String) throws -> [JSON] {
            try document(#"{"source": \#(source)}"#).virtualEvents(in: library).compactMap(\.value)
        }
        #expect(try values(#"{"ref": "cut"}"#) == [2, 3, 4])
        #expect(try values(#"{"ref": {"id": "cut", "parameters": {"low": -1, "count": 3}}}"#) == [1, 2, 3])
        #expect(
            try problem(
                #"{"source": {"ref": {"id": "cut", "parameters": {"lo": 1}}}}"#,
                #"{"name": "cut", "parameters": {"low": 2}, "source": {"never": {}}}"#
            ) == #"1:55: source.ref.parameters.lo: the stream has no parameter "lo" (known: low)"#
        )
        let error = #expect(throws: JSONErrors.self) {
            try document(#"{"source": {"values": [1]}, "operators": [{"prefix": {"count": "${n}"}}]}"#)
        }
        #expect(
            error?.description
                == #"1:65: operators[0].prefix.count: there is no parameter "n" (declare it under "parameters")"#
        )
    }
}
