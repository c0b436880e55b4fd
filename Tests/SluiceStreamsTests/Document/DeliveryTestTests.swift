import SluiceJSON
import Testing

@testable import SluiceStreams

/// The tests of documents that say what each sink gets.
@Suite struct DeliveryTestTests {
    private func document(_ sinks: String, _ test: String, source: String = #"{"ref": "in"}"#) throws -> StreamDocument
    {
        try StreamDocument(parsing: #"{"source": \#(source), "sinks": [\#(sinks)], "tests": [\#(test)]}"#)
    }

    private func outcome(
        _ sinks: String,
        _ test: String,
        source: String = #"{"ref": "in"}"#
    ) throws -> StreamTest.Outcome {
        let document = try document(sinks, test, source: source)
        return try document.outcome(of: document.tests[0])
    }

    private func expectPassed(_ sinks: String, _ test: String, at location: SourceLocation = #_sourceLocation) throws {
        let outcome = try outcome(sinks, test)
        #expect(outcome.isPassed, "\(outcome.report)", sourceLocation: location)
    }

    private let hook = #"{"id": "hook", "post": {"url": "https://h.example/"}}"#

    /// The example of the design.
    @Test func alertsOnAJump() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"id": "price-alert",
                 "source": {"poll": {"url": "https://api.example.com/price", "seconds": 5,
                                     "headers": {"Authorization": "Bearer ${secret:price-api}"}}},
                 "operators": [
                   {"id": "price", "map": {"expression": "x.price"}}, {"id": "jump", "pairwise": {}},
                   {"id": "big", "filter": {"expression": "math.abs(x[1] - x[0]) > 10.0"}}],
                 "sinks": [{"id": "hook", "post": {"url": "https://hooks.example.com/T1",
                                                   "body": "{'text': 'price is ' + string(x[1])}"}}],
                 "tests": [
                   {"name": "alerts on a jump", "inputs": {"poll": "-a-b|"}, "delivers": {"hook": "---c|"},
                    "values": {"a": {"price": 1.0}, "b": {"price": 20.0}, "c": {"text": "price is 20"}}}]}
                """#
        )
        let outcome = try document.outcome(of: document.tests[0])
        #expect(outcome.isPassed, "\(outcome.report)")
        #expect(outcome.stream == nil && outcome.deliveries.map(\.sink) == ["hook"])
    }

    @Test func theContentOfEachKindIsDelivered() throws {
        try expectPassed(hook, #"{"inputs": {"in": "-a-7|"}, "delivers": {"hook": "-a-7|"}}"#)
        try expectPassed(
            #"{"id": "f", "lines": {"path": "f", "line": "'n ' + string(x)"}}"#,
            #"{"inputs": {"in": "-1-2|"}, "delivers": {"f": "-a-b|"}, "values": {"a": "n 1", "b": "n 2"}}"#
        )
        try expectPassed(
            #"{"id": "o", "outside": {"name": "desk", "value": "x * 2"}}"#,
            #"{"inputs": {"in": "-1-2|"}, "delivers": {"o": "-2-4|"}}"#
        )
    }

    /// Both the stream and a sink, and several sinks.
    @Test func bothAreCompared() throws {
        let sinks = hook + #", {"id": "big", "post": {"url": "https://h.example/", "when": "x > 1"}}"#
        let inputs = #""inputs": {"in": "-1-2|"}"#
        try expectPassed(sinks, #"{\#(inputs), "expect": "-1-2|", "delivers": {"hook": "-1-2|", "big": "---2|"}}"#)
        for wrong in [
            #""expect": "-1-3|", "delivers": {"hook": "-1-2|"}"#, #""expect": "-1-2|", "delivers": {"hook": "-1-3|"}"#,
            #""delivers": {"hook": "-1-2|", "big": "-1-2|"}"#,
        ] {
            #expect(try !outcome(sinks, "{\(inputs), \(wrong)}").isPassed, "\(wrong)")
        }
    }

    @Test func aFailureShowsBothDiagrams() throws {
        let outcome = try outcome(
            hook,
            #"{"inputs": {"in": "-1-2|"}, "expect": "-1-2|", "delivers": {"hook": "-1-3|"}}"#
        )
        #expect(
            outcome.report == """
                the sink "hook":
                expected  -1-3|
                actual    -1-2|
                             ^
                first difference at 0.003 s
                    0.001 s  1
                  - 0.003 s  3
                  - 0.004 s  completed
                  + 0.003 s  2
                  + 0.004 s  completed
                """
        )
        #expect(outcome.differences.map(\.key) == [["delivers", "hook"]])
        #expect(
            outcome.differences.map(\.text) == [#"the sink "hook": expected 0.003 s  3, found 0.003 s  2"#]
        )
    }

    /// A batch is delivered when its count is full, when its time is over, and at the end.
    @Test(
        arguments: [
            (#"{"count": 2}"#, "-1-2-3|", "---a--(b|)", ["a": [1, 2], "b": [3]]),
            (#"{"seconds": 0.003}"#, "-1-2----3|", "----a----(b|)", ["a": [1, 2], "b": [3]]),
            (#"{"count": 2, "seconds": 0.002}"#, "-12-3----4|", "--a---b---(c|)", ["a": [1, 2], "b": [3], "c": [4]]),
            // An output at the instant at which the time is over begins the next batch.
            (#"{"seconds": 0.002}"#, "-1-2-----|", "---a-b---|", ["a": [1], "b": [2]]),
            (#"{"seconds": 0.002}"#, "-1-----", "---a---", ["a": [1]]),
            (#"{"count": 3}"#, "-1-2-#", "-----(a#)", ["a": [1, 2]]), (#"{"count": 3}"#, "-----|", "-----|", [:]),
        ] as [(String, String, String, [String: JSON])]
    )
    func batches(_ batch: String, _ input: String, _ delivered: String, _ values: [String: JSON]) throws {
        var object = JSON.Object()
        for (key, value) in values { object[key] = value }
        try expectPassed(
            #"{"id": "hook", "post": {"url": "https://h.example/", "batch": \#(batch)}}"#,
            #"{"inputs": {"in": "\#(input)"}, "delivers": {"hook": "\#(delivered)"}, "values": \#(JSON.object(object))}"#
        )
    }

    /// The hub applies the condition before it collects.
    @Test func aConditionAndABatch() throws {
        try expectPassed(
            #"{"id": "hook", "post": {"url": "https://h.example/", "when": "x % 2 == 0", "batch": {"count": 2}}}"#,
            #"{"inputs": {"in": "-1-2-3-4|"}, "delivers": {"hook": "-------a|"}, "values": {"a": [2, 4]}}"#
        )
    }

    /// A sink stops at an output that can't be rendered, unless it skips it.
    @Test func whatCannotBeRenderedFails() throws {
        func sink(_ more: String) -> String {
            #"{"id": "hook", "post": {"url": "https://h.example/", "body": "10 / x"\#(more)}}"#
        }
        let inputs = #""inputs": {"in": "-1-0-2|"}"#
        try expectPassed(sink(""), #"{\#(inputs), "delivers": {"hook": "-a-#"}, "values": {"a": 10}}"#)
        try expectPassed(
            sink(#", "onFailure": "skip""#),
            #"{\#(inputs), "delivers": {"hook": "-a---b|"}, "values": {"a": 10, "b": 5}}"#
        )
        try expectPassed(
            #"{"id": "hook", "post": {"url": "https://h.example/", "when": "10 / x > 0"}}"#,
            #"{\#(inputs), "delivers": {"hook": "-1-#"}}"#
        )
        let report = try outcome(sink(""), #"{\#(inputs), "delivers": {"hook": "-a-b|"}}"#).report
        #expect(report.contains("failed: sinks[0].post.body"), "\(report)")
    }

    @Test func aDisabledSinkDeliversNothing() throws {
        let sink = #"{"id": "hook", "disabled": true, "post": {"url": "https://h.example/"}}"#
        try expectPassed(sink, #"{"inputs": {"in": "-1-2|"}, "delivers": {"hook": "----|"}}"#)
    }

    /// Without an expected end, the run lasts as long as the diagrams.
    @Test func aRunWithoutAnEnd() throws {
        try expectPassed(hook, #"{"inputs": {"in": "-1-2"}, "expect": "-1-2", "delivers": {"hook": "-1-2"}}"#)
        // All events before the end of all diagrams are compared, the end of the stream too.
        let ended = #"{"inputs": {"in": "-1-2|"}, "expect": "-1-2|", "delivers": {"hook": "-1-2"}}"#
        #expect(try !outcome(hook, ended).isPassed)
        let endless = #"{"interval": {"seconds": 0.002}}"#
        let passed = try outcome(hook, #"{"delivers": {"hook": "--0-1-"}}"#, source: endless)
        #expect(passed.isPassed, "\(passed.report)")
    }

    /// A sink without an id has the one that a hub gives it.
    @Test func impliedIDs() throws {
        let sinks =
            #"{"post": {"url": "https://h.example/"}}, {"post": {"url": "https://i.example/", "when": "x > 1"}}"#
        try expectPassed(sinks, #"{"inputs": {"in": "-1-2|"}, "delivers": {"post": "-1-2|", "post-2": "---2|"}}"#)
    }

    @Test func aSinkThatDoesNotExistIsAnErrorOfTheDocument() throws {
        let text = """
            {"source": {"ref": "in"},
             "sinks": [{"id": "hook", "post": {"url": "https://h.example/"}}],
             "tests": [{"delivers": {"hok": "|"}}, {"delivers": {"else": "|"}}]}
            """
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
        #expect(
            errors?.errors.map(\.description) == [
                #"3:26: tests[0].delivers.hok: there is no sink with the id "hok" (did you mean "hook"?)"#,
                #"3:54: tests[1].delivers.else: there is no sink with the id "else" (known: hook)"#,
            ]
        )
        let none = #expect(throws: JSONErrors.self) { try document("", #"{"delivers": {"a": "|"}}"#) }
        #expect(none?.errors.map(\.hint) == ["the document has no sinks"])
        // An unknown sink is one error, not two.
        let unknown = #expect(throws: JSONErrors.self) {
            try document(#"{"id": "q", "quantum": {}}"#, #"{"delivers": {"q": "|"}}"#)
        }
        #expect(unknown?.errors.count == 1)
    }

    @Test(arguments: [
        (#"{"name": "a"}"#, #"the key "expect" is missing"#), (#"{"delivers": []}"#, "expected an object"),
        (#"{"delivers": {"hook": 1}}"#, "expected a string"), (#"{"expect": 1}"#, "expected a string"),
        (#"{"expect": "|", "inputs": {"in": 1}}"#, "expected a diagram, or an array of diagrams"),
        (#"{"expect": "|", "inputs": {"in": [1]}}"#, "expected a string"),
    ]) func invalidTests(_ test: String, _ message: String) throws {
        let errors = #expect(throws: JSONErrors.self) { try document(hook, test) }
        #expect(
            errors?.errors.count == 1 && errors?.errors[0].message.contains(message) == true,
            "\(String(describing: errors))"
        )
        #expect(errors?.errors[0].path.description.hasPrefix("tests[0]") == true)
        // The document is kept byte for byte.
        let text = #"{"source": {"never": {}}, "sinks": [\#(hook)], "tests": [\#(test)]}"#
        let kept = try StreamDocument(preserving: Array(text.utf8))
        #expect(kept.tests.isEmpty)
        #expect(try JSON(parsing: kept.canonicalText)["tests"]?[0] == JSON(parsing: test))
    }

    @Test func aTestIsWrittenAsItWas() throws {
        let text = #"""
            {
              "gate": true,
              "source": {"ref":"in"},
              "sinks": [
                {"id":"hook","post":{"url":"https://h.example/"}}
              ],
              "tests": [
                {"name":"a","inputs":{"in":["-#","a|"]},"values":{"a":1},"delivers":{"hook":"-"},"x-b":2},
                {"name":"b","expect":"|","delivers":{"hook":"|"}},
                {"name":"c","delivers":{}}
              ]
            }

            """#
        let document = try StreamDocument(parsing: text)
        #expect(document.canonicalText == text && document.isGated)
        let model = try SluiceJSONDecoder().decode(StreamModel<Int>.self, from: Array(text.utf8))
        let saved = String(decoding: try SluiceJSONEncoder().encode(model), as: UTF8.self)
        let again = try StreamDocument(preserving: Array(saved.utf8))
        #expect(again.tests == document.tests && again.isGated)
    }
}
