import SluiceJSON
import SluiceStreams
import Testing

/// Returns the events of two subscribers to one shared stream, the second from a second on.
func expectShared(
    _ source: String,
    _ operators: String,
    first: String = "[]",
    second: String = "[]",
    from time: Int = 0,
    gives output: String,
    leaving: Double? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    var library = StreamLibrary()
    library.add(try Diagram.document("input", source))
    library.add(
        try StreamDocument(parsing: #"{"name": "shared", "source": {"ref": "input"}, "operators": \#(operators)}"#)
    )
    let late = """
        {"source": {"timer": {"seconds": \(time)}}, "operators": [
            {"flatMap": {"to": {"source": {"ref": "shared"}, "operators": \(second)}}}]}
        """
    let document = try StreamDocument(
        parsing: #"{"source": {"merge": [{"source": {"ref": "shared"}, "operators": \#(first)}, \#(late)]}}"#
    )
    let expected = try Marbles(parsing: output, frame: StreamTime(seconds: 1) ?? .zero)
    var events = Array(try document.virtualEvents(until: StreamTime(seconds: leaving ?? 1000), in: library))
    if let leaving { events.removeAll { $0.time.seconds >= leaving } }
    #expect(areAlike(expected.events, events), "got \(text(events))", sourceLocation: sourceLocation)
}

@Suite struct ShareTests {
    let tens = #"[{"map": {"expression": "x * 10"}}]"#
    let share = #"[{"share": {}}]"#

    @Test func joins() throws {
        try expectShared("-1-2----|", share, second: tens, from: 2, gives: "-1-(2'20')-|")
        try expectShared("-1-2---#", share, second: tens, from: 2, gives: "-1-(2'20')#")
        try expectShared("-1-2---#", share, second: tens, from: 2, gives: "-1-", leaving: 3)
    }

    @Test func startsAfreshAfterTheEnd() throws {
        try expectShared("-1|", share, second: tens, from: 5, gives: "-1----'10'|")
        try expectShared(
            "-1#",
            #"[{"share": {}}, {"replaceError": {"value": 7}}]"#,
            second: tens,
            from: 5,
            gives: "-17---'10'('70'|)"
        )
    }

    @Test func startsAfreshWhenAllHaveLeft() throws {
        let one = #"[{"prefix": {"count": 1}}]"#
        try expectShared("-1-2-|", share, first: one, second: one, from: 4, gives: "-1---(1|)")
    }

    @Test func otherEnds() throws {
        try expect("-1#", share, gives: "-1#")
        try expect("|", share, gives: "|")
        try expect("-", share, gives: "-", leaving: 9)
        try expect("-1-2", share, gives: "-1", leaving: 3)
    }

    /// Repeating a shared stream starts it from the beginning, and a subscriber that leaves while values come receives
    /// no more.
    @Test func reentrancy() throws {
        try expect("-1|", #"[{"share": {}}, {"repeat": {"count": 2}}]"#, gives: "-1-1|")
        try expect("-1#", #"[{"share": {}}, {"retry": {"count": 1}}]"#, gives: "-1-1#")
        let flow = Flow.values(1, 2, 3).share()
        #expect(text(flow.prefix(1).append(flow.prefix(2)).virtualEvents()) == ["0:1", "0:1", "0:2", "0|"])
        // The values that come at once reach the first reader alone; the second starts the stream again.
        #expect(text(flow.merge(with: flow).virtualEvents()) == ["0:1", "0:2", "0:3", "0:1", "0:2", "0:3", "0|"])
    }

    /// In a stream that is started for an item, those for one item share.
    @Test func sharesForEachItem() throws {
        var library = StreamLibrary()
        library.add(
            try StreamDocument(
                parsing: """
                    {"name": "twice", "parameters": {"n": 0}, "source": {"timer": {"seconds": 1}},
                     "operators": [{"map": {"expression": "x + ${n}"}}, {"share": {}}]}
                    """
            )
        )
        let document = try StreamDocument(
            parsing: """
                {"source": {"values": [1, 2]}, "operators": [
                    {"flatMap": {"to": {"ref": {"id": "twice", "parameters": {"n": "${a}"}}}}}]}
                """
        )
        #expect(text(try document.virtualEvents(in: library)) == ["1:1", "1:2", "1|"])
    }

    @Test func runsDoNotShare() {
        let flow = Flow.values(1).share()
        #expect(text(flow.virtualEvents()) == text(flow.virtualEvents()))
    }
}
