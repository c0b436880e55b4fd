import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ReferenceTests {
    /// Returns the events of a document whose references lead to others.
    func events(_ document: String, _ others: [String]) throws -> [String] {
        var library = StreamLibrary()
        for other in others { library.add(try StreamDocument(parsing: other)) }
        return text(try StreamDocument(parsing: document).virtualEvents(in: library))
    }

    /// The errors of a document whose references lead to others.
    func errors(_ text: String, _ others: [String] = []) -> [String] {
        do {
            _ = try events(text, others)
            return []
        } catch { return (error as? JSONErrors)?.errors.map(\.description) ?? ["\(error)"] }
    }

    let above = """
        {"name": "above", "parameters": {"low": 2, "step": 1}, "source": {"values": [1, 2, 3]},
         "operators": [{"filter": {"expression": "x > ${low}"}}, {"map": {"expression": "x * ${step}"}}]}
        """

    @Test func parameters() throws {
        #expect(try events(#"{"source": {"ref": "above"}}"#, [above]) == ["0:3", "0|"])
        #expect(
            try events(#"{"source": {"ref": {"id": "above", "parameters": {"low": 1, "step": 10}}}}"#, [above])
                == ["0:20", "0:30", "0|"]
        )
        #expect(
            try events(
                #"{"parameters": {"n": 1}, "source": {"ref": {"id": "above", "parameters": {"low": "${n}"}}}}"#,
                [above]
            ) == ["0:2", "0:3", "0|"]
        )
    }

    @Test func anItemAsParameter() throws {
        #expect(
            try events(
                """
                {"source": {"values": [1, 2]}, "operators": [
                    {"flatMap": {"to": {"ref": {"id": "above", "parameters": {"low": "${a}", "step": 10}}}}}]}
                """,
                [above]
            ) == ["0:20", "0:30", "0:30", "0|"]
        )
    }

    /// The streams that the document starts for items of its own see the parameter too.
    @Test func anItemFurtherOut() throws {
        let sum = """
            {"name": "sum", "parameters": {"n": 0}, "source": {"values": [1]}, "operators": [{"flatMap": {"to": {
                "source": {"values": [100]}, "operators": [{"map": {"expression": "x + a + ${n}"}}]}}}]}
            """
        #expect(
            try events(
                """
                {"source": {"values": [1, 2]}, "operators": [
                    {"flatMap": {"to": {"source": {"values": [10, 20]}, "operators": [
                        {"flatMap": {"to": {"ref": {"id": "sum", "parameters": {"n": "${a}"}}}, "expression": "x"}}]}}}]}
                """,
                [sum]
            ) == ["0:111", "0:121", "0:111", "0:121", "0|"]
        )
    }

    /// Through a document that passes it on.
    @Test func anItemPassedOn() throws {
        let middle = """
            {"name": "middle", "parameters": {"m": 0},
             "source": {"ref": {"id": "above", "parameters": {"low": "${m}"}}}}
            """
        #expect(
            try events(
                """
                {"source": {"values": [1, 2]}, "operators": [
                    {"concatMap": {"to": {"ref": {"id": "middle", "parameters": {"m": "${a}"}}}}}]}
                """,
                [above, middle]
            ) == ["0:2", "0:3", "0:3", "0|"]
        )
    }

    @Test func theErrorOfACatch() throws {
        let told = """
            {"name": "reason", "parameters": {"why": ""}, "source": {"values": [0]},
             "operators": [{"map": {"expression": "'failed: ' + ${why}"}}]}
            """
        #expect(
            try events(
                """
                {"source": {"fail": "no net"}, "operators": [
                    {"catch": {"source": {"ref": {"id": "reason", "parameters": {"why": "${error}"}}}}}]}
                """,
                [told]
            ) == [#"0:"failed: no net""#, "0|"]
        )
    }

    /// A parameter of the document goes before an item of the same name.
    @Test func parametersGoFirst() throws {
        #expect(
            try events(
                """
                {"parameters": {"a": 2}, "source": {"values": [0]}, "operators": [
                    {"flatMap": {"to": {"ref": {"id": "above", "parameters": {"low": "${a}"}}}}}]}
                """,
                [above]
            ) == ["0:3", "0|"]
        )
    }

    @Test func anItemIsNoPlainArgument() {
        let first = """
            {"name": "first", "parameters": {"n": 1}, "source": {"values": [1]},
             "operators": [{"prefix": {"count": "${n}"}}]}
            """
        let document = """
            {"source": {"values": [1]}, "operators": [
                {"flatMap": {"to": {"ref": {"id": "first", "parameters": {"n": "${a}"}}}}}]}
            """
        #expect(
            errors(document, [first]) == [
                #"2:32: operators[0].flatMap.to.ref: in the stream "first": operators[0].prefix.count: "#
                    + #"the parameter "n" is an item, known only when the stream is started (use ${n} in an expression)"#
            ]
        )
    }

    @Test func whatIsNotThere() {
        #expect(
            errors(#"{"source": {"ref": {"id": "above", "parameters": {"low": "${b}"}}}}"#, [above]) == [
                #"1:59: source.ref.parameters.low: there is no parameter or item "b""#
            ]
        )
        #expect(
            errors(#"{"source": {"ref": {"id": "above", "parameters": {"high": 3}}}}"#, [above]) == [
                #"1:59: source.ref.parameters.high: the stream has no parameter "high" (known: low, step)"#
            ]
        )
        #expect(
            errors(#"{"source": {"ref": "abve"}}"#, [above]) == [
                #"1:21: source.ref: there is no stream "abve" (known: above)"#
            ]
        )
    }

    @Test func circles() {
        let a = #"{"name": "a", "source": {"merge": [{"empty": {}}, {"ref": "b"}]}}"#
        let b = """
            {"name": "b", "source": {"values": [1]}, "operators": [
                {"flatMap": {"to": {"ref": {"id": "a", "parameters": {}}}}}]}
            """
        #expect(
            errors(a, [a, b]) == [
                #"1:60: source.merge[1].ref: in the stream "b": operators[0].flatMap.to.ref: "#
                    + "streams refer to each other in a circle: a → b → a"
            ]
        )
        let own = #"{"name": "b", "source": {"ref": "b"}}"#
        #expect(errors(a, [a, own]).first?.hasSuffix("in a circle: b → b") == true)
    }

    /// Streams that double at each step are compiled once each; with an item as parameter they are limited.
    @Test func doubling() throws {
        let plain = (0..<8).map { level in
            let next = #"{"ref": "s\#(level + 1)"}"#
            return #"{"name": "s\#(level)", "source": {"merge": [\#(next), \#(next), \#(next), \#(next)]}}"#
        }
        #expect(errors(#"{"source": {"ref": "s0"}}"#, plain + [#"{"name": "s8", "source": {"empty": {}}}"#]) == [])
        let given = (0..<8).map { level in
            let next = #"{"ref": {"id": "p\#(level + 1)", "parameters": {"n": "${n}"}}}"#
            return """
                {"name": "p\(level)", "parameters": {"n": 0},
                 "source": {"merge": [\(next), \(next), \(next), \(next)]}}
                """
        }
        let last = #"{"name": "p8", "parameters": {"n": 0}, "source": {"empty": {}}}"#
        let document = """
            {"source": {"values": [1]}, "operators": [
                {"flatMap": {"to": {"ref": {"id": "p0", "parameters": {"n": "${a}"}}}}}]}
            """
        let found = errors(document, given + [last])
        #expect(found.count == 1)
        #expect(found.first?.contains("more than 10000 operators and sources in all") == true, "\(found)")
    }
}
