import SluiceJSON
import Testing

/// The samples of docs/json.md and of the symbols' documentation, with their results.
struct DocumentationTests {
    struct Point: Codable, Equatable {
        var x: Int
        var y: Int
    }

    @Test func theFirstScreen() throws {
        let document = try JSONDocument(parsing: #"{"stream": [{"value": 1}]}"#)
        let value = document[["stream", 0, "value"]]
        #expect(value?.int == 1)
        #expect(value?.position.column == 23)
        #expect(value?.path.description == "stream[0].value")
        #expect(value?.description == "1")
        let point = try SluiceJSONDecoder().decode(Point.self, from: #"{"x": 1, "y": 2}"#)
        #expect(point == Point(x: 1, y: 2))
        #expect(try SluiceJSONEncoder().text(point) == #"{"x":1,"y":2}"#)
    }

    @Test func values() throws {
        let json = try JSON(parsing: #"{"id": 9007199254740993, "tags": ["a", 1.50]}"#)
        #expect(json["id"]?.int == 9_007_199_254_740_993)
        #expect(json["tags"]?[1] == 1.5)
        #expect(json.description == #"{"id":9007199254740993,"tags":["a",1.5]}"#)
        #expect(try JSON(parsing: #"{"b": 1.0, "a": 1e3}"#).rfc8785() == #"{"a":1000,"b":1}"#)
        var object: JSON.Object = ["b": 1, "a": 2]
        object["c"] = 3
        #expect(object.map(\.key) == ["b", "a", "c"])
        var changed = json
        changed["tags"]?[0] = nil
        changed["tags"]?[0] = "b"
        changed["tags"]?[7] = "nowhere"
        #expect(changed["tags"] == ["b"])
        let path: JSONPath = ["stream", 0, "operators", 1, "delay", "seconds"]
        #expect(path.description == "stream[0].operators[1].delay.seconds")
        #expect(JSONPath([.key("odd key"), .key("")]).description == #"["odd key"][""]"#)
    }

    @Test func errors() throws {
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode([Int].self, from: "[1,\n true]")
        }
        #expect(error?.jsonError?.description == "2:2: [1]: Expected Int, found true or false.")
        #expect(error?.jsonError?.snippet == "true")
        let comma = #expect(throws: JSONError.self) { try JSONDocument(parsing: "{\"a\": 1,}") }
        #expect(comma?.column == 9)
        #expect(comma?.code == .unexpectedCharacter)
        #expect(comma?.code.description == "unexpectedCharacter")
    }

    @Test func writers() {
        var writer = JSONWriter()
        writer.object {
            $0.member("id", 1)
            $0.member("tags", ["a", "b"])
        }
        #expect(writer.text == #"{"id":1,"tags":["a","b"]}"#)
        writer.removeAll()
        writer.array {
            $0.value(1.5)
            $0.value(nil as Int?)
            $0.object { $0.member("a\"b", true) }
            $0.object { $0.member("none", ifPresent: nil as Int?) }
        }
        #expect(writer.text == #"[1.5,null,{"a\"b":true},{}]"#)
    }

    @Test func validators() throws {
        let document = try JSONDocument(parsing: #"{"id": 7, "opertors": []}"#)
        var check = JSONValidator()
        if let fields = check.object(document.root, keys: ["id", "operators"]) { _ = check.string(fields["id"]) }
        #expect(
            check.errors.map(\.description) == [
                #"1:11: opertors: unknown key "opertors" (did you mean "operators"?)"#,
                "1:8: id: expected a string, found a number",
            ]
        )
    }
}
