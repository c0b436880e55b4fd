import SluiceJSON
import SluiceStreams
import Testing

struct ExpandTests {
    @Test func expandsWhatItGives() throws {
        let to = #"{"source": {"timer": {"seconds": 2}}, "operators": [{"filter": {"expression": "a < 5"}}]}"#
        try expect("1-------|", #"[{"expand": {"to": \#(to), "expression": "a * 2"}}]"#, gives: "1-2-4-8-|")
        try expect("1-|", #"[{"expand": {"to": {"never": {}}}}]"#, gives: "1--")
        try expect("1-|", #"[{"expand": {"to": {"fail": "x"}}}]"#, gives: "(1#)")
    }

    /// Of values at one instant, those of the first come before the second, as in RxJS.
    @Test func goesDownBeforeItGoesOn() throws {
        let to = #"{"source": {"values": [1, 2]}, "operators": [{"filter": {"expression": "a < 10"}}]}"#
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"values": [1, 2]}, "operators": [{"expand": {"to": \#(to), "expression": "a * 10 + x"}}]}
                """#
        )
        #expect(Array(try document.virtualEvents()).compactMap(\.value) == [1, 11, 12, 2, 21, 22])
    }

    @Test func withConcurrencyValuesWait() throws {
        let to = #"{"source": {"timer": {"seconds": 2}}, "operators": [{"filter": {"expression": "a < 3"}}]}"#
        try expect(
            "12------|",
            #"[{"expand": {"to": \#(to), "expression": "a + 2", "concurrency": 1}}]"#,
            gives: "1-2-3-4-|"
        )
    }

    /// Values without an end fail, and a hundred thousand one within another take no stack.
    @Test func growthIsBounded() throws {
        let limits = StreamLimits(eventsPerInstant: 100_000)
        let endless = try failure(of: "1", #"[{"expand": {"to": {"values": [0]}}}]"#, limits: limits)
        #expect(endless?.contains("more than 100000 events at one instant") == true)
        let slow = #"{"source": {"timer": {"seconds": 1}}, "operators": [{"flatMap": {"to": {"values": [1, 2]}}}]}"#
        let text = try failure(of: "1", #"[{"expand": {"to": \#(slow)}}]"#, limits: StreamLimits(heldItems: 1000))
        #expect(text?.contains("hold back more than 1000 items") == true)
    }

    @Test func ofNativeStreams() {
        let flow = Flow.values(1).expand { $0 < 100_000 ? .values($0 + 1) : .empty }
        let limits = StreamLimits(eventsPerInstant: .max)
        #expect(flow.virtualEvents(limits: limits).reduce(0) { $0 + ($1.value ?? 0 > 0 ? 1 : 0) } == 100_000)
    }
}
