import SluiceJSON
import Testing

@testable import SluiceStreams

/// Reading schemas of items, and checking items with them.
struct ItemSchemaTests {
    private func errors(_ text: String) -> [String] {
        do {
            _ = try ItemSchema(parsing: text)
            return []
        } catch {
            return error.errors.map(\.description)
        }
    }

    @Test(arguments: [
        (
            #"{"tpye": "object"}"#,
            #"1:2: tpye: the keyword "tpye" is not offered in a schema of items (did you mean "type"?)"#
        ),
        (
            #"{"oneOf": []}"#,
            #"1:2: oneOf: the keyword "oneOf" is not offered in a schema of items (known: type, properties, required, additionalProperties, items, enum, const)"#
        ),
        (
            #"{"type": "string", "nullable": true}"#,
            #"1:20: nullable: the keyword "nullable" is not offered in a schema of items (write "type": ["string", "null"])"#
        ),
        (#"{"type": "int"}"#, #"1:10: type: "int" is not a type of JSON (did you mean "integer"?)"#),
        (#"{"type": ["string", "obect"]}"#, #"1:21: type[1]: "obect" is not a type of JSON (did you mean "object"?)"#),
        (#"{"type": []}"#, "1:10: type: a schema without types allows nothing (name at least one)"),
        (#"{"type": 5}"#, "1:10: type: expected a string, found a number"),
        (#"{"properties": []}"#, "1:16: properties: expected an object, found an array"),
        (#"{"properties": {"a": false}}"#, "1:22: properties.a: expected an object, found true or false"),
        (
            #"{"properties": {"a": {"type": "text"}}}"#,
            #"1:31: properties.a.type: "text" is not a type of JSON (did you mean "string"?)"#
        ),
        (#"{"required": [1]}"#, "1:15: required[0]: expected a string, found a number"),
        (#"{"items": [{}]}"#, "1:11: items: expected an object, found an array"),
        (#"{"enum": []}"#, #"1:10: enum: "enum" without values allows nothing (list the values)"#),
        (#"{"additionalProperties": 1}"#, "1:26: additionalProperties: expected an object, found a number"),
        ("[]", "1:1: expected an object, found an array"),
    ])
    func reportsWhatItCannotRead(_ text: String, _ error: String) { #expect(errors(text) == [error]) }

    @Test func isBounded() {
        var deep = "{}"
        for _ in 0..<40 { deep = #"{"items": \#(deep)}"# }
        #expect(errors(deep).count == 1)
        #expect(errors(deep).first?.contains("schemas are nested more than 32 deep") ?? false)
        let wide = (0..<1000).map { "\"p\($0)\": {}" }.joined(separator: ", ")
        #expect(errors("{\"properties\": {\(wide)}}").first?.contains("more than 1000 schemas in one") ?? false)
        let values = (0..<2000).map(String.init).joined(separator: ", ")
        #expect(errors("{\"enum\": [\(values)]}").first?.contains("more than 1000 values in one schema") ?? false)
        #expect(errors("{\"enum\": [[[\(values)]]]}").first?.contains("more than 1000 values in one schema") ?? false)
        let free = (0..<1000).map { "\"p\($0)\": true" }.joined(separator: ", ")
        #expect(errors("{\"properties\": {\(free)}}").first?.contains("more than 1000 schemas in one") ?? false)
    }

    /// Each list of required fields has a limit of its own, and counts to no other.
    @Test func requiredFieldsAreBounded() {
        func schema(_ count: Int, _ more: String = "") -> String {
            let names = (0..<count).map { "\"p\($0)\"" }.joined(separator: ", ")
            return "{\"required\": [\(names)]\(more)}"
        }
        let values = (0..<998).map(String.init).joined(separator: ", ")
        #expect(errors(schema(1000, ", \"items\": \(schema(1000)), \"enum\": [\(values)]")) == [])
        let message = "more than 1000 names in one list of required fields"
        #expect(errors(schema(1001)) == ["1:14: required: \(message)"])
        #expect(errors(schema(1, ", \"items\": \(schema(1001))")).first?.contains(message) ?? false)
    }

    @Test func annotationsAndMembersOfOthersAreAllowed() {
        #expect(
            errors(
                #"{"$schema": "s", "title": "t", "description": "d", "format": "date-time", "default": 1, "examples": [1], "x-a": 1, "$comment": "c"}"#
            ) == []
        )
    }

    static let order = #"""
        {"type": "object", "required": ["price"],
         "properties": {"price": {"type": "number"}, "count": {"type": "integer"}, "name": {"type": ["string", "null"]},
           "kind": {"enum": ["sell", "buy", 1]}, "version": {"const": 2},
           "lines": {"type": "array", "items": {"type": "object", "properties": {"a": true}, "additionalProperties": false}},
           "tags": {"type": "object", "additionalProperties": {"type": "string"}}}}
        """#

    @Test(
        arguments: [
            (#"{"price": 1}"#, nil), (#"{"price": 1.5, "name": null, "more": 1}"#, nil),
            (#"{"price": 1e3, "kind": 1.0}"#, nil),
            ("5", "expected an object, found an integer"),
            ("{}", #"the field "price" is missing"#),
            (#"{"price": "1"}"#, "price: expected a number, found a string"),
            (
                #"{"price": 1, "count": 1.0}"#,
                "count: expected an integer, found a number with a fraction or an exponent"
            ),
            (#"{"price": 1, "name": true}"#, "name: expected null or a string, found true or false"),
            (#"{"price": 1, "kind": "send"}"#, #"kind: expected one of "sell", "buy", 1"#),
            (#"{"price": 1, "version": 3}"#, "version: expected one of 2"),
            (#"{"price": 1, "lines": [{"a": 1}, {"b": 1}]}"#, #"lines[1]: the field "b" is not allowed"#),
            (#"{"price": 1, "lines": {}}"#, "lines: expected an array, found an object"),
            (#"{"price": 1, "tags": {"a": "b", "c d": 5}}"#, #"tags["c d"]: expected a string, found an integer"#),
            (
                #"{"price": 99999999999999999999}"#,
                "the integer 99999999999999999999 does not fit into 64 bits with sign"
            ),
        ] as [(String, String?)]
    )
    func namesThePlace(_ item: String, _ problem: String?) throws {
        let schema = try ItemSchema(parsing: Self.order)
        #expect(schema.problem(with: try JSON(parsing: item)) == problem)
    }

    @Test func constAndEnumGoTogether() throws {
        let schema = try ItemSchema(parsing: #"{"enum": [1, 2], "const": 2.0}"#)
        #expect(schema.problem(with: 2) == nil && schema.problem(with: 1) != nil)
        #expect(try ItemSchema(parsing: #"{"a": 1}"#.replacing("\"a\"", with: "\"x-a\"")) != schema)
    }
}
