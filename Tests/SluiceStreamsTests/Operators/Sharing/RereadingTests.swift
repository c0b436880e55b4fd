import SluiceJSON
import SluiceStreams
import Testing

/// A shared stream that a subscriber leaves and reads again within one step starts again.
struct RereadingTests {
    /// The ways to read a stream again when it ends, as documents that read the stream `shared`.
    static let cases: [(document: String, output: String)] = [
        (
            #"{"source": {"ref": "shared"}, "operators": [{"prefix": {"count": 1}}, {"repeat": {"count": 3}}]}"#,
            "-11(1|)"
        ),
        (
            #"""
            {"source": {"ref": "shared"}, "operators": [
                {"prefix": {"count": 1}}, {"append": {"source": {"ref": "shared"}}}
            ]}
            """#, "-11-2-3|"
        ),
        (
            #"""
            {"source": {"append": [
                {"source": {"ref": "shared"}, "operators": [{"first": {}}]}, {"ref": "shared"}
            ]}}
            """#, "-11-2-3|"
        ),
        (
            #"""
            {"source": {"ref": "shared"}, "operators": [
                {"prefix": {"count": 1}}, {"prepend": {"source": {
                    "source": {"ref": "shared"}, "operators": [{"prefixWhile": {"expression": "x < 2"}}]
                }}}
            ]}
            """#, "-1--(1|)"
        ),
        (
            #"""
            {"source": {"values": [7, 8]}, "operators": [
                {"concatMap": {"to": {"source": {"ref": "shared"}, "operators": [{"outputAt": {"index": 0}}]}}}
            ]}
            """#, "-1(1|)"
        ),
        (
            #"""
            {"source": {"values": [7, 8, 9]}, "operators": [
                {"flatMap": {"to": {"source": {"ref": "shared"}, "operators": [{"prefix": {"count": 1}}]},
                             "concurrency": 1}}
            ]}
            """#, "-11(1|)"
        ),
        (
            #"""
            {"source": {"merge": {"concurrency": 1, "sources": [
                {"source": {"ref": "shared"}, "operators": [{"prefix": {"count": 1}}]}, {"ref": "shared"}
            ]}}}
            """#, "-11-2-3|"
        ),
        (
            #"""
            {"source": {"ref": "shared"}, "operators": [
                {"map": {"expression": "6 / (2 - x)"}}, {"retry": {"count": 1}}
            ]}
            """#, "-6--6-#"
        ),
        (
            #"""
            {"source": {"ref": "shared"}, "operators": [
                {"map": {"expression": "6 / (2 - x)"}}, {"catch": {"source": {"ref": "shared"}}}
            ]}
            """#, "-6--1-2-3|"
        ),
        (
            #"""
            {"source": {"onErrorResumeNext": [
                {"source": {"ref": "shared"}, "operators": [{"map": {"expression": "6 / (2 - x)"}}]},
                {"ref": "shared"}
            ]}}
            """#, "-6--1-2-3|"
        ),
        (
            #"""
            {"source": {"stream": [
                {"value": 0, "operators": [
                    {"flatMap": {"to": {"ref": "shared"}}}, {"prefix": {"count": 1}}
                ]},
                {"value": 0, "operators": [{"flatMap": {"to": {"ref": "shared"}}}]}
            ]}}
            """#, "-11-2-3|"
        ),
    ]

    @Test(arguments: cases.indices, [#"{"share": {}}"#, #"{"shareReplay": {"bufferSize": 1, "refCount": true}}"#])
    func startsAgain(_ index: Int, _ sharing: String) throws {
        let (text, output) = Self.cases[index]
        var library = StreamLibrary()
        let source = #"{"marbles": {"text": "-1-2-3|", "frame": 1}}"#
        library.add(
            try StreamDocument(parsing: #"{"name": "shared", "source": \#(source), "operators": [\#(sharing)]}"#)
        )
        let events = Array(try StreamDocument(parsing: text).virtualEvents(in: library))
        let expected = try Marbles(parsing: output, frame: #require(StreamTime(seconds: 1)))
        let given = try? Marbles(events, frame: StreamTime(seconds: 1)).text
        #expect(areAlike(expected.events, events), "\(text): expected \(output), got \(given ?? "\(events)")")
    }
}
