import SluiceJSON
import Testing

@testable import SluiceStreams

/// Returns the text of a plan for two revisions.
struct StreamPlanTests {
    private func plan(_ old: String, _ new: String) throws -> [String] {
        let plan = try StreamPlan(from: StreamDocument(parsing: old), to: StreamDocument(parsing: new))
        return plan.description.split(separator: "\n").map(String.init)
    }

    private func operators(_ old: String, _ new: String) throws -> [String] {
        let source = #"{"interval": {"seconds": 1}}"#
        return try plan(
            #"{"source": \#(source), "operators": [\#(old)]}"#,
            #"{"source": \#(source), "operators": [\#(new)]}"#
        ).filter { $0 != "keep   source.interval" }
    }

    @Test func theSameIsKept() throws {
        let text = #"{"source": {"interval": {"seconds": 1}}, "operators": [{"delay": {"seconds": 1}}]}"#
        #expect(try plan(text, text) == ["keep   source.interval", "keep   operators[0].delay"])
        let document = try StreamDocument(parsing: text)
        #expect(StreamPlan(from: document, to: document).isEmpty)
    }

    @Test func parametersThatLeaveTheStateItsMeaningChange() throws {
        #expect(
            try operators(
                #"{"id": "d", "delay": {"seconds": 1}}, {"filter": {"expression": "x > 1"}}"#,
                #"{"id": "d", "delay": {"seconds": 2}}, {"filter": {"expression": "x > 2"}}"#
            ) == [
                "keep   operators[0].delay (d): seconds 1 → 2",
                #"keep   operators[1].filter: expression "x > 1" → "x > 2""#,
            ]
        )
    }

    @Test(arguments: [
        (#"{"prefix": {"count": 1}}"#, #"{"prefix": {"count": 2}}"#, "prefix, count changed: count 1 → 2"),
        (
            #"{"scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            #"{"scan": {"initialValue": 1, "expression": "acc + x"}}"#,
            "scan, initialValue changed: initialValue 0 → 1"
        ),
        (
            #"{"scan": {"initialValue": 0, "expression": "x > 1 ? acc : 'x'"}}"#,
            #"{"scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            #"scan, the accumulator was of any type, is int: expression "x > 1 ? acc : 'x'" → "acc + x""#
        ),
    ])
    func othersReset(_ old: String, _ new: String, _ line: String) throws {
        #expect(try operators(old, new) == ["reset  operators[0].\(line)"])
    }

    /// The streams of `mergeScan` and `switchScan` see what the initial value has become, as `scan` does.
    @Test func everyInitialValueResets() throws {
        let kinds = OperatorKind.all.filter { $0.parameters.contains { $0.name == "initialValue" } }
        #expect(kinds.count >= 4)
        for kind in kinds {
            let parameter = try #require(kind.parameters.first { $0.name == "initialValue" })
            #expect(Compatibility.resets(parameter, .json(0), .json(1)), "\(kind.name)")
        }
        for name in ["mergeScan", "switchScan"] {
            let text = { (value: Int) in
                #"{"\#(name)": {"initialValue": \#(value), "to": {"timer": {"seconds": 1}}}}"#
            }
            #expect(
                try operators(text(0), text(1)).first
                    == "reset  operators[0].\(name), initialValue changed: initialValue 0 → 1"
            )
        }
    }

    /// A source of the outside world begins again if any of its arguments changes, since it goes on with the old ones.
    @Test func everyArgumentOfAnOutsideSourceResets() {
        for kind in SourceKind.outside {
            for parameter in kind.parameters where !Self.kept.contains("\(kind.name).\(parameter.name)") {
                let resets = Compatibility.resets(parameter, ofSource: kind.name, .json(0), .json(1))
                #expect(resets, "\(kind.name).\(parameter.name)")
            }
        }
    }

    /// The arguments that matter after a failure only, and are taken up when the run resumes.
    private static let kept: Set = ["subscribe.missing"]

    /// Windows that no longer slide are reset, because several may be open.
    @Test func windowsMayBeginToSlide() throws {
        let (plain, sliding) = (#"{"windowTime": {"seconds": 4}}"#, #"{"windowTime": {"seconds": 4, "every": 2}}"#)
        #expect(try operators(plain, sliding).first?.hasPrefix("keep   operators[0].windowTime: every") == true)
        #expect(try operators(sliding, plain).first?.hasPrefix("reset  operators[0].windowTime, every changed") == true)
    }

    @Test func aStreamThatIsCombinedMayMove() throws {
        #expect(
            try operators(
                #"{"merge": {"source": {"ref": "a"}}}"#,
                #"{"merge": {"sources": [{"ref": "b"}, {"ref": "a"}]}}"#
            ) == [
                "keep   operators[0].merge", "add    operators[0].merge.sources[0].ref",
                "keep   operators[0].merge.sources[1].ref",
            ]
        )
        #expect(
            try operators(
                #"{"race": {"source": {"ref": "a"}}}"#,
                #"{"race": {"sources": [{"ref": "b"}, {"ref": "a"}]}}"#
            ) == [
                #"reset  operators[0].race, source changed: source {"ref":"a"} → none, sources none → [{"ref":"b"},{"ref":"a"}]"#,
                "add    operators[0].race.sources[0].ref", "add    operators[0].race.sources[1].ref",
                "drop   operators[0].race.source.ref",
            ]
        )
    }

    @Test func aKindThatChangesResets() throws {
        #expect(
            try operators(#"{"id": "a", "count": {}}"#, #"{"id": "a", "collect": {}}"#)
                == ["reset  operators[0].collect (a), count before"]
        )
    }

    @Test func operatorsAreMatchedByTheirIds() throws {
        #expect(
            try operators(
                #"{"id": "a", "delay": {"seconds": 1}}, {"id": "b", "delay": {"seconds": 2}}, {"count": {}}"#,
                #"{"id": "b", "delay": {"seconds": 2}}, {"id": "a", "delay": {"seconds": 1}}, {"id": "c", "count": {}}"#
            ) == [
                "keep   operators[0].delay (b)",
                "keep   operators[1].delay (a), moved from operators[0].delay",
                "keep   operators[2].count (c)",
            ]
        )
    }

    @Test func withoutIdsTheyAreMatchedByKindAndOrder() throws {
        #expect(
            try operators(
                #"{"delay": {"seconds": 1}}, {"share": {}}, {"delay": {"seconds": 2}}"#,
                #"{"count": {}}, {"delay": {"seconds": 1}}, {"delay": {"seconds": 3}}"#
            ) == [
                "add    operators[0].count", "keep   operators[1].delay", "drop   operators[1].share",
                "keep   operators[2].delay: seconds 2 → 3",
            ]
        )
    }

    @Test func whatIsDisabledIsNotThere() throws {
        #expect(
            try operators(#"{"count": {}}"#, #"{"disabled": true, "count": {}}"#) == ["drop   operators[0].count"]
        )
        #expect(
            try operators(#"{"disabled": true, "count": {}}"#, #"{"count": {}}"#) == ["add    operators[0].count"]
        )
    }

    @Test func streamsWithinAreComparedToo() throws {
        #expect(
            try operators(
                #"{"flatMap": {"to": {"source": {"timer": {"seconds": 1}}, "operators": [{"count": {}}]}}}"#,
                #"{"flatMap": {"to": {"source": {"timer": {"seconds": 2}}, "operators": [{"share": {}}]}}}"#
            ) == [
                "keep   operators[0].flatMap",
                "keep   operators[0].flatMap.to.source.timer: seconds 1 → 2",
                "drop   operators[0].flatMap.to.operators[0].count",
                "add    operators[0].flatMap.to.operators[0].share",
            ]
        )
        #expect(
            try operators(
                #"{"groupBy": {"key": "x", "operators": [{"count": {}}]}}"#,
                #"{"groupBy": {"key": "x", "operators": [{"share": {}}, {"count": {}}]}}"#
            ) == [
                "keep   operators[0].groupBy", "add    operators[0].groupBy.operators[0].share",
                "keep   operators[0].groupBy.operators[1].count",
            ]
        )
    }

    @Test func itemsAreNamedByTheirIndex() throws {
        #expect(
            try plan(
                #"{"stream": [{"value": 1}, {"value": 2}]}"#,
                #"{"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}]}, {"value": 2}, {"value": 3}]}"#
            ) == [
                #"keep   stream: [0] {"value":1,"operators":[]} → {"value":1,"operators":[{"delay":{"seconds":1}}]}, "#
                    + #"[2] none → {"value":3,"operators":[]}"#
            ]
        )
    }

    @Test func streamsThatAreReferredToAreComparedWhereTheyAreKnown() throws {
        let document = try StreamDocument(parsing: #"{"source": {"ref": "a"}}"#)
        let old = try StreamDocument(parsing: #"{"name": "a", "source": {"interval": {"seconds": 1}}}"#)
        let new = try StreamDocument(parsing: #"{"name": "a", "source": {"interval": {"seconds": 2}}}"#)
        #expect(StreamPlan(from: document, to: document).description == "keep   source.ref")
        let plan = StreamPlan(from: document, in: StreamLibrary([old]), to: document, in: StreamLibrary([new]))
        #expect(plan.description == "keep   source.ref\nkeep   source.interval: seconds 1 → 2")
    }

    @Test func parametersOfTheDocumentArePutIn() throws {
        let document = { (low: Int, count: Int) in
            #"""
            {"parameters": {"low": \#(low), "count": \#(count)}, "source": {"interval": {"seconds": 1}},
             "operators": [{"filter": {"expression": "x > ${low}"}}, {"prefix": {"count": "${count}"}}]}
            """#
        }
        #expect(
            try plan(document(1, 5), document(2, 6)) == [
                "keep   source.interval",
                #"keep   operators[0].filter: expression "x > (1)" → "x > (2)""#,
                "reset  operators[1].prefix, count changed: count 5 → 6",
            ]
        )
    }

    /// A parameter is found wherever a document may use it: an edit of its value reaches what uses it.
    @Test(arguments: [
        (#"{"request": "https://x.example/${p}"}"#, "source.request, url changed"),
        (#"{"request": "https://x.example/${ p }"}"#, "source.request, url changed"),
        (#"{"poll": {"url": "https://x.example/", "seconds": 1, "headers": {"A": "${p}"}}}"#, "headers changed"),
        (#"{"poll": {"url": "https://x.example/", "seconds": 1, "headers": {"A": "k ${ p}"}}}"#, "headers changed"),
        (#"{"events": {"url": "https://x.example/", "headers": {"A": "${p}"}}}"#, "headers changed"),
        (#"{"poll": {"url": "https://x.example/", "seconds": 1, "body": "${p}"}}"#, "body changed"),
        (#"{"poll": {"url": "https://x.example/", "seconds": 1, "body": {"a": [{"b": "${p}"}]}}}"#, "body changed"),
        (#"{"poll": {"url": "https://x.example/", "seconds": 1, "body": {"a": "${${p} + 'x'}"}}}"#, "body changed"),
        (#"{"values": ["${p}"]}"#, #"values ["a"] → ["b"]"#),
        (#"{"values": [["${p}"]]}"#, #"values [["a"]] → [["b"]]"#),
    ])
    func aParameterIsFoundWhereverItIs(_ source: String, _ line: String) throws {
        let document = { (value: String) in #"{"parameters": {"p": "\#(value)", "q": 1}, "source": \#(source)}"# }
        #expect(throws: Never.self) { try StreamDocument(parsing: document("a")).flow() }
        let given = try plan(document("a"), document("b"))
        #expect(given.count == 1 && given[0].contains(line), "\(given)")
        #expect(try plan(document("a"), document("a").replacing("\"q\": 1", with: "\"q\": 2"))[0].hasPrefix("keep"))
    }

    @Test func isCodable() throws {
        let old = try StreamDocument(parsing: #"{"source": {"values": [1]}, "operators": [{"count": {}}]}"#)
        let new = try StreamDocument(parsing: #"{"source": {"values": [2]}, "operators": [{"share": {}}]}"#)
        let plan = StreamPlan(from: old, to: new)
        let text = try SluiceJSONEncoder().text(plan)
        #expect(try SluiceJSONDecoder().decode(StreamPlan.self, from: text) == plan)
        #expect(plan.steps.map(\.action) == [.kept, .dropped, .added])
        #expect(!plan.keepsAll)
    }
}
