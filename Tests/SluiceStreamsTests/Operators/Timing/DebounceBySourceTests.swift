import SluiceJSON
import SluiceStreams
import Testing

struct DebounceBySourceTests {
    @Test func waitsForTheStreamOfEachValue() throws {
        try expect("1-23-----4-|", #"[{"debounce": {"source": {"timer": {"seconds": 3}}}}]"#, gives: "------3----(4|)")
        try expect("12---|", #"[{"debounce": {"source": {"values": [0]}}}]"#, gives: "12---|")
        try expect("1-2-3--|", #"[{"debounce": {"source": {"empty": {}}}}]"#, gives: "-------(3|)")
        try expect("1---#", #"[{"debounce": {"source": {"never": {}}}}]"#, gives: "----#")
        try expect("1---|", #"[{"debounce": {"source": {"fail": "x"}}}]"#, gives: "#")
    }

    /// The stream sees the value: large ones wait longer.
    @Test func seesTheValue() throws {
        let operators = #"""
            [{"debounce": {"source": {"iif": {"condition": "a > 5", "then": {"timer": {"seconds": 3}},
                                              "else": {"timer": {"seconds": 1}}}}}}]
            """#
        try expect("1--7-----|", operators, gives: "-1----7--|")
    }

    @Test func takesOneOfBoth() {
        let both = errors(#"[{"debounce": {"seconds": 1, "source": {"never": {}}}}]"#)
        #expect(both == [#"operators[0].debounce: "seconds" and "source" exclude each other (remove one of them)"#])
        for name in ["debounce", "throttle", "audit"] {
            let none = errors(#"[{"\#(name)": {}}]"#)
            #expect(
                none == [#"operators[0].\#(name): "seconds" is missing (give "seconds", or "source" in its place)"#]
            )
        }
    }

    @Test func isData() throws {
        let text = #"{"debounce":{"source":{"timer":{"seconds":1}}}}"#
        try expect(.debounce(until: StreamModel<Int>.timer(seconds: 1).streamSource()), isText: text)
    }

    @Test func ofNativeStreams() {
        let flow = Flow.values(1, 2).debounce { _ in Flow<Int>.never }
        #expect(flow.virtualEvents().compactMap(\.value) == [2])
    }
}
