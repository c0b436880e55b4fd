import SluiceJSON
import Testing

@testable import SluiceStreams

/// The inputs of a document's tests, which replace the sources of the outside world.
@Suite struct TestInputTests {
    private func outcome(_ pipeline: String, _ test: String, _ others: [String] = []) throws -> StreamTest.Outcome {
        let document = try StreamDocument(parsing: #"{\#(pipeline), "tests": [\#(test)]}"#)
        let library = StreamLibrary(try others.map { try StreamDocument(parsing: $0) })
        return try document.outcome(of: document.tests[0], in: library)
    }

    private func expectPassed(
        _ pipeline: String,
        _ test: String,
        _ others: [String] = [],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try outcome(pipeline, test, others)
        #expect(outcome.isPassed, "\(outcome.report)", sourceLocation: location)
    }

    private func flatMap(_ url: String = "https://u.example/${a}", _ operator: String = "concatMap") -> String {
        #""source": {"ref": "in"}, "operators": [{"\#(`operator`)": {"to": {"request": "\#(url)"}}}]"#
    }

    // MARK: Requests

    /// A diagram begins with its call, and a call ends with its response.
    @Test func anAnswerForEveryCall() throws {
        try expectPassed(flatMap(), #"{"inputs": {"in": "1---2|", "request": "-r"}, "expect": "-r---(r|)"}"#)
        try expectPassed(flatMap(), #"{"inputs": {"in": "1---2|", "request": "-r--|"}, "expect": "-r---(r|)"}"#)
        // Without a response, the call goes on.
        try expectPassed(flatMap(), #"{"inputs": {"in": "1---2|", "request": "---"}, "expect": "------"}"#)
    }

    @Test func answersAndFailuresOfSuccessiveCalls() throws {
        try expectPassed(
            flatMap("https://u.example/${a}", "flatMap"),
            #"{"inputs": {"in": "12|", "request": ["---a", "-b"]}, "expect": "--b(a|)"}"#
        )
        let retried =
            #""source": {"ref": "in"}, "operators": [{"concatMap": {"to": {"source": {"request": "https://u.example/${a}"}, "operators": [{"retry": {"count": 2}}]}}}]"#
        try expectPassed(retried, #"{"inputs": {"in": "1|", "request": ["-#", "-#", "-a"]}, "expect": "---(a|)"}"#)
        try expectPassed(retried, #"{"inputs": {"in": "1|", "request": ["-#", "-#", "-#"]}, "expect": "---#"}"#)
    }

    @Test func oneMoreCallFails() throws {
        let outcome = try outcome(flatMap(), #"{"inputs": {"in": "1-2|", "request": ["a"]}, "expect": "a-(b|)"}"#)
        #expect(!outcome.isPassed)
        let text = #"failed: the input "request" of the test has 1 diagram, and"#
        #expect(outcome.report.contains(text), "\(outcome.report)")
        try expectPassed(flatMap(), ##"{"inputs": {"in": "1|", "request": []}, "expect": "#"}"##)
    }

    /// The address as it is written, then as it is requested, then the kind.
    @Test func addresses() throws {
        let written = #""https://u.example/${a}": "w""#
        let requested = #""https://u.example/1": "r", "https://u.example/b%20c": "s""#
        let kind = #""request": "k""#
        for (inputs, expected) in [
            ([written, requested, kind], "w-w-w---|"), ([requested, kind], "r-k-s---|"), ([kind], "k-k-k---|"),
        ] {
            try expectPassed(
                flatMap(),
                #"{"inputs": {"in": "1-2-'b c'---|", \#(inputs.joined(separator: ", "))}, "expect": "\#(expected)"}"#
            )
        }
    }

    /// An address fails in a test as in a hub.
    @Test func anAddressThatCannotBeRenderedFails() throws {
        let test = #"{"inputs": {"in": "x", "request": "a"}, "values": {"x": {"id": 7}}, "expect": "EXPECTED"}"#
        try expectPassed(flatMap("https://u.example/${a.id}"), test.replacing("EXPECTED", with: "a"))
        try expectPassed(flatMap("https://u.example/${a.name}"), test.replacing("EXPECTED", with: "#"))
    }

    @Test func responses() throws {
        let pipeline =
            #""source": {"ref": "in"}, "operators": [{"concatMap": {"to": {"request": {"url": "https://u.example/", "as": "response"}}}}, {"map": {"expression": "x.status"}}]"#
        try expectPassed(
            pipeline,
            #"{"inputs": {"in": "1-2|", "request": ["a", "b"]}, "values": {"a": {"status": 200, "headers": {}, "body": 1}, "b": {"status": 404, "headers": {}, "body": ""}, "x": 200, "y": 404}, "expect": "x-y|"}"#
        )
    }

    // MARK: Names

    /// A misspelled name is named where a test fails, and does no harm where it passes.
    @Test func anInputThatReplacesNothing() throws {
        let poll = #""source": {"poll": {"url": "https://p.example/", "seconds": 1}}"#
        let wrong = try outcome(poll, #"{"inputs": {"pol": "-a|"}, "expect": "-a|"}"#)
        #expect(!wrong.isPassed)
        #expect(wrong.report.contains(#"the input "pol" replaces nothing (did you mean "poll"?)"#), "\(wrong.report)")
        #expect(wrong.differences.first?.text.contains("did you mean") == true)
        try expectPassed(poll, #"{"inputs": {"poll": "-a|", "pol": "-b|"}, "expect": "-a|"}"#)
        let nothing = try outcome(#""source": {"values": [1]}"#, #"{"inputs": {"in": "|"}, "expect": "|"}"#)
        #expect(nothing.report.contains("the stream reads nothing of the outside world"), "\(nothing.report)")
    }

    /// The notes on inputs are those of a failure, and few.
    @Test func manyInputsThatReplaceNothing() throws {
        let poll = #""source": {"poll": {"url": "https://p.example/", "seconds": 1}}"#
        let unused = (10..<40).map { #""pol\#($0)": "-a|""# }.joined(separator: ", ")
        let passed = try outcome(poll, #"{"inputs": {"poll": "-a|", \#(unused)}, "expect": "-a|"}"#)
        #expect(passed.isPassed && passed.notes == [], "\(passed.report)")
        let failed = try outcome(poll, #"{"inputs": {"poll": "-a|", \#(unused)}, "expect": "-b|"}"#)
        #expect(!failed.isPassed && failed.notes.count == 11, "\(failed.notes)")
        #expect(failed.notes.first?.contains(#"the input "pol10" replaces nothing"#) == true, "\(failed.notes)")
        #expect(failed.notes.last == "20 more of the inputs replace nothing")
    }

    @Test func oneOfSeveralDiagramsCannotBeHot() throws {
        let error = #expect(throws: MarbleError.self) {
            try outcome(#""source": {"ref": "in"}"#, #"{"inputs": {"in": ["-^a"]}, "expect": "|"}"#)
        }
        #expect(error?.message.contains(#"the input "in", diagram 1"#) == true, "\(String(describing: error))")
    }

    // MARK: Every kind

    /// The arguments of each source, and of each sink.
    private static let sources: [String: JSON] = [
        "lines": "f.txt", "poll": ["url": "https://s.example/", "seconds": 5], "request": "https://s.example/",
        "events": "https://s.example/", "webhook": ["name": "w", "auth": "none"], "subscribe": "other",
        "subject": "orders.in",
        "outside": "sensor", "schedule": "*/5 * * * *", "values": [1, 2], "range": ["from": 1, "count": 2],
        "generate": ["initialValue": 1, "while": "x < 3", "next": "x + 1"], "empty": [:], "never": [:],
        "fail": ["message": "m"], "interval": ["seconds": 0.001], "timer": ["seconds": 0.001],
        "stream": [["value": 1]], "ref": "in", "marbles": ["text": "-a-b|", "frame": 0.001],
        "merge": [["ref": "in"]], "append": [["ref": "in"]], "zip": [["ref": "in"]], "combineLatest": [["ref": "in"]],
        "withLatestFrom": [["ref": "in"], ["values": [1]]], "race": [["ref": "in"]], "forkJoin": [["ref": "in"]],
        "sequenceEqual": [["ref": "in"], ["ref": "in"]], "onErrorResumeNext": [["ref": "in"]],
        "iif": ["condition": "true", "then": ["ref": "in"]], "defer": ["source": ["ref": "in"]],
    ]
    private static let sinks: [String: JSON] = [
        "post": ["url": "https://d.example/"], "lines": ["path": "f"], "publish": ["subject": "orders.out"],
        "outside": ["name": "desk"],
    ]

    private static let outside = "is of the outside world"

    /// A test can be written for every source and every sink; one for each new kind is required.
    @Test func everySourceMeetsEverySink() throws {
        #expect(SourceKind.all.filter { Self.sources[$0.name] == nil }.map(\.name) == [], "add arguments above")
        #expect(SinkKind.all.filter { Self.sinks[$0.name] == nil }.map(\.name) == [], "add arguments above")
        #expect(SinkKind.all.filter { $0.content == nil }.map(\.name) == [], "what does a test compare?")
        let input = StreamDocument(
            id: "in",
            pipeline: StreamPipeline(source: .values([1, 2]))
        )
        var isOutside: [String] = []
        for source in SourceKind.all {
            let arguments = try #require(Self.sources[source.name])
            for sink in SinkKind.all {
                let document = try StreamDocument(
                    parsing: JSON.object([
                        "source": [source.name: arguments], "operators": [["prefix": ["count": 2]]],
                        "sinks": [["id": "s", sink.name: Self.sinks[sink.name] ?? nil] as JSON],
                    ]).description
                )
                let library = StreamLibrary([input])
                let limit = StreamTime(nanoseconds: 20_000_000)
                let events = Array(try document.flow(in: library).virtualEvents(until: limit))
                var test = StreamTest()
                if case .failed(let error)? = events.last?.kind, error.message.contains(Self.outside) {
                    isOutside.append(source.name)
                    test.inputs = [source.name: "-ab|"]
                    test.delivers = ["s": source.name == "request" ? "-(a|)" : "-a(b|)"]
                } else {
                    test.delivers = ["s": try Marbles(events, frame: Marbles.defaultFrame, until: limit).text]
                }
                let outcome = try document.outcome(of: test, in: library)
                #expect(outcome.isPassed, "\(source.name), \(sink.name):\n\(outcome.report)")
            }
        }
        #expect(Set(isOutside) == ["lines", "poll", "request", "events", "webhook", "subject", "subscribe", "outside"])
    }

    /// An input replaces each source that reads the outside world, wherever it is, by its kind and by its own name.
    @Test(arguments: [
        #""source": SOURCE"#, #""source": {"merge": [{"never": {}}, SOURCE]}"#,
        #""source": {"iif": {"condition": "true", "then": SOURCE}}"#, #""source": {"defer": {"source": SOURCE}}"#,
        #""source": {"source": SOURCE, "operators": []}"#, #""source": {"race": [SOURCE]}"#,
        #""source": {"values": [1]}, "operators": [{"flatMap": {"to": SOURCE}}]"#,
        #""source": {"values": [1]}, "operators": [{"switchMap": {"to": {"merge": [SOURCE]}}}]"#,
        #""source": {"values": [1]}, "operators": [{"ignoreOutput": {}}, {"append": {"source": SOURCE}}]"#,
        #""source": {"never": {}}, "operators": [{"merge": {"source": SOURCE}}]"#, #""source": {"ref": "base"}"#,
    ]) func whereverItIs(_ pipeline: String) throws {
        for kind in SourceKind.outside + SourceKind.all.filter({ $0.name == "schedule" }) {
            let arguments = try #require(Self.sources[kind.name])
            let source = JSON.object([kind.name: arguments])
            let text = pipeline.replacing("SOURCE", with: source.description)
            let base = #"{"id": "base", "source": \#(source)}"#
            let own = arguments.string ?? arguments["url"]?.string ?? arguments["name"]?.string
            for name in [kind.name, try #require(own)] {
                // The end of a request is not that of a stream that never ends.
                let isEnded = kind.name == "request" && !pipeline.contains("never")
                let expected = isEnded ? "-(a|)" : "-a"
                let test = #"{"inputs": {\#(JSON.string(name)): "-a"}, "expect": "\#(expected)"}"#
                try expectPassed(text, test, [base])
            }
        }
    }
}
