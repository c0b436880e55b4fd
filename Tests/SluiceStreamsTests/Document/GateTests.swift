import SluiceJSON
import Testing

@testable import SluiceStreams

/// The gate of a document, and the bounds of its tests.
@Suite struct GateTests {
    private func failed(_ text: String, _ budget: TestBudget = TestBudget()) throws -> [JSONError] {
        let document = try StreamDocument(parsing: text)
        return document.errors(of: document.failedTests(in: StreamLibrary(), budget))
    }

    @Test func aGateIsABoolean() throws {
        #expect(try StreamDocument(parsing: #"{"gate": true, "source": {"never": {}}}"#).isGated)
        #expect(try !StreamDocument(parsing: #"{"gate": false, "source": {"never": {}}}"#).isGated)
        #expect(try !StreamDocument(parsing: #"{"source": {"never": {}}}"#).isGated)
        for value in [#""yes""#, "1", "null", "[]"] {
            let text = #"{"gate": \#(value), "source": {"never": {}}}"#
            let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text) }
            #expect(errors?.errors.map(\.path.description) == ["gate"] && errors?.errors.first?.column == 10)
            // It is kept as it is.
            let kept = try StreamDocument(preserving: Array(text.utf8)).canonicalText
            #expect(kept.contains(#""gate": \#(value)"#), "\(kept)")
        }
        let document = StreamDocument(isGated: true, pipeline: StreamPipeline(source: .values([1])))
        #expect(document.isGated && document.canonicalText.contains(#""gate": true"#))
    }

    @Test func eachFailureHasItsPlace() throws {
        let errors = try failed(
            """
            {"source": {"ref": "in"}, "sinks": [{"id": "s", "lines": {"path": "f"}}],
             "tests": [
               {"name": "fine", "inputs": {"in": "-1|"}, "expect": "-1|"},
               {"name": "stream", "inputs": {"in": "-1|"}, "expect": "-2|"},
               {"name": "both", "inputs": {"in": "-1|"}, "expect": "-2|", "delivers": {"s": "--|"}},
               {"name": "marbles", "inputs": {"in": "-(1"}, "expect": "|"},
               {"name": "no input", "expect": "|"}
             ]}
            """
        )
        #expect(
            errors.map(\.description).filter { !$0.contains("marbles") } == [
                #"4:58: tests[1].expect: the test "stream" fails: expected 0.001 s  2, found 0.001 s  1"#,
                #"5:56: tests[2].expect: the test "both" fails: expected 0.001 s  2, found 0.001 s  1"#,
                #"5:81: tests[2].delivers.s: the test "both" fails: the sink "s": expected 0.002 s  completed, found 0.001 s  1"#,
                #"7:4: tests[4]: the test "no input" fails: the document can't run: there is no stream "in""#,
            ]
        )
        let marbles = errors.first { $0.message.contains("marbles") }
        #expect(marbles?.path.description == "tests[3]" && marbles?.line == 6)
        #expect(marbles?.message.contains(#"the input "in": "#) == true)
    }

    @Test func aTestThatCannotBeReadFails() throws {
        let text = #"{"gate": true, "source": {"never": {}}, "tests": [{"name": "t", "expects": "|", "expect": "|"}]}"#
        let document = try StreamDocument(preserving: Array(text.utf8))
        let failed = document.failedTests(in: StreamLibrary(), TestBudget())
        #expect(failed.map(\.message) == [#"the test "test" fails: it has parts that are unknown here"#])
    }

    /// Streams that never end in virtual time, or hold more and more, in one instant or over many.
    @Test(arguments: [
        (#"{"interval": {"seconds": 0.001}}"#, #"{"filter": {"expression": "false"}}"#, "instants"),
        (
            #"{"interval": {"seconds": 1e-9}}"#,
            #"{"scan": {"initialValue": "a", "expression": "acc.size() > 100000 ? acc : acc + acc"}}, {"delay": {"seconds": 1000}}"#,
            "memory"
        ),
        (
            #"{"generate": {"initialValue": 0, "while": "true", "next": "x + 1"}}"#,
            #"{"filter": {"expression": "false"}}"#, "one instant"
        ),
        (#"{"values": [1]}"#, #"{"expand": {"to": {"values": [1, 2]}}}, {"ignoreOutput": {}}"#, "one instant"),
    ]) func hostileTestsEnd(_ source: String, _ operators: String, _ reason: String) throws {
        let errors = try failed(
            #"{"source": \#(source), "operators": [\#(operators)], "tests": [{"expect": "|"}, {"expect": "|"}]}"#,
            TestBudget(instants: 10_000, megabytes: 16)
        )
        #expect(errors.count == 2 && errors[0].message.contains(reason), "\(errors)")
    }

    /// An interruption is no expected failure.
    @Test func aTestThatIsEndedEarlyFails() throws {
        let text =
            #"{"source": {"interval": {"seconds": 0.001}}, "operators": [{"ignoreOutput": {}}], "tests": [{"expect": "100s #"}]}"#
        #expect(try failed(text, TestBudget(instants: 100)).count == 1)
        let document = try StreamDocument(parsing: text)
        let outcome = try document.outcome(of: document.tests[0], in: StreamLibrary(), TestBudget(instants: 100))
        #expect(outcome.isEndedEarly && !outcome.isPassed)
        #expect(outcome.report.contains("the test was ended early: it has more instants"), "\(outcome.report)")
    }

    /// The bound of time, which no time is left of.
    @Test func timeIsBounded() throws {
        let text =
            #"{"source": {"interval": {"seconds": 0.001}}, "operators": [{"ignoreOutput": {}}], "tests": [{"expect": "|"}, {"expect": "|"}]}"#
        let errors = try failed(text, TestBudget(seconds: 0))
        #expect(errors.first?.message.contains("more time") == true, "\(errors)")
        #expect(errors.last?.message.contains("the tests before it") == true, "\(errors)")
    }

    /// Deliveries count, too.
    @Test func deliveriesAreBounded() throws {
        let line = "'\(String(repeating: "x", count: 2000))'"
        let text = #"""
            {"source": {"range": {"from": 1, "count": 1000}},
             "sinks": [{"id": "s", "lines": {"path": "f", "line": "\#(line)"}}],
             "tests": [{"delivers": {"s": "\#(String(repeating: "a", count: 1000))"}}]}
            """#
        #expect(try failed(text, TestBudget(megabytes: 1)).first?.message.contains("memory") == true)
    }

    /// A test without a single instant compiles the document, and so does one that can't run.
    @Test func eachTestCountsAsAnInstant() throws {
        func messages(_ source: String, _ expect: String) throws -> [String] {
            let tests = Array(repeating: #"{"expect": "\#(expect)"}"#, count: 20).joined(separator: ", ")
            return try failed(#"{"source": \#(source), "tests": [\#(tests)]}"#, TestBudget(instants: 10)).map(\.message)
        }
        let empty = try messages(#"{"values": [1]}"#, "")
        #expect(empty.count == 10, "\(empty)")
        #expect(empty.first?.contains("more instants") == true, "\(empty)")
        #expect(empty.filter { $0.contains("the tests before it") }.count == 9, "\(empty)")
        let unknown = try messages(#"{"ref": "none"}"#, "|")
        #expect(unknown.filter { $0.contains("can't run") }.count == 11, "\(unknown)")
        #expect(unknown.filter { $0.contains("the tests before it") }.count == 9, "\(unknown)")
    }

    /// A condition that is false, and an output that is left out, take time as a delivery does. The clock goes on by a
    /// millisecond each time it is read: often enough between the outputs of one instant.
    @Test(arguments: [#""when": "x < 0""#, #""body": "1 / (x - x)", "onFailure": "skip""#])
    func sinksThatDeliverNothingAreBounded(_ members: String) throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"range": {"from": 0, "count": 1000}},
                 "sinks": [{"id": "s", "post": {"url": "https://h.example/", \#(members)}}],
                 "tests": [{"delivers": {"s": "|"}}]}
                """#
        )
        let test = document.tests[0]
        let whole = try document.outcome(of: test)
        #expect(whole.isPassed, "\(whole.report)")
        var reads: UInt64 = 0
        let budget = TestBudget(seconds: 0.5) {
            reads += 1
            return reads * 1_000_000
        }
        let outcome = try document.outcome(of: test, in: StreamLibrary(), budget)
        #expect(outcome.isEndedEarly && outcome.report.contains("more time"), "\(outcome.report)")
        // After the end, nothing more is done.
        let count = reads
        #expect(count < 600)
    }
}
