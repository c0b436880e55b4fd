import SluiceJSON
import SluiceStreams
import Testing

@Suite struct StreamTestTests {
    func outcome(_ test: String, _ pipeline: String) throws -> StreamTest.Outcome {
        let document = try StreamDocument(parsing: #"{\#(pipeline), "tests": [\#(test)]}"#)
        return try document.outcome(of: document.tests[0])
    }

    /// The example of the design.
    @Test func sumsEvens() throws {
        let pipeline = #"""
            "source": {"ref": "numbers"},
            "operators": [{"id": "even", "filter": {"expression": "x % 2 == 0"}},
                          {"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}]
            """#
        let passed = #"{"name": "sums evens", "frame": 1, "inputs": {"numbers": "-1-2-4|"}, "expect": "---2-6|"}"#
        #expect(try outcome(passed, pipeline).isPassed)
        let wrong = [
            #"{"frame": 1, "inputs": {"numbers": "-1-2-4|"}, "expect": "---2-7|"}"#,
            #"{"frame": 1, "inputs": {"numbers": "-1-2-4|"}, "expect": "---2-6"}"#,
            #"{"frame": 1, "inputs": {"numbers": "-1-2-4|"}, "expect": "---2-6-|"}"#,
            #"{"frame": 1, "inputs": {"numbers": "-1-2-4#"}, "expect": "---2-6|"}"#,
            #"{"frame": 1, "inputs": {"numbers": "-1-2-46|"}, "expect": "---2-6|"}"#,
        ]
        for test in wrong { #expect(try !outcome(test, pipeline).isPassed, "\(test)") }
    }

    @Test func valuesFramesAndDurations() throws {
        let pipeline = #""source": {"ref": "in"}, "operators": [{"delay": {"seconds": 0.002}}]"#
        #expect(
            try outcome(
                #"{"inputs": {"in": "a-b|"}, "values": {"a": {"id": 7}}, "expect": "--a-(b|)"}"#,
                pipeline
            ).isPassed
        )
        #expect(try outcome(#"{"inputs": {"in": "a 9ms b"}, "expect": "--a 9ms b"}"#, pipeline).isPassed)
    }

    @Test func aHotInputRunsWhoeverListens() throws {
        let pipeline = #""source": {"ref": "in"}"#
        #expect(try outcome(#"{"inputs": {"in": "-a-^-b-|"}, "expect": "--b-|"}"#, pipeline).isPassed)
    }

    @Test func whatIsNoDiagramIsAnError() throws {
        let error = #expect(throws: MarbleError.self) {
            try outcome(#"{"inputs": {"in": "-(a"}, "expect": "|"}"#, #""source": {"ref": "in"}"#)
        }
        #expect(error?.description.isEmpty == false)
    }
}
