import SluiceJSON
import Testing

@testable import SluiceStreams

/// The fields that expressions may name, for completions.
struct FieldNamesTests {
    private func names(_ operators: String, sinks: String = "[]") throws -> [String: [String]] {
        let text = #"""
            {"item": {"type": "object", "properties": {"price": {}, "odd name": {}, "owner": {"type": ["object", "null"], "properties": {"name": {}}}, "lines": {"items": {"properties": {"sku": {}}}}}},
             "source": {"never": {}}, "operators": \#(operators), "sinks": \#(sinks)}
            """#
        return try StreamDocument(preserving: Array(text.utf8)).fieldNames
    }

    private static let all = ["x.lines", "x.lines[0].sku", "x.owner", "x.owner.name", "x.price"]

    @Test func theyAreListedByPlace() throws {
        // Also in an expression that is being typed.
        #expect(
            try names(
                #"[{"filter": {"expression": "x."}}, {"pairwise": {}}, {"map": {"expression": "x[1].price"}}, {"map": {"expression": "x"}}]"#
            ) == [
                "operators[0].filter.expression": Self.all,
                "operators[2].map.expression": Self.all.map { $0.replacing("x.", with: "x[0].") },
            ]
        )
        #expect(
            try names("[]", sinks: #"[{"post": {"url": "https://example.com", "when": "true"}}]"#) == [
                "sinks[0].post.when": Self.all
            ]
        )
        let inner = try names(
            #"[{"flatMap": {"to": {"source": {"values": [1]}, "operators": [{"map": {"expression": "1"}}]}}}]"#
        )
        #expect(inner["operators[0].flatMap.to.operators[0].map.expression"]?.contains("a.owner.name") ?? false)
    }

    @Test func withoutASchemaThereAreNone() throws {
        let text = #"{"source": {"values": [1]}, "operators": [{"map": {"expression": "x"}}]}"#
        #expect(try StreamDocument(parsing: text).fieldNames == [:])
        let typed = #"{"item": "int", "source": {"values": [1]}, "operators": [{"map": {"expression": "x"}}]}"#
        #expect(try StreamDocument(parsing: typed).fieldNames == [:])
    }

    @Test func theyAreBounded() throws {
        let properties = (0..<900).map { "\"p\($0)\": {}" }.joined(separator: ", ")
        let operators = Array(repeating: #"{"filter": {"expression": "true"}}"#, count: 200).joined(separator: ", ")
        let text = #"{"item": {"properties": {\#(properties)}}, "source": {"never": {}}, "operators": [\#(operators)]}"#
        let names = try StreamDocument(parsing: text).fieldNames
        #expect(names.count == 100 && names.values.allSatisfy { $0.count == 200 })
    }
}
