import SluiceJSON
import SluiceStreams
import Testing

struct SwitchScanTests {
    @Test func leavesTheStreamBefore() throws {
        let to = #"{"source": {"timer": {"seconds": 2}}, "operators": [{"map": {"expression": "acc + a"}}]}"#
        try expect("12----3---|", #"[{"switchScan": {"initialValue": 0, "to": \#(to)}}]"#, gives: "---2----5-|")
    }

    @Test func ofNativeStreams() {
        let flow = Flow.values(1, 2, 3).switchScan(10) { .values($0 + $1) }
        #expect(flow.virtualEvents().compactMap(\.value) == [11, 13, 16])
    }
}
