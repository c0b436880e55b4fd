import SluiceJSON
import SluiceStreams
import Testing

/// The plan of an edit of a run: what the edit does, with the state that is there.
struct RunPlanTests {
    /// A run of a document, its plan to another, and what the edited run gives.
    private struct Edit {
        let plan: [String]
        let given: String

        init(_ old: String, at seconds: Double, to new: String, until end: Double = 20, others: [String] = []) throws {
            let library = StreamLibrary(try others.map { try StreamDocument(parsing: $0) })
            let run = try StreamRun(StreamDocument(parsing: old), in: library)
            run.advance(to: try #require(StreamTime(seconds: seconds)))
            let document = try StreamDocument(parsing: new)
            let before = run.checkpoint().text
            let plan = try run.plan(to: document)
            // A plan changes nothing, and says what is done.
            #expect(run.checkpoint().text == before)
            #expect(try run.edit(to: document) == plan)
            self.plan = plan.description.split(separator: "\n").map(String.init)
            run.advance(to: try #require(StreamTime(seconds: end)))
            var lines: [String] = []
            while let event = run.next() {
                switch event.kind {
                case .value(let value): lines.append("\(event.time):\(value)")
                case .completed: lines.append("\(event.time)|")
                case .failed(let error), .reported(let error): lines.append("\(event.time)#\(error)")
                }
            }
            run.close()
            given = lines.joined(separator: " ")
        }
    }

    private func edit(operators old: String, at seconds: Double, to new: String, until end: Double) throws -> Edit {
        let source = #"{"interval": {"seconds": 1}}"#
        return try Edit(
            #"{"source": \#(source), "operators": [\#(old)]}"#,
            at: seconds,
            to: #"{"source": \#(source), "operators": [\#(new)]}"#,
            until: end
        )
    }

    // MARK: Conditions

    /// A document whose source chooses between two intervals.
    private func choice(_ condition: String, then first: String = #"{"interval": {"seconds": 1}}"#) -> String {
        let second = #"{"source": {"interval": {"seconds": 2}}, "operators": [{"map": {"expression": "x + 100"}}]}"#
        return
            #"{"parameters": {"fast": true}, "source": {"iif": {"condition": "\#(condition)", "then": \#(first), "else": \#(second)}}}"#
    }

    @Test func aConditionThatChoosesTheOtherStreamIsReset() throws {
        let edit = try Edit(choice("1 > 0"), at: 2.5, to: choice("1 > 2"), until: 7)
        #expect(edit.given == "1:0 2:1 4.5:100 6.5:101")
        #expect(
            edit.plan == [
                #"reset  source.iif, the condition chooses "else": condition "1 > 0" → "1 > 2""#,
                "reset  source.iif.then.interval, with source.iif",
                "reset  source.iif.else.source.interval, with source.iif",
                "reset  source.iif.else.operators[0].map, with source.iif",
            ]
        )
    }

    @Test func aConditionThatChoosesTheSameStreamIsKept() throws {
        let edit = try Edit(choice("1 > 0"), at: 2.5, to: choice("2 > 0"), until: 4)
        #expect(edit.given == "1:0 2:1 3:2 4:3")
        #expect(edit.plan.first == #"keep   source.iif: condition "1 > 0" → "2 > 0""#)
    }

    @Test func aParameterChoosesAgain() throws {
        let old = choice("${fast}")
        let edit = try Edit(old, at: 2.5, to: old.replacing("true", with: "false"), until: 5)
        #expect(edit.given == "1:0 2:1 4.5:100")
        #expect(edit.plan.first?.hasPrefix(#"reset  source.iif, the condition chooses "else""#) == true)
    }

    @Test func aConditionThatFailsEndsTheStream() throws {
        let edit = try Edit(choice("1 > 0"), at: 2.5, to: choice("1 / 0 > 2"), until: 7)
        #expect(edit.given.hasPrefix("1:0 2:1 2.5#"))
        #expect(edit.plan.first?.hasPrefix("reset  source.iif, the condition fails: ") == true, "\(edit.plan)")
    }

    @Test func withoutTheOtherStreamItCompletes() throws {
        let old = #"{"source": {"iif": {"condition": "true", "then": {"interval": {"seconds": 1}}}}}"#
        let edit = try Edit(old, at: 2.5, to: old.replacing("true", with: "false"))
        #expect(edit.given == "1:0 2:1 2.5|")
    }

    /// The streams of items whose condition chooses as before continue.
    @Test func eachItemChoosesForItself() throws {
        func document(_ least: Int) -> String {
            #"""
            {"source": {"values": [1, 5, 7]}, "operators": [{"flatMap": {
                "to": {"iif": {"condition": "a > \#(least)", "then": {"timer": {"seconds": 10}}, "else": {"timer": {"seconds": 2}}}},
                "expression": "a"}}]}
            """#
        }
        let edit = try Edit(document(3), at: 1, to: document(6))
        #expect(edit.given == "2:1 3:5 10:7 10|")
        let step = "reset  operators[0].flatMap.to.iif, the condition chooses another stream for 1 of 3 items"
        #expect(edit.plan.contains { $0.hasPrefix(step) }, "\(edit.plan)")
    }

    /// Shared streams in the dropped stream end with it, and one that nothing reads after the edit stops.
    @Test func theOtherStreamTakesNoSharedStreamsAlong() throws {
        for sharing in ["share", "shareReplay"] {
            let inline = #"{"source": {"interval": {"seconds": 1}}, "operators": [{"\#(sharing)": {}}]}"#
            let edit = try Edit(choice("1 > 0", then: inline), at: 2.5, to: choice("1 > 2", then: inline), until: 7)
            #expect(edit.given == "1:0 2:1 4.5:100 6.5:101")
        }
        let shared = #"{"name": "d", "source": {"interval": {"seconds": 1}}, "operators": [{"share": {}}]}"#
        func document(_ condition: String) -> String {
            #"""
            {"source": {"iif": {"condition": "\#(condition)", "then": {"ref": "d"}, "else":
                {"source": {"timer": {"seconds": 2}}, "operators": [{"ignoreOutput": {}}, {"append": {"source": {"ref": "d"}}}]}}}}
            """#
        }
        let edit = try Edit(document("1 > 0"), at: 2.5, to: document("1 > 2"), until: 7, others: [shared])
        #expect(edit.given == "1:0 2:1 5.5:0 6.5:1")
    }

    @Test func withoutARunAConditionIsUntested() throws {
        let plan = StreamPlan(
            from: try StreamDocument(parsing: choice("1 > 0")),
            to: try StreamDocument(parsing: choice("1 > 2"))
        )
        #expect(plan.steps.first?.action == .kept && plan.steps.first?.notes == [.untested])
    }

    // MARK: Expressions that read a state

    @Test func anAccumulatorThatTheNewExpressionCannotTakeIsReset() throws {
        let edit = try edit(
            operators:
                #"{"id": "s", "map": {"expression": "dyn(x)"}}, {"scan": {"initialValue": {"n": 0}, "expression": "{'n': acc.n + x}"}}"#,
            at: 3.5,
            to:
                #"{"id": "s", "map": {"expression": "dyn(x)"}}, {"scan": {"initialValue": {"n": 0}, "expression": "{'n': acc.n + x, 'm': acc.missing}"}}"#,
            until: 3.6
        )
        #expect(edit.plan[2].hasPrefix("reset  operators[1].scan, the expression fails on its state: "), "\(edit.plan)")
    }

    @Test(arguments: ["scan", "reduce"])
    func anExpressionThatTakesTheStateIsKept(_ name: String) throws {
        let edit = try edit(
            operators: #"{"\#(name)": {"initialValue": 0, "expression": "acc + x"}}, {"prefix": {"count": 5}}"#,
            at: 3.5,
            to: #"{"\#(name)": {"initialValue": 0, "expression": "acc + 10 * x"}}, {"prefix": {"count": 5}}"#,
            until: 4
        )
        #expect(edit.plan[1] == #"keep   operators[0].\#(name): expression "acc + x" → "acc + 10 * x""#)
        if name == "scan" { #expect(edit.given == "1:0 2:1 3:3 4:33") }
    }

    @Test func whereNoItemWasSeenThePlanGoesByTypes() throws {
        let kept = try edit(
            operators: #"{"scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            at: 0.5,
            to: #"{"scan": {"initialValue": 0, "expression": "acc + 2 * x"}}"#,
            until: 2
        )
        #expect(kept.plan[1] == #"keep (untested) operators[0].scan: expression "acc + x" → "acc + 2 * x""#)
        let reset = try edit(
            operators: #"{"scan": {"initialValue": 0, "expression": "x > 1 ? acc : 'x'"}}"#,
            at: 0.5,
            to: #"{"scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            until: 2
        )
        #expect(reset.plan[1].hasPrefix("reset  operators[0].scan, the accumulator was of any type, is int"))
    }

    @Test func withoutARunThePlanSaysThatNothingWasTried() throws {
        let document = { (text: String) in
            try StreamDocument(
                parsing: #"{"source": {"values": [1]}, "operators": [{"scan": {"expression": "\#(text)"}}]}"#
            )
        }
        let plan = StreamPlan(from: try document("acc + x"), to: try document("acc - x"))
        #expect(plan.description.hasSuffix(#"keep (untested) operators[0].scan: expression "acc + x" → "acc - x""#))
    }

    @Test func theLatestValuesOfStreamsAreTriedToo() throws {
        let document = { (text: String) in
            #"""
            {"source": {"combineLatest": {"sources": [{"interval": {"seconds": 1}},
              {"source": {"timer": {"seconds": 1}}, "operators": [{"mapTo": {"value": "b"}}]}], "expression": "\#(text)"}}}
            """#
        }
        let failing = try Edit(document("[a, b]"), at: 2.5, to: document("[a, dyn(b) + 1]"), until: 2.6)
        #expect(failing.plan[0].hasPrefix("reset  source.combineLatest, the expression fails on its state: "))
        #expect(failing.plan.dropFirst().allSatisfy { !$0.hasPrefix("keep") }, "\(failing.plan)")
        let taking = try Edit(document("[a, b]"), at: 2.5, to: document("[b, a]"), until: 3)
        #expect(taking.given == #"1:[0,"b"] 2:[1,"b"] 3:["b",2]"#)
    }

    // MARK: Streams that are combined

    private func combined(_ name: String, _ sources: [String]) -> String {
        #"{"source": {"\#(name)": [\#(sources.joined(separator: ", "))]}}"#
    }

    private let one = #"{"interval": {"seconds": 1, "count": 4}}"#
    private let two =
        #"{"source": {"interval": {"seconds": 2, "count": 4}}, "operators": [{"id": "two", "map": {"expression": "x * 10"}}]}"#
    private let three =
        #"{"source": {"interval": {"seconds": 0.5, "count": 1}}, "operators": [{"id": "three", "map": {"expression": "x + 100"}}]}"#

    @Test func aSourceThatIsAddedKeepsTheStateOfTheOthers() throws {
        for new in [[one, two, three], [three, one, two], [two, three, one]] {
            let merge = try Edit(combined("merge", [one, two]), at: 2.5, to: combined("merge", new))
            let given = merge.given.split(separator: " ").sorted().joined(separator: " ")
            #expect(given == "1:0 2:0 2:1 3:100 3:2 4:10 4:3 6:20 8:30 8|")
            #expect(merge.plan.contains { $0.hasPrefix("keep   source.merge") })
            #expect(merge.plan.count { $0.hasPrefix("add ") } == 2)
            #expect(!merge.plan.contains { $0.hasPrefix("reset") || $0.hasPrefix("drop") }, "\(merge.plan)")
        }
        // Items that wait in a zip go on waiting: 1 of the first stream, none of the second.
        let zip = try Edit(combined("zip", [one, two]), at: 2.5, to: combined("zip", [one, three, two]))
        #expect(zip.given == "2:[0,0] 4:[1,100,10] 4|", "\(zip.given)")
        let latest = try Edit(
            combined("combineLatest", [one, two]),
            at: 2.5,
            to: combined("combineLatest", [three, two, one])
        )
        #expect(
            latest.given.hasPrefix("2:[0,0] 2:[1,0] 3:[100,0,") || latest.given.hasPrefix("2:[1,0] 3:[100,0,"),
            "\(latest.given)"
        )
    }

    @Test func asAnOperatorToo() throws {
        let document = { (sources: [String]) in
            #"{"source": \#(one), "operators": [{"id": "z", "zip": {"sources": [\#(sources.joined(separator: ", "))]}}]}"#
        }
        let zip = try Edit(document([two]), at: 2.5, to: document([three, two]))
        #expect(zip.given == "2:[0,0] 4:[1,100,10] 4|", "\(zip.given)")
        // From one "source" to "sources".
        let single = #"{"source": \#(one), "operators": [{"id": "z", "zip": {"source": \#(two)}}]}"#
        #expect(try Edit(single, at: 2.5, to: document([three, two])).given == zip.given)
    }

    @Test func aSourceThatIsDroppedLeavesTheOthers() throws {
        let merge = try Edit(combined("merge", [one, two, three]), at: 2.5, to: combined("merge", [two]))
        #expect(merge.given.hasSuffix("4:10 6:20 8:30 8|"), "\(merge.given)")
        #expect(merge.plan.suffix(3).allSatisfy { $0.hasPrefix("drop") }, "\(merge.plan)")
    }

    // MARK: What is lost

    @Test func operatorsWithinAreListedWithTheirStage() throws {
        let merge =
            #"{"id": "m", "merge": {"source": {"source": {"interval": {"seconds": 2}}, "operators": [{"id": "n", "scan": {"expression": "acc + x"}}]}}}"#
        #expect(
            try edit(operators: merge, at: 3.5, to: "", until: 3.6).plan == [
                "keep   source.interval", "drop   operators[0].merge (m)",
                "drop   operators[0].merge.source.source.interval",
                "drop   operators[0].merge.source.operators[0].scan (n)",
            ]
        )
        #expect(
            try edit(operators: merge, at: 3.5, to: #"{"id": "m", "count": {}}"#, until: 3.6).plan == [
                "keep   source.interval", "reset  operators[0].count (m), merge before",
                "drop   operators[0].merge.source.source.interval",
                "drop   operators[0].merge.source.operators[0].scan (n)",
            ]
        )
        #expect(
            try edit(operators: "", at: 3.5, to: merge, until: 3.6).plan == [
                "keep   source.interval", "add    operators[0].merge (m)",
                "add    operators[0].merge.source.source.interval",
                "add    operators[0].merge.source.operators[0].scan (n)",
            ]
        )
        let group = { (key: String) in
            #"{"groupBy": {"key": "\#(key)", "operators": [{"id": "c", "scan": {"expression": "acc + x"}}]}}"#
        }
        #expect(
            try edit(operators: group("x % 2"), at: 3.5, to: group("x % 3"), until: 3.6).plan == [
                "keep   source.interval",
                #"reset  operators[0].groupBy, key changed: key "x % 2" → "x % 3""#,
                "reset  operators[0].groupBy.operators[0].scan (c), with operators[0].groupBy",
            ]
        )
    }

    @Test func aReferenceWithAnotherParameterKeepsWhatItCan() throws {
        let other = #"""
            {"name": "o", "parameters": {"factor": 1, "count": 9}, "source": {"interval": {"seconds": 1}},
             "operators": [{"scan": {"initialValue": 0, "expression": "acc + x * ${factor}"}}, {"prefix": {"count": "${count}"}}]}
            """#
        let document = { (parameters: String) in
            #"{"source": {"ref": {"id": "o", "parameters": \#(parameters)}}}"#
        }
        let edit = try Edit(
            document(#"{"factor": 1}"#),
            at: 3.5,
            to: document(#"{"factor": 10, "count": 2}"#),
            others: [other]
        )
        #expect(
            edit.plan == [
                #"keep   source.ref: parameters {"factor":1} → {"factor":10,"count":2}"#,
                "keep   source.interval",
                #"keep   operators[0].scan: expression "acc + x * (1)" → "acc + x * (10)""#,
                "reset  operators[1].prefix, count changed: count 9 → 2",
            ]
        )
        #expect(edit.given == "1:0 2:1 3:3 4:33 5:73 5|")
    }

    @Test func thePlanOfAnEndedRunSaysThatNothingRuns() throws {
        let edit = try Edit(#"{"source": {"values": [1]}}"#, at: 1, to: #"{"source": {"values": [2]}}"#)
        #expect(edit.plan == ["nothing runs: the run has ended"])
        #expect(edit.given == "0:1 0|")
    }

    @Test func aStageThatHasEndedIsNamed() throws {
        let document = { (seconds: Int, more: String) in
            #"{"source": {"values": [1]}, "operators": [\#(more){"id": "d", "delay": {"seconds": \#(seconds)}}]}"#
        }
        #expect(
            try Edit(document(5, ""), at: 1, to: document(6, #"{"count": {}}, "#)).plan == [
                "keep   source.values (ended)", "add    operators[0].count (ended)",
                "keep   operators[1].delay (d): seconds 5 → 6",
            ]
        )
        let plan = try Edit(document(5, ""), at: 1, to: document(6, "")).plan
        #expect(plan == ["keep   source.values (ended)", "keep   operators[0].delay (d): seconds 5 → 6"])
    }

    // MARK: Time

    @Test func whatIsDueNowIsNamed() throws {
        let edit = try edit(
            operators: #"{"prefix": {"count": 1}}, {"debounce": {"seconds": 6}}, {"timeout": {"seconds": 60}}"#,
            at: 0.5,
            to: #"{"prefix": {"count": 1}}, {"debounce": {"seconds": 6}}, {"timeout": {"seconds": 0.25}}"#,
            until: 3
        )
        #expect(edit.plan.last == "keep   operators[2].timeout: seconds 60 → 0.25 (due now)")
        #expect(edit.given.hasPrefix("0.5#"))
        let later = try self.edit(
            operators: #"{"timeout": {"seconds": 60}}"#,
            at: 0.5,
            to: #"{"timeout": {"seconds": 0.75}}"#,
            until: 3
        )
        #expect(later.plan.last == "keep   operators[0].timeout: seconds 60 → 0.75")
        #expect(later.given.hasPrefix("0.75#"))
    }

    /// A stream that is added to a row has no value at first, whatever the first stream has given.
    @Test func aRowWaitsForAStreamThatIsAdded() throws {
        let edit = try edit(
            operators: #"{"withLatestFrom": {"sources": [{"values": [7]}]}}"#,
            at: 2.5,
            to: #"{"withLatestFrom": {"sources": [{"values": [7]}, {"timer": {"seconds": 2}}]}}"#,
            until: 5
        )
        #expect(edit.given == "1:[0,7] 2:[1,7] 5:[4,7,0]")
    }

    // MARK: Failures

    /// The second item after the edit fails on what the first made of the state.
    @Test func aFailureBecauseOfKeptStateOffersTheRollback() throws {
        let document = { (expression: String, revision: Int) in
            try StreamDocument(
                parsing: #"""
                    {"revision": \#(revision), "source": {"interval": {"seconds": 1}},
                     "operators": [{"scan": {"initialValue": 100, "expression": "\#(expression)"}}]}
                    """#
            )
        }
        let (old, new) = (try document("acc + x", 4), try document("acc == 106 ? acc / (x - 4) : acc + x", 5))
        let run = try StreamRun(old)
        run.advance(to: try #require(StreamTime(seconds: 3.5)))
        while run.next() != nil {}
        // 103 is kept, and fine with the last item, 2. The next item makes 106 of it, and the one after that divides it by 0.
        let plan = try run.edit(to: new)
        #expect(plan.keepsAll)
        #expect(run.rollback == nil)
        run.advance(to: try #require(StreamTime(seconds: 300)))
        var last: StreamEvent<JSON>?
        while let event = run.next() { last = event }
        guard case .failed(let error)? = last?.kind else { return #expect(Bool(false), "\(last as Any)") }
        #expect(error.message.hasSuffix("roll back to revision 4 to resume from before the edit"), "\(error)")
        let rollback = try #require(run.rollback)
        #expect(rollback.plan == plan)
        let resumed = try StreamRun(rollback.document, from: rollback.checkpoint)
        resumed.advance(to: try #require(StreamTime(seconds: 4)))
        #expect(resumed.next()?.value == 106)
    }

    /// A stage with a kept state is not the cause of a failure of a stream within it.
    @Test func aFailureWithinAStreamOfAStageIsNotExplained() throws {
        let document = { (operators: String) in
            try StreamDocument(
                parsing: #"""
                    {"source": {"interval": {"seconds": 1}}, "operators": [\#(operators){"withLatestFrom": {
                        "source": {"source": {"never": {}}, "operators": [{"timeout": {"seconds": 3}}]},
                        "expression": "a > b ? a : b"}}]}
                    """#
            )
        }
        let run = try StreamRun(document(""))
        run.advance(to: try #require(StreamTime(seconds: 1.5)))
        #expect(try run.edit(to: document(#"{"delay": {"seconds": 1}}, "#)).keepsAll == false)
        run.advance(to: try #require(StreamTime(seconds: 5)))
        var last: StreamEvent<JSON>?
        while let event = run.next() { last = event }
        guard case .failed(let error)? = last?.kind else { return #expect(Bool(false), "\(last as Any)") }
        #expect(error.message == "nothing came within 3 seconds")
        #expect(run.rollback == nil)
    }
}
