import SluiceJSON
import SluiceStreams
import Testing

@Suite struct CanonicalTextTests {
    @Test func knownKeysInOrderOthersAsTheyCame() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"x-color": {"r" : 1.50}, "tests": [{"expect": "--2|", "inputs": {"n": "-12|"}, "name": "t"}],
                 "operators": [{"x-at": [1,  2], "filter": {"onError": "drop", "expression": "x > 1"}, "note": "n", "id": "f"},
                               {"take": {"count": 2}}],
                 "source": {"ref": {"id": "n"}}, "parameters": {"low": 1}, "name": "N", "revision": 3,
                 "schema": "sluice.stream/1", "id": "a"}
                """#
        )
        let text = """
            {
              "schema": "sluice.stream/1",
              "id": "a",
              "revision": 3,
              "name": "N",
              "parameters": {"low":1},
              "source": {"ref":"n"},
              "operators": [
                {"id":"f","note":"n","filter":{"expression":"x > 1","onError":"drop"},"x-at":[1,  2]},
                {"prefix":{"count":2}}
              ],
              "tests": [
                {"name":"t","inputs":{"n":"-12|"},"expect":"--2|"}
              ],
              "x-color": {"r" : 1.50}
            }

            """
        #expect(document.canonicalText == text)
        #expect(try StreamDocument(parsing: text).canonicalText == text)
        #expect(try StreamDocument(parsing: text) == document)
    }

    /// The canonical form keeps the author's choice between `stream` and `source`.
    @Test(arguments: [
        #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}]}"#,
        #"{"source": {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}]}}"#,
        #"{"stream": []}"#,
    ])
    func theShortFormStays(_ text: String) throws {
        let document = try StreamDocument(parsing: text)
        let isShort = !text.contains("source")
        #expect(document.canonicalText.contains("\n  \"stream\": ") == isShort)
        #expect(try StreamDocument(parsing: document.canonicalText) == document)
    }

    /// Every operator in the sources' diagrams has a canonical text that reads back as the same.
    @Test func everyOperatorReadsBack() throws {
        for block in LeavingTests.blocks {
            let diagram = try Diagram(block.lines)
            var object: JSON.Object = ["source": ["never": [:]]]
            if diagram.input == nil {
                object["source"] = diagram.json
            } else {
                object["operators"] = if case .array = diagram.json { diagram.json } else { [diagram.json] }
            }
            let document = try StreamDocument(parsing: JSON.object(object).text())
            let text = document.canonicalText
            #expect(try StreamDocument(parsing: text).canonicalText == text, "\(block)")
        }
    }

    @Test func whatIsNotKnownIsKeptByteForByte() throws {
        let unknown = #"{ "id": "w",  "windowBy" : {"size" : 1.50, "then": [ {"future": 1e2} ]} }"#
        let text = #"{"source": {"values": [1]}, "operators": [\#(unknown), {"prefix": {"count": 1, "x-a": [ 1 ]}}]}"#
        #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        let document = try StreamDocument(preserving: Array(text.utf8))
        #expect(document.text == text)
        #expect(document.canonicalText.contains(unknown))
        #expect(document.canonicalText.contains(#""x-a":[ 1 ]"#))
        #expect(
            document.errors?.description.hasPrefix(#"1:57: operators[0].windowBy: unknown operator "windowBy""#)
                == true,
            "\(String(describing: document.errors))"
        )
        #expect(throws: JSONErrors.self) { try document.flow() }
    }

    @Test func aDocumentOfPartsHasItsText() throws {
        let document = StreamDocument(
            id: "e",
            name: "Even",
            pipeline: StreamPipeline(source: .reference("numbers"), operators: [.filter("x % 2 == 0")], item: .int)
        )
        #expect(document.errors == nil)
        #expect(
            document.text == """
                {
                  "id": "e",
                  "name": "Even",
                  "item": "int",
                  "source": {"ref":"numbers"},
                  "operators": [
                    {"filter":{"expression":"x % 2 == 0"}}
                  ]
                }

                """
        )
    }

    @Test func bothCodersKeepIt() throws {
        let document = try StreamDocument(parsing: #"{"source": {"values": [1, 2.5, "a"]}, "x-y": null}"#)
        let bytes = try SluiceJSONEncoder().encode(document)
        #expect(try SluiceJSONDecoder().decode(StreamDocument.self, from: bytes) == document)
        #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode(StreamDocument.self, from: #"{"source": {"valves": []}}"#)
        }
    }
}
