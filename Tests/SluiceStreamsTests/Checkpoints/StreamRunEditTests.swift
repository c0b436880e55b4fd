import SluiceJSON
import SluiceStreams
import Testing

/// Edits of a run between two items.
struct StreamRunEditTests {
    /// Returns the events of a document that is edited at a time, in lines of `time:value`; `|` is the completion.
    private func edited(
        _ old: String,
        at seconds: Double,
        to new: String,
        until end: Double = 20,
        others: [String] = [],
        throughText: Bool = true
    ) throws -> String {
        let library = StreamLibrary(try others.map { try StreamDocument(parsing: $0) })
        let before = try StreamDocument(parsing: old)
        var run = try StreamRun(before, in: library)
        var lines: [String] = []
        func take(_ run: StreamRun) {
            while let event = run.next() {
                switch event.kind {
                case .value(let value): lines.append("\(event.time):\(value)")
                case .completed: lines.append("\(event.time)|")
                case .failed(let error), .reported(let error): lines.append("\(event.time)#\(error)")
                }
            }
        }
        run.advance(to: try #require(StreamTime(seconds: seconds)))
        take(run)
        try run.edit(to: StreamDocument(parsing: new))
        take(run)
        if throughText {
            // What an edit has made can be saved too.
            let text = run.checkpoint().text
            run = try StreamRun(StreamDocument(parsing: new), from: StreamCheckpoint(parsing: text), in: library)
            #expect(run.checkpoint().text == text)
        }
        run.advance(to: try #require(StreamTime(seconds: end)))
        take(run)
        run.close()
        return lines.joined(separator: " ")
    }

    private func edited(operators old: String, at seconds: Double, to new: String, until end: Double) throws -> String {
        let source = #"{"interval": {"seconds": 1}}"#
        return try edited(
            #"{"source": \#(source), "operators": [\#(old)]}"#,
            at: seconds,
            to: #"{"source": \#(source), "operators": [\#(new)]}"#,
            until: end
        )
    }

    /// A shared stream that has ended and is replayed is available after an edit for late subscribers.
    @Test func whatHasEndedIsReplayedAfterAnEdit() throws {
        let two = #"""
            {"name": "two", "source": {"interval": {"seconds": 1}}, "operators": [{"take": {"count": 2}}, {"shareReplay": {}}]}
            """#
        func document(_ operators: String) -> String {
            let later = #"{"source": {"timer": {"seconds": 10}}, "operators": [{"mergeMap": {"to": {"ref": "two"}}}]}"#
            return #"{"source": {"merge": [{"ref": "two"}, \#(later)]}, "operators": [\#(operators)]}"#
        }
        let given = try edited(
            document(""),
            at: 5,
            to: document(#"{"map": {"expression": "x * 10"}}"#),
            others: [two]
        )
        #expect(given == "1:0 2:1 10:0 10:10 10|")
    }

    @Test func anAccumulatorGoesOn() throws {
        let given = try edited(
            operators: #"{"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            at: 3.5,
            to:
                #"{"map": {"expression": "x * 10"}}, {"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            until: 5
        )
        #expect(given == "1:0 2:1 3:3 4:33 5:73")
    }

    @Test func anAccumulatorWithAnotherStartBeginsAfresh() throws {
        let given = try edited(
            operators: #"{"id": "sum", "scan": {"initialValue": 0, "expression": "acc + x"}}"#,
            at: 3.5,
            to: #"{"id": "sum", "scan": {"initialValue": 100, "expression": "acc + x"}}"#,
            until: 5
        )
        #expect(given == "1:0 2:1 3:3 4:103 5:107")
    }

    @Test func whatADelayHoldsMovesWithIt() throws {
        let given = try edited(
            operators: #"{"delay": {"seconds": 2}}"#,
            at: 2.5,
            to: #"{"delay": {"seconds": 0.25}}"#,
            until: 5
        )
        #expect(given == "2.5:0 2.5:1 3.25:2 4.25:3")
    }

    @Test func whatIsDroppedTakesWhatItHolds() throws {
        let given = try edited(operators: #"{"delay": {"seconds": 2}}"#, at: 2.5, to: "", until: 5)
        #expect(given == "3:2 4:3 5:4")
    }

    @Test func whatIsAddedBeginsNow() throws {
        let given = try edited(
            operators: "",
            at: 2.5,
            to: #"{"prepend": {"values": ["new"]}}, {"prefix": {"count": 3}}"#,
            until: 9
        )
        #expect(given == #"1:0 2:1 2.5:"new" 3:2 4:3 4|"#)
    }

    @Test func movedOperatorsKeepTheirStates() throws {
        let given = try edited(
            operators:
                #"{"id": "a", "scan": {"expression": "acc + x"}}, {"id": "b", "map": {"expression": "i * 100 + x"}}"#,
            at: 3.5,
            to: #"{"id": "b", "map": {"expression": "i * 100 + x"}}, {"id": "a", "scan": {"expression": "acc + x"}}"#,
            until: 4
        )
        #expect(given == "1:0 2:101 3:203 4:306")
    }

    @Test func aSourceOfAnotherKindBeginsNow() throws {
        let given = try edited(
            #"{"source": {"interval": {"seconds": 1}}, "operators": [{"scan": {"expression": "acc + x"}}]}"#,
            at: 3.5,
            to: #"{"source": {"values": [10, 20]}, "operators": [{"scan": {"expression": "acc + x"}}]}"#
        )
        #expect(given == "1:0 2:1 3:3 3.5:13 3.5:33 3.5|")
    }

    @Test func aStreamWhoseLastStageIsDroppedCompletes() throws {
        let old = #"{"source": {"values": [1]}, "operators": [{"delay": {"seconds": 5}}]}"#
        let new = #"{"source": {"values": [1]}}"#
        #expect(try edited(old, at: 1, to: new) == "1|")
        let counted = #"{"source": {"values": [1]}, "operators": [{"delay": {"seconds": 5}}, {"count": {}}]}"#
        #expect(
            try edited(counted, at: 1, to: #"{"source": {"values": [1]}, "operators": [{"count": {}}]}"#) == "1:0 1|"
        )
    }

    @Test func anEndedInputStaysEnded() throws {
        let old = #"{"source": {"values": [1]}, "operators": [{"id": "d", "delay": {"seconds": 5}}]}"#
        let new = #"""
            {"source": {"interval": {"seconds": 1}}, "operators": [{"share": {}}, {"id": "d", "delay": {"seconds": 5}}]}
            """#
        #expect(try edited(old, at: 1, to: new) == "5:1 5|")
    }

    // MARK: Streams within

    @Test func theStreamsOfItemsGoOn() throws {
        let inner = { (operators: String) in
            #"{"source": {"interval": {"seconds": 2, "count": 3}}, "operators": [\#(operators)]}"#
        }
        let document = { (operators: String) in
            #"{"source": {"values": [1, 2]}, "operators": [{"flatMap": {"to": \#(inner(operators)), "expression": "a * 10 + x"}}]}"#
        }
        #expect(
            try edited(document(""), at: 3, to: document(#"{"map": {"expression": "x + 5"}}"#))
                == "2:10 2:20 4:16 4:26 6:17 6:27 6|"
        )
    }

    @Test func groupsGoOn() throws {
        let document = { (operators: String) in
            #"""
            {"source": {"interval": {"seconds": 1, "count": 6}},
             "operators": [{"groupBy": {"key": "x % 2", "operators": [\#(operators)]}}]}
            """#
        }
        #expect(
            try edited(
                document(#"{"scan": {"expression": "acc + x"}}"#),
                at: 4,
                to: document(#"{"scan": {"expression": "acc + x"}}, {"map": {"expression": "-x"}}"#)
            ) == "1:[0,0] 2:[1,1] 3:[0,2] 4:[1,4] 5:[0,-6] 6:[1,-9] 6|"
        )
    }

    @Test func oneOfSeveralStreamsChanges() throws {
        let document = { (second: String) in
            #"{"source": {"merge": [{"interval": {"seconds": 2, "count": 3}}, \#(second)]}}"#
        }
        #expect(
            try edited(document(#"{"timer": {"seconds": 9}}"#), at: 3, to: document(#"{"values": ["a"]}"#))
                == #"2:0 3:"a" 4:1 6:2 6|"#
        )
    }

    @Test func whatIsSharedGoesOnWithItsInput() throws {
        let document = { (operators: String) in
            #"{"source": {"interval": {"seconds": 1, "count": 5}}, "operators": [{"scan": {"expression": "acc + x"}}\#(operators)]}"#
        }
        let plain = "1:0 2:1 3:3 4:6 5:10 5|"
        #expect(try edited(document(""), at: 3.5, to: document(#", {"share": {}}"#)) == plain)
        #expect(try edited(document(#", {"share": {}}"#), at: 3.5, to: document("")) == plain)
        #expect(
            try edited(
                document(#", {"share": {}}"#),
                at: 3.5,
                to: document(#", {"filter": {"expression": "true"}}, {"share": {}}"#)
            )
                == plain
        )
        #expect(
            try edited(
                document(#", {"shareReplay": {}}"#),
                at: 3.5,
                to: document(#", {"share": {}}, {"shareReplay": {}}"#)
            )
                == plain
        )
    }

    // MARK: Items

    private func items(_ delays: [Double]) -> String {
        let items = delays.enumerated().map { index, delay in
            #"{"value": \#(index), "operators": [{"delay": {"seconds": \#(delay)}}]}"#
        }
        return #"{"stream": [\#(items.joined(separator: ", "))]}"#
    }

    @Test func theArmedItemCountsFromItsArming() throws {
        // Item 1 is armed at 2; an item before it changes nothing.
        #expect(try edited(items([2, 4, 1]), at: 3, to: items([9, 4, 1])) == "2:0 6:1 7:2 7|")
        #expect(try edited(items([2, 4, 1]), at: 3, to: items([2, 5, 1])) == "2:0 7:1 8:2 8|")
        #expect(try edited(items([2, 4, 1]), at: 3, to: items([2, 1.5, 1])) == "2:0 3.5:1 4.5:2 4.5|")
    }

    @Test func anOverdueItemComesNow() throws {
        #expect(try edited(items([2, 4, 1]), at: 3, to: items([2, 0.5, 1])) == "2:0 3:1 4:2 4|")
        #expect(try edited(items([2, 4, 1]), at: 3, to: items([2, 0, 1])) == "2:0 3:1 4:2 4|")
    }

    @Test func itemsMayBeRemovedAndAdded() throws {
        #expect(try edited(items([2, 4, 1]), at: 3, to: items([2])) == "2:0 3|")
        #expect(try edited(items([2, 4]), at: 3, to: items([2, 4, 3])) == "2:0 6:1 9:2 9|")
    }

    @Test func otherOperatorsOfTheArmedItemCountFromItsArmingToo() throws {
        let item = { (operators: String) in #"{"stream": [{"value": 7, "operators": [\#(operators)]}, {"value": 8}]}"# }
        let delay = item(#"{"delay": {"seconds": 5}}"#)
        #expect(
            try edited(delay, at: 1, to: item(#"{"delay": {"seconds": 4}}, {"map": {"expression": "x * 2"}}"#))
                == "4:14 4:8 4|"
        )
        #expect(
            try edited(delay, at: 2, to: item(#"{"map": {"expression": "x * 2"}}, {"delay": {"seconds": 1}}"#))
                == "2:14 2:8 2|"
        )
        #expect(try edited(delay, at: 2, to: item(#"{"filter": {"expression": "x > 9"}}"#)) == "2:8 2|")
        let mapped = item(#"{"map": {"expression": "x + 1"}}, {"delay": {"seconds": 5}}"#)
        #expect(try edited(mapped, at: 2, to: delay) == "5:7 5:8 5|")
        #expect(try edited(mapped, at: 2, to: mapped) == "5:8 5:8 5|")
    }

    // MARK: What is refused

    @Test func aDocumentThatDoesNotCheckLeavesTheOldOneRunning() throws {
        let document = try StreamDocument(parsing: #"{"source": {"interval": {"seconds": 1}}}"#)
        let run = try StreamRun(document)
        run.advance(to: try #require(StreamTime(seconds: 1.5)))
        let broken = StreamDocument(
            pipeline: StreamPipeline(source: .reference("nobody"), operators: [.filter("x >")])
        )
        #expect(throws: JSONErrors.self) { try run.edit(to: broken) }
        run.advance(to: try #require(StreamTime(seconds: 2)))
        #expect(run.next()?.value == 0)
        #expect(run.next()?.value == 1)
        #expect(run.document == document)
    }

    @Test func anEditBeforeTheStartIsAnotherStart() throws {
        let run = try StreamRun(StreamDocument(parsing: #"{"source": {"values": [1]}}"#))
        try run.edit(to: StreamDocument(parsing: #"{"source": {"values": [2]}}"#))
        run.advance(to: .zero)
        #expect(run.next()?.value == 2)
    }

    @Test func anEndedRunStaysEnded() throws {
        let run = try StreamRun(StreamDocument(parsing: #"{"source": {"values": [1]}}"#))
        run.advance(to: .zero)
        try run.edit(to: StreamDocument(parsing: #"{"source": {"values": [2]}}"#))
        #expect(run.isEnded)
        #expect(run.next()?.value == 1)
        #expect(run.next()?.isLast == true)
        #expect(run.next() == nil)
    }
}
