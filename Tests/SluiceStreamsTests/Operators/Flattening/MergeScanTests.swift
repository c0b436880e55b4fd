import SluiceJSON
import SluiceStreams
import Testing

struct MergeScanTests {
    static let sum = #"{"source": {"timer": {"seconds": 2}}, "operators": [{"map": {"expression": "acc + a"}}]}"#

    @Test func eachValueIsTheNextAccumulator() throws {
        // The second stream starts before the first has given a value, and sees the initial value.
        try expect("12-----|", #"[{"mergeScan": {"initialValue": 0, "to": \#(Self.sum)}}]"#, gives: "--12---|")
        try expect(
            "12-----|",
            #"[{"mergeScan": {"initialValue": 0, "to": \#(Self.sum), "concurrency": 1}}]"#,
            gives: "--1-3--|"
        )
        try expect("12-|", #"[{"mergeScan": {"initialValue": 0, "to": {"fail": "x"}}}]"#, gives: "#")
    }

    @Test func ofNativeStreams() {
        let flow = Flow.values(1, 2, 3).mergeScan(10) { .values($0 + $1) }
        #expect(flow.virtualEvents().compactMap(\.value) == [11, 13, 16])
    }
}
