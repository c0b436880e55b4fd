import SluiceJSON
import Testing

struct JSONDocumentTests {
    let text = """
        { "id" : "é", "stream": [
            {"value": 1, "operators": [ {"map": {}}, {"delay": {"seconds": 1.50}} ]}
        ], "odd key": [true, null] }
        """

    @Test func aNodeKnowsItsPlace() throws {
        let document = try JSONDocument(parsing: text)
        let node = try #require(document[["stream", 0, "operators", 1, "delay", "seconds"]])
        #expect(node.path.description == "stream[0].operators[1].delay.seconds")
        #expect(node.position == JSONPosition(line: 2, column: 68, offset: 94))
        #expect(node.sourceText == "1.50")
        #expect(node.double == 1.5)
        #expect(node.int == nil)
        #expect(document[["odd key", 1]]?.path.description == "[\"odd key\"][1]")
        #expect(document[["odd key", 1]]?.isNull == true)
        #expect(document.root.path.isEmpty)
        #expect(document[["stream", 1]] == nil)
        #expect(document.position(ofByte: node.byteRange.lowerBound) == node.position)
    }

    @Test func membersComeInOrderWithTheirKeys() throws {
        let root = try JSONDocument(parsing: text).root
        #expect(root.kind == .object)
        #expect(root.count == 3)
        #expect(root.members.map(\.key) == ["id", "stream", "odd key"])
        let members = Array(root.members)
        #expect(members[0].keyNode.position.column == 3)
        #expect(members[0].keyNode.path.description == "id")
        #expect(members[0].value.string == "é")
        #expect(String(decoding: members[0].source, as: UTF8.self) == "\"id\" : \"é\"")
        #expect(members[2].keyNode.position == JSONPosition(line: 3, column: 4, offset: 107))
        #expect(
            root["stream"]?[0]?["operators"]?.elements.map(\.sourceText) == [
                #"{"map": {}}"#, #"{"delay": {"seconds": 1.50}}"#,
            ]
        )
    }

    @Test func aByteOrderMarkIsStepped() throws {
        let document = try JSONDocument(parsing: [0xEF, 0xBB, 0xBF] + Array("[1]".utf8))
        #expect(document.root[0]?.int == 1)
        #expect(document.root.position.column == 1)
    }

    @Test(arguments: [(JSONDuplicateKeys.firstWins, 1), (.lastWins, 3)])
    func duplicatesAreAChoice(_ choice: JSONDuplicateKeys, _ value: Int) throws {
        let document = try JSONDocument(parsing: #"{"a":1,"b":2,"a":3}"#, duplicateKeys: choice)
        #expect(document.root["a"]?.int == value)
        #expect(try document.root.json()["a"]?.int == value)
        #expect(try document.root.json().object?.count == 2)
        #expect(document.root.count == 3)
    }

    @Test func duplicatesAreFoundAmongMany() {
        for count in [2, 5, 12, 13, 14, 100, 5000] {
            var members = (0..<count).map { "\"key\($0)\":\($0)" }
            #expect((try? JSONDocument(parsing: "{\(members.joined(separator: ","))}")) != nil)
            members.append("\"key\(count / 2)\":0")
            let error = #expect(throws: JSONError.self) {
                try JSONDocument(parsing: "{\(members.joined(separator: ","))}")
            }
            #expect(error?.message == "the key \"key\(count / 2)\" occurs twice in one object")
        }
    }

    @Test func keysWithEscapesAreFound() throws {
        let document = try JSONDocument(parsing: #"{"\u0061\n":1,"b":2}"#)
        #expect(document.root["a\n"]?.int == 1)
        #expect(document.root["a"] == nil)
    }
}
