import SluiceJSON
import SluiceStreams
import Testing

@Suite struct StreamImportTests {
    private func one(_ text: String) throws -> JSON {
        let documents = try StreamImport(parsing: text).documents
        #expect(documents.count == 1)
        return try #require(documents.first).json
    }

    private func errors(_ text: String) -> [String] {
        let errors = #expect(throws: JSONErrors.self) { try StreamImport(parsing: text) }
        return errors?.errors.map(\.description) ?? []
    }

    @Test func aStreamIsKept() throws {
        let json = try one(
            #"""
            {"id": "A", "name": "Mine", "isDefault": false,
             "stream": [{"value": "1", "operators": [{"delay": {"seconds": 2}}, {"delay": {"seconds": 0.5}}]}, {"value": "b"}]}
            """#
        )
        #expect(
            json.description
                == #"{"schema":"sluice.stream/1","id":"A","name":"Mine","stream":[{"value":"1","operators":"#
                + #"[{"delay":{"seconds":2}},{"delay":{"seconds":0.5}}]},{"value":"b","operators":[]}]}"#
        )
        #expect(try StreamDocument(parsing: json.description).stream.count == 2)
    }

    @Test func anOperationNamesItsSource() throws {
        let json = try one(
            #"""
            {"id": "F", "name": "Filter Stream", "description": "filter { $0 != 3 )",
             "operators": [{"filter": {"expression": "%d != 3"}}, {"dropFirst": {"count": 2}},
                           {"map": {"expression": "%d * 2"}}, {"scan": {"initialValue": 5, "expression": "%d + %d"}}]}
            """#
        )
        #expect(json["source"] == ["ref": "Serial Stream A"])
        #expect(json["description"] == "filter { $0 != 3 )")
        let operators = try #require(json["operators"]?.array)
        #expect(operators.count == 5)
        #expect(operators[0]["compactMap"] != nil)
        #expect(operators[1] == ["filter": ["expression": "x != 3"]])
        #expect(operators[2] == ["dropFirst": ["count": 2]])
        #expect(operators[3] == ["map": ["expression": "x * 2"]])
        #expect(operators[4] == ["scan": ["initialValue": 5, "expression": "acc + x"]])
    }

    @Test(arguments: [
        ("merge", #"{"merge":[{"ref":"Serial Stream A"},{"ref":"Serial Stream B"}]}"#),
        ("append", #"{"append":[{"ref":"Serial Stream A"},{"ref":"Serial Stream B"}]}"#),
        ("zip", #"{"zip":[{"ref":"Serial Stream A"},{"ref":"Serial Stream B"}]}"#),
        ("combineLatest", #"{"combineLatest":[{"ref":"Serial Stream A"},{"ref":"Serial Stream B"}]}"#),
    ])
    func whatJoinsNamesBothSources(_ name: String, _ source: String) throws {
        #expect(try one(#"{"operatorItem": "\#(name)"}"#)["source"]?.description == source)
    }

    @Test func flatMapRunsTheLastForEachOfTheFirst() throws {
        let json = try one(#"{"operatorItem": "flatMap"}"#)
        #expect(json["source"] == ["ref": "Serial Stream A"])
        #expect(json["operators"] == [["mergeMap": ["to": ["ref": "Serial Stream B"]]]])
    }

    /// The sources are the first and the last default streams of the text, by name where that is one stream's alone.
    @Test func theSourcesAreTheDefaultsOfTheText() throws {
        let text = #"""
            [{"id": "1", "name": "Twice", "isDefault": true, "stream": []}, {"operatorItem": "zip"},
             {"id": "2", "name": "Twice", "stream": []}, {"id": "3", "name": "Last", "isDefault": true, "stream": []},
             {"operators": [{"dropFirst": {"count": 1}}]}]
            """#
        let documents = try StreamImport(parsing: text).documents
        #expect(documents.map(\.id) == ["1", nil, "2", "3", nil])
        #expect(documents[1].json["source"] == ["zip": [["ref": "1"], ["ref": "Last"]]])
        #expect(documents[4].json["source"] == ["ref": "1"])
        #expect(documents[0].json["isDefault"] == true)
    }

    @Test func oneFileHoldsWhatTheProgramStored() throws {
        let text = #"{"storedStreams": [{"stream": []}], "storedJoinOperationStreams": [{"operatorItem": "zip"}]}"#
        #expect(try StreamImport(parsing: text).documents.count == 2)
        #expect(try StreamImport(parsing: "[]").documents.isEmpty)
    }

    @Test func theTextHasALineForEachMember() throws {
        let text = try StreamImport(parsing: #"{"name": "Zip", "operatorItem": "zip"}"#).documents[0].text
        #expect(
            text == """
                {
                  "schema": "sluice.stream/1",
                  "name": "Zip",
                  "source": {
                    "zip": [
                      {
                        "ref": "Serial Stream A"
                      },
                      {
                        "ref": "Serial Stream B"
                      }
                    ]
                  }
                }

                """
        )
    }

    @Test func everyErrorHasItsPlace() {
        #expect(
            errors(
                #"""
                [{"id": 7, "operators": [{"fliter": {"expression": "%d"}}, {"map": {"expression": "%d >"}},
                  {"scan": {"expression": "%d"}}, {"dropFirst": {"count": -1}}]},
                 {"operatorItem": "combine_latest"},
                 {"name": "x"}, 5,
                 {"stream": [{"operators": [{"delay": {"seconds": -1}}]}], "operators": []},
                 {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1e99}}, {"map": {}}]}]}]
                """#
            ) == [
                "1:9: [0].id: expected a string, found a number",
                #"1:27: [0].operators[0].fliter: unknown operator "fliter" (did you mean "filter"?)"#,
                "1:83: [0].operators[1].map.expression: character 5 of the expression: the end is not expected here",
                #"2:12: [0].operators[2].scan: the key "initialValue" is missing"#,
                "2:59: [0].operators[3].dropFirst.count: the number -1 is not at least 0",
                #"3:19: [1].operatorItem: "combine_latest" is not allowed here (did you mean "combineLatest"?)"#,
                "4:2: [2]: a stream of the program has one of the keys stream, operators, operatorItem; this has none of them",
                "4:17: [3]: expected an object, found a number",
                "5:2: [4]: a stream of the program has one of the keys stream, operators, operatorItem; "
                    + "this has stream and operators",
                "6:63: [5].stream[0].operators[0].delay.seconds: the number 1e99 is not from 0.0 to 1000000000.0",
                #"6:72: [5].stream[0].operators[1].map: unknown operator of an item "map" (known: delay)"#,
            ]
        )
        #expect(errors("[1").first?.hasPrefix("1:3: ") == true)
        #expect(
            errors(#"[{"id": "a", "stream": []}, {"id": "a", "stream": []}]"#) == [
                #"1:36: [1].id: the id "a" occurs twice (ids are for one stream each)"#
            ]
        )
        #expect(
            errors(#"{"storedStreams": [], "other": 1}"#).first?.hasPrefix(#"1:23: other: unknown key "other""#) == true
        )
    }

    @Test func hostileTextsAreAnsweredSoon() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(errors(deep).count == 1)
        let many = "[" + Array(repeating: #"{"operators":[{"nothing":1}]}"#, count: 50_000).joined(separator: ",") + "]"
        #expect(errors(many).count == 100)
    }
}

/// The nine faults that the program has (`spec/streams.md`, 1.8), as far as they are the import's.
@Suite struct SeedFaultsTests {
    private func json(_ text: String) throws -> [JSON] { try StreamImport(parsing: text).documents.map(\.json) }

    /// a: an editor stored zip for combineLatest, since it had two spellings.
    @Test func combineLatestIsNotZip() throws {
        #expect(try json(#"{"operatorItem": "combineLatest"}"#)[0]["source"]?.object?.map(\.key) == ["combineLatest"])
        #expect(throws: JSONErrors.self) { try json(#"{"operatorItem": "combine_latest"}"#) }
    }

    /// b: what was loaded of joins was put aside for the defaults.
    @Test func joinsThatWereEditedComeBack() throws {
        let text = #"{"storedJoinOperationStreams": [{"id": "7", "name": "Mine", "operatorItem": "zip"}]}"#
        #expect(try json(text).map { $0["name"] } == ["Mine"])
    }

    /// c: saving a source made every delay one second.
    @Test func delaysAreKept() throws {
        let text = #"{"stream": [{"value": "A", "operators": [{"delay": {"seconds": 2}}]}]}"#
        let imported = try json(text)[0]
        #expect(imported[["stream", 0, "operators", 0, "delay", "seconds"]] == 2)
        #expect(try json(#"{"stream": \#(imported["stream"] ?? nil)}"#)[0]["stream"] == imported["stream"])
    }

    /// d: editing a scan set its initial value to 0.
    @Test func theInitialValueIsKept() throws {
        let text = #"{"operators": [{"scan": {"initialValue": 41, "expression": "%d + %d"}}]}"#
        #expect(try json(text)[0][["operators", 1, "scan", "initialValue"]] == 41)
    }

    /// e, f: what could not be decoded was replaced by the defaults, and nobody heard why.
    @Test func whatCannotBeReadIsAnErrorThatSaysWhy() {
        let error = #expect(throws: JSONErrors.self) {
            try json(#"[{"operators": [{"dropFirst": {"count": 1}}]}, {"operators": [{"window": {"count": 2}}]}]"#)
        }
        #expect(
            error?.description
                == #"1:64: [1].operators[0].window: unknown operator "window" (known: filter, dropFirst, map, scan)"#
        )
    }

    /// i: `dropFirst` on letters found none, since all values had become numbers first.
    @Test func dropFirstCountsLettersToo() throws {
        let text = #"{"operators": [{"dropFirst": {"count": 2}}]}"#
        #expect(try json(text)[0]["operators"] == [["dropFirst": ["count": 2]]])
    }
}
