import SluiceJSON
import Testing

struct DirectTests {
    struct Reading: JSONConvertible, Equatable {
        var id: Int, name: String, score: Double, isActive: Bool, tags: [String]

        init(json: JSONNode) throws {
            var object = try json.object()
            (id, name) = (try object["id"], try object["name"])
            (score, isActive, tags) = (try object["score"], try object["isActive"], try object["tags"])
        }

        func write(to json: inout JSONWriter) {
            json.object {
                $0.member("id", id)
                $0.member("name", name)
                $0.member("score", score)
                $0.member("isActive", isActive)
                $0.member("tags", tags)
            }
        }
    }

    let text = #"{"id":7,"name":"é\n","score":1.5,"isActive":true,"tags":["a","b"]}"#

    @Test func aTypeReadsAndWritesItself() throws {
        let reading = try Reading(parsing: text)
        #expect(reading.name == "é\n")
        var writer = JSONWriter()
        writer.value(reading)
        #expect(writer.text == text)
        let shuffled = #"{"x":{"id":8},"tags":["a","b"],"isActive":true,"score":15e-1,"name":"\u00e9\n","id":7}"#
        #expect(try Reading(parsing: shuffled) == reading)
    }

    @Test func errorsKnowTheirPlace() throws {
        let missing = #expect(throws: JSONError.self) { try [Reading](parsing: "[\n{\"id\":1}]") }
        #expect(missing?.description == "2:1: [0]: the key \"name\" is missing")
        #expect(missing?.snippet == "{\"id\":1}")
        let wrong = #expect(throws: JSONError.self) { try [Reading](parsing: "[{\"id\":[1]}]") }
        #expect(wrong?.description == "1:8: [0].id: expected a number, found an array")
        #expect(wrong?.snippet == "[1]")
        let unfit = #expect(throws: JSONError.self) { try [UInt8](parsing: "[255, 256]") }
        #expect(unfit?.description == "1:7: [1]: the number 256 does not fit into UInt8")
        #expect(throws: JSONError.self) { try [Int](parsing: "[1.5]") }
        #expect(throws: JSONError.self) { try [UInt](parsing: "[-1]") }
        #expect(throws: JSONError.self) { try [Double](parsing: "[1e400]") }
        #expect(throws: JSONError.self) { try [Bool](parsing: "[1]") }
    }

    @Test func codableCodeFindsTheConformance() throws {
        struct Outer: Codable {
            var readings: [Readable]
            var one: Readable?
        }
        let outer = try SluiceJSONDecoder().decode(Outer.self, from: #"{"readings":[{"v":1},{"v":2}],"one":{"v":3}}"#)
        #expect(outer.readings.map(\.value) == [1, 2])
        #expect(try SluiceJSONEncoder().text(outer) == #"{"readings":[{"v":1},{"v":2}],"one":{"v":3}}"#)
        var pretty = SluiceJSONEncoder()
        pretty.outputFormatting = [.prettyPrinted, .sortedKeys]
        #expect(try pretty.text([outer.one]) == "[\n  {\n    \"v\" : 3\n  }\n]")
        let error = #expect(throws: DecodingError.self) {
            try SluiceJSONDecoder().decode(Outer.self, from: #"{"readings":[{"v":1},{"w":2}]}"#)
        }
        #expect(error?.jsonError?.description == "1:22: readings[1]: the key \"v\" is missing")
    }

    @Test func typesThatAreNotCodableHaveTheCoders() throws {
        var decoder = SluiceJSONDecoder(limits: .init(maximumByteCount: 200), duplicateKeys: .lastWins)
        #expect(try decoder.decode(direct: [Reading].self, from: "[\(text)]".utf8).map(\.id) == [7])
        let twice = #"{"id":1,"id":2,"name":"","score":1,"isActive":true,"tags":[]}"#
        #expect(try decoder.decode(direct: Reading.self, from: twice.utf8).id == 2)
        let missing = #expect(throws: DecodingError.self) {
            try decoder.decode(direct: [Reading].self, from: "[{\"id\":1}]".utf8)
        }
        #expect(missing?.jsonError?.description == "1:2: [0]: the key \"name\" is missing")
        decoder.limits.maximumByteCount = 5
        let long = #expect(throws: DecodingError.self) { try decoder.decode(direct: [Int].self, from: "[1,2,3]".utf8) }
        #expect(long?.jsonError?.code == .limitExceeded)
        let reading = try Reading(parsing: text)
        var encoder = SluiceJSONEncoder()
        #expect(String(decoding: try encoder.bytes(direct: [reading]), as: UTF8.self) == "[\(text)]")
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        #expect(
            String(decoding: try encoder.bytes(direct: ["b": 1, "a": 2]), as: UTF8.self)
                == "{\n  \"a\" : 2,\n  \"b\" : 1\n}"
        )
        #expect(String(decoding: try SluiceJSONEncoder().bytes(direct: "a/b"), as: UTF8.self) == #""a\/b""#)
    }

    /// Its Codable would say `value`, its direct form says `v`.
    struct Readable: Codable, JSONConvertible {
        var value: Int
        init(json: JSONNode) throws {
            var object = try json.object()
            value = try object["v"]
        }
        func write(to json: inout JSONWriter) { json.object { $0.member("v", value) } }
    }

    @Test func optionalsAndDefaults() throws {
        let document = try JSONDocument(parsing: #"{"a":null,"b":2,"a b":[1,null]}"#)
        var object = try document.root.object()
        let a: Int? = try object[ifPresent: "a"]
        let b: Int = try object["b", default: 9]
        let c: Int = try object["c", default: 9]
        let list: [Int?] = try object["a b"]
        #expect(a == nil)
        #expect(b == 2)
        #expect(c == 9)
        #expect(list == [1, nil])
        #expect(object.node("zz") == nil)
        #expect(try [String: Int](parsing: #"{"x":1,"y":2}"#) == ["x": 1, "y": 2])
    }

    @Test func anEnumReadsItsOnlyMember() throws {
        let error = #expect(throws: JSONError.self) {
            try JSONDocument(parsing: #"[{"a":1,"b":2}]"#).root[0]?.onlyMember()
        }
        #expect(error?.description == "1:2: [0]: expected exactly one member, found 2")
        #expect(try JSONDocument(parsing: #"{"a":1}"#).root.onlyMember().value.int == 1)
    }
}
