import SluiceJSON
import SluiceStreams
import Testing

/// The order of events that are due at the same instant: that of a scheduler of RxJS, which is the order of arming.
struct TieTests {
    @Test func aDebounceThatIsArmedAgainWhenItIsDueLosesNothing() throws {
        for (source, operators) in [
            (#"{"interval": {"seconds": 5, "count": 4}}"#, #"[{"debounce": {"seconds": 5}}]"#),
            (
                #"{"interval": {"seconds": 5, "count": 4}}"#,
                #"[{"sampleTime": {"seconds": 5}}, {"debounce": {"seconds": 5}}]"#
            ),
        ] {
            let document = try StreamDocument(parsing: #"{"source": \#(source), "operators": \#(operators)}"#)
            #expect(Array(try document.virtualEvents()).compactMap(\.value).prefix(2) == [0, 1], "\(source)")
        }
    }

    @Test func aTimeoutComesAfterWhatWasArmedBeforeItsLastItem() throws {
        try expect(
            "8-------|",
            #"[{"timeout": {"seconds": 3}}, {"combineLatest": {"source": {"ref": "other"}, "expression": "a + b"}}]"#,
            gives: "---(9#)",
            others: ["other": "---1"]
        )
        let race = try StreamDocument(
            parsing: #"""
                {"source": {"race": [
                    {"source": {"marbles": {"text": "1-----", "frame": 1}},
                     "operators": [{"timeout": {"seconds": 3}}, {"dropFirst": {"count": 1}}]},
                    {"marbles": {"text": "---4|", "frame": 1}}
                ]}}
                """#
        )
        #expect(Array(try race.virtualEvents()).map(\.kind) == [.value(4), .completed])
    }

    /// The next tick is armed after what the last one caused: the timeout of an equal span comes first.
    @Test func anIntervalComesAfterWhatItsLastTickArmed() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"interval": {"seconds": 5, "first": 2, "count": 4}}, "operators": [{"timeout": {"seconds": 5}}]}
                """#
        )
        let events = Array(try document.virtualEvents())
        #expect(events.map(\.time.seconds) == [2, 7])
        #expect(events.first?.value == 0)
        #expect(events.last?.isLast == true)
    }

    /// An item with a delay of 0 is armed, and comes after what hot sources give at that instant; one without a delay
    /// comes at once.
    @Test func anItemWithoutDelayComesAfterHotSources() throws {
        for (operators, values): (String, [JSON]) in [(#"[{"delay": {"seconds": 0}}]"#, [0, 8]), ("[]", [8, 0])] {
            let document = try StreamDocument(
                parsing: #"""
                    {"source": {"merge": [
                        {"marbles": {"text": "0--|", "frame": 1, "hot": true}},
                        {"stream": [{"value": 8, "operators": \#(operators)}]}
                    ]}}
                    """#
            )
            #expect(Array(try document.virtualEvents()).compactMap(\.value) == values, "\(operators)")
        }
    }

    /// The second of two delays is armed when the first is over.
    @Test func delaysOfAnItemAreArmedOneAfterAnother() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"merge": [
                    {"stream": [{"value": 1, "operators": [{"delay": {"seconds": 1}}, {"delay": {"seconds": 2}}]}]},
                    {"source": {"timer": {"seconds": 3}}, "operators": [{"mapTo": {"value": 2}}]}
                ]}}
                """#
        )
        #expect(Array(try document.virtualEvents()).compactMap(\.value) == [2, 1])
    }
}
