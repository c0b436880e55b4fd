import SluiceJSON
import SluiceStreams
import Testing

struct CollectWhenTests {
    @Test func subscribesAgainForEachPart() throws {
        try expect(
            "1-2-3-4-|",
            #"[{"bufferWhen": {"source": {"timer": {"seconds": 3}}}}]"#,
            gives: "---'[1,2]'--'[3,4]'-('[]'|)"
        )
        try expect("1-2-|", #"[{"collectWhen": {"source": {"empty": {}}}}]"#, gives: "----('[1,2]'|)")
        try expect(
            "1-2-|",
            #"[{"collectWhen": {"source": {"ref": "signal"}}}]"#,
            gives: "--#",
            others: ["signal": "--#"]
        )
    }

    @Test func aSignalAtOnceFailsByTheBudget() throws {
        let limits = StreamLimits(eventsPerInstant: 1000)
        for name in ["collectWhen", "windowWhen"] {
            let text = try failure(of: nil, #"[{"\#(name)": {"source": {"values": [0]}}}]"#, limits: limits)
            #expect(text?.contains("more than 1000 events at one instant") == true, "\(name)")
        }
    }
}
