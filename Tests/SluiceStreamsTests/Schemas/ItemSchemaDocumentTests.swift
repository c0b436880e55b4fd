import SluiceJSON
import Testing

@testable import SluiceStreams

/// Schemas of items in documents: which expressions they check, and what happens to other items.
struct ItemSchemaDocumentTests {
    private static let schema = #"""
        {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}, "note": {"type": ["string", "null"]}, "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {"type": "string"}}}}}, "required": ["name", "price"]}
        """#

    private func errors(_ operators: String, sinks: String = "[]", source: String = #"{"values": []}"#) -> [String] {
        let text = #"{"item": \#(Self.schema), "source": \#(source), "operators": \#(operators), "sinks": \#(sinks)}"#
        do {
            _ = try StreamDocument(parsing: text).flow()
            return []
        } catch {
            return error.errors.map { error in
                "\(error.path): \(error.message)" + (error.hint.map { " (\($0))" } ?? "")
            }
        }
    }

    private static let prise = "there is no field 'prise' (did you mean price?)"
    private static let siku = "there is no field 'siku' (did you mean sku?)"

    @Test func anErrorIsAtItsPlaceInTheExpression() {
        let text = """
            {"item": {"properties": {"price": {"type": "number"}}}, "source": {"values": []},
             "operators": [{"filter": {"expression": "has(x.price) &&\\n x.prise > 1"}}]}
            """
        let error = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        #expect(
            error?.errors.map(\.description) == [
                "2:63: operators[0].filter.expression: there is no field 'prise' (did you mean price?)"
            ]
        )
    }

    @Test(arguments: [
        (#"{"filter": {"expression": "x.prise > 1"}}"#, "operators[0].filter.expression: \(prise)"),
        (#"{"map": {"expression": "x.prise"}}"#, "operators[0].map.expression: \(prise)"),
        (#"{"compactMap": {"expression": "x.prise"}}"#, "operators[0].compactMap.expression: \(prise)"),
        (#"{"scan": {"initialValue": 0.0, "expression": "acc + x.prise"}}"#, "operators[0].scan.expression: \(prise)"),
        (#"{"distinct": {"expression": "x.prise"}}"#, "operators[0].distinct.expression: \(prise)"),
        (#"{"groupBy": {"key": "x.prise", "operators": []}}"#, "operators[0].groupBy.key: \(prise)"),
        (
            #"{"groupBy": {"key": "x.name", "operators": [{"map": {"expression": "x.prise"}}]}}"#,
            "operators[0].groupBy.operators[0].map.expression: \(prise)"
        ),
        (
            #"{"flatMap": {"to": {"request": {"url": "https://example.com/${a.prise}"}}}}"#,
            "operators[0].flatMap.to.request.url: \(prise)"
        ),
        (
            #"{"flatMap": {"to": {"source": {"values": [1]}, "operators": [{"map": {"expression": "a.prise"}}]}}}"#,
            "operators[0].flatMap.to.operators[0].map.expression: \(prise)"
        ),
        (
            #"{"filter": {"expression": "x.name"}}"#,
            "operators[0].filter.expression: the expression answers string, bool is wanted"
        ),
        (
            #"{"map": {"expression": "x.name + 1"}}"#,
            "operators[0].map.expression: + does not take (string, int) (a string is joined with a string: use string(…))"
        ),
    ])
    func eachExpressionIsChecked(_ operation: String, _ error: String) { #expect(errors("[\(operation)]") == [error]) }

    @Test(arguments: [
        (#"{"filter": {"expression": "true"}}"#, "x.prise", prise),
        (#"{"pairwise": {}}"#, "x[1].prise - x[0].price", prise),
        (#"{"collect": {"count": 2}}"#, "x.map(y, y.prise)", prise),
        (#"{"delay": {"seconds": 1}}, {"prefix": {"count": 2}}, {"removeDuplicates": {}}"#, "x.prise", prise),
        (#"{"map": {"expression": "x.lines"}}"#, "x[0].siku", siku),
        (
            #"{"map": {"expression": "{'prices': x.price}"}}"#, "x.prise",
            "there is no field 'prise' (the fields are: prices)"
        ),
        (
            #"{"compactMap": {"expression": "x.note"}}"#, "x + 1",
            "+ does not take (string, int) (a string is joined with a string: use string(…))"
        ),
        (
            #"{"map": {"expression": "x.note"}}, {"replaceNil": {"value": "a"}}"#, "x - 1",
            "- does not take (string, int) (it takes (int, int) or (double, int))"
        ),
        (#"{"reduce": {"expression": "x.price > acc.price ? x : acc"}}"#, "x.prise", prise),
        (#"{"withLatestFrom": {"source": {"values": [1]}, "expression": "a"}}"#, "x.prise", prise),
        (#"{"min": {"expression": "x.price"}}"#, "x.prise", prise),
    ])
    func theTypeGoesThroughOperators(_ operators: String, _ expression: String, _ error: String) {
        let found = errors(#"[\#(operators), {"map": {"expression": "\#(expression)"}}]"#)
        #expect(found.count == 1 && found.first?.hasSuffix(".map.expression: \(error)") ?? false, "\(found)")
    }

    @Test(arguments: [
        #"{"map": {"expression": "dyn(x)"}}"#,
        #"{"map": {"expression": "x.note"}}, {"replaceNil": {"value": {"prise": 1}}}"#,
        #"{"mapTo": {"value": {"prise": 1}}}"#, #"{"append": {"values": [{"prise": 1}]}}"#,
        #"{"first": {"default": {"prise": 1}}}"#, #"{"replaceEmpty": {"value": {"prise": 1}}}"#,
        #"{"replaceError": {"value": {"prise": 1}}}"#, #"{"catch": {"source": {"values": [{"prise": 1}]}}}"#,
        #"{"merge": {"source": {"values": [{"prise": 1}]}}}"#, #"{"materialize": {}}"#,
        #"{"compactMap": {"expression": "[x.?note][0]"}}"#,
        #"{"expand": {"to": {"values": [{"prise": 1}]}}}"#, #"{"flatMap": {"to": {"values": [{"prise": 1}]}}}"#,
    ])
    func whereTheTypeIsUnknownNothingIsReported(_ operators: String) {
        #expect(errors(#"[\#(operators), {"filter": {"expression": "x.prise == 1"}}]"#) == [])
    }

    @Test func sinksAreChecked() {
        let sink =
            #"[{"post": {"url": "https://example.com", "body": "{'a': x.prise}", "when": "x.prise > 1", "key": "x.prise", "concurrency": 2}}]"#
        #expect(
            errors("[]", sinks: sink).sorted() == [
                "sinks[0].post.body: \(Self.prise)", "sinks[0].post.key: \(Self.prise)",
                "sinks[0].post.when: \(Self.prise)",
            ]
        )
    }

    @Test func theKeyOfAWebhookIsChecked() {
        let source = #"{"webhook": {"name": "a", "auth": "none", "key": "x.prise"}}"#
        #expect(errors("[]", source: source) == ["source.webhook.key: \(Self.prise)"])
    }

    @Test(arguments: [
        #"{"poll": {"url": "https://example.com", "seconds": 5}}"#, #"{"request": {"url": "https://example.com"}}"#,
        #"{"webhook": {"name": "a", "auth": "none"}}"#, #"{"lines": {"path": "a", "format": "json"}}"#,
        #"{"events": "https://example.com"}"#, #"{"subscribe": "a"}"#, #"{"outside": "sensor"}"#,
        #"{"values": []}"#, #"{"never": {}}"#, #"{"merge": [{"values": []}, {"outside": "a"}]}"#,
    ])
    func everySourceMayHaveOne(_ source: String) {
        #expect(
            errors(#"[{"map": {"expression": "x.prise"}}]"#, source: source) == [
                "operators[0].map.expression: \(Self.prise)"
            ]
        )
    }

    @Test func aSourceWithinAnOperatorMayHaveOne() throws {
        let text = #"""
            {"source": {"values": [1]}, "operators": [{"flatMap": {"to": {"item": {"properties": {"price": {}}},
              "source": {"values": [{"price": 2}]}, "operators": [{"map": {"expression": "x.prise"}}]}}}]}
            """#
        let error = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        #expect(error?.errors.map(\.message) == ["there is no field 'prise'"])
        #expect(error?.errors.first?.path.description == "operators[0].flatMap.to.operators[0].map.expression")
    }

    @Test func errorsInTheSchemaAreErrorsOfTheDocument() throws {
        let text = #"{"item": {"type": "objekt", "minimum": 1}, "source": {"values": [1]}, "x-a": 1}"#
        let document = try StreamDocument(preserving: Array(text.utf8))
        #expect(
            document.errors?.errors.map(\.description) == [
                #"1:19: item.type: "objekt" is not a type of JSON (did you mean "object"?)"#,
                #"1:29: item.minimum: the keyword "minimum" is not offered in a schema of items (known: type, properties, required, additionalProperties, items, enum, const)"#,
            ]
        )
        #expect(document.canonicalText.contains(#""objekt""#))
        let wrong = #expect(throws: JSONErrors.self) {
            try StreamDocument(parsing: #"{"item": 5, "source": {"values": [1]}}"#)
        }
        #expect(
            wrong?.errors.map(\.description) == [
                "1:10: item: expected a type or a schema (one of: int, double, string, bool, dyn, or a JSON Schema)"
            ]
        )
    }

    @Test func theSchemaIsKept() throws {
        let text =
            #"{"id":"a","item":{"type" : "object","title":"T","properties":{"a":{"const":1.50}}},"stream":[{"value":{"a":1.5},"operators":[]}]}"#
        let model = try StreamModel<JSON>(parsing: text)
        #expect(String(decoding: try SluiceJSONEncoder().encode(model), as: UTF8.self) == text)
        let document = try StreamDocument(parsing: text)
        guard case .schema(let schema)? = document.pipeline.item else { throw Missing() }
        #expect(model.item == .schema(schema))
        #expect(try StreamDocument(parsing: document.canonicalText).pipeline == document.pipeline)
        #expect(document.canonicalText.contains(#""title":"T""#))
        let nested = #"{"source":{"item":{"type":"object"},"source":{"values":[1]}}}"#
        #expect(try StreamDocument(parsing: nested).canonicalText.contains(#""item":{"type":"object"}"#))
    }

    private struct Missing: Error {}

    @Test func otherItemsAreOmittedAndReported() throws {
        let text = #"""
            {"item": {"type": "object", "properties": {"lines": {"type": "array", "items": {"type": "integer"}}}},
             "source": {"values": [{"lines": [1]}, {"lines": [1, "2"]}, 5, {"other": 1}]}}
            """#
        let events = try StreamDocument(parsing: text).virtualEvents()
        var (values, reports): ([JSON], [String]) = ([], [])
        for event in events {
            if let value = event.value { values.append(value) }
            if case .reported(let error) = event.kind { reports.append(error.description) }
        }
        #expect(values == [["lines": [1]], ["other": 1]])
        #expect(
            reports == [
                "item: an item does not meet the schema: lines[1]: expected an integer, found a string",
                "item: an item does not meet the schema: expected an object, found an integer",
            ]
        )
    }

    @Test func anEditOfTheSchemaKeepsTheState() throws {
        func document(_ type: String) throws -> StreamDocument {
            try StreamDocument(
                parsing:
                    #"{"id": "a", "item": {"type": "\#(type)"}, "source": {"interval": {"seconds": 1}}, "operators": [{"id": "n", "scan": {"initialValue": 0, "expression": "acc + 1"}}]}"#
            )
        }
        let plan = StreamPlan(from: try document("integer"), to: try document("number"))
        #expect(plan.steps.allSatisfy { $0.action == .kept })
        #expect(plan.steps.flatMap(\.changes).map(\.parameter) == ["item"])
    }
}
