import SluiceJSON
import SluiceStreams
import Testing

struct CollectToggleTests {
    @Test func partsMayOverlap() throws {
        let operators = #"[{"collectToggle": {"source": {"ref": "opening"}, "until": {"timer": {"seconds": 3}}}}]"#
        try expect("-1-2-3-4-5-|", operators, gives: "-----'[2,3]' '[2,3]'----|", others: ["opening": "--ab---"])
        try expect("1---#", operators, gives: "---'[1]'#", others: ["opening": "a---"])
        try expect("1---|", operators, gives: "-#", others: ["opening": "a#"])
        try expect("1-2-|", operators, gives: "---'[1,2]'('[2]'|)", others: ["opening": "a-b|"])
    }

    @Test func theClosingSeesTheOpening() throws {
        let operators = #"""
            [{"bufferToggle": {"source": {"ref": "opening"}, "until": {"iif": {"condition": "a > 1",
                "then": {"timer": {"seconds": 4}}, "else": {"timer": {"seconds": 2}}}}}}]
            """#
        try expect("3-4-5-6|", operators, gives: "--'[3,4]'-'[3,4,5]'--|", others: ["opening": "(12|)"])
    }

    @Test func whatIsHeldBackIsLimited() throws {
        let limits = StreamLimits(heldItems: 3)
        let operators =
            #"[{"collectToggle": {"source": {"values": [0, 0]}, "until": {"never": {}}}}, {"repeat": {"count": 1}}]"#
        let document = try StreamDocument(parsing: #"{"source": {"values": [1, 2]}, "operators": \#(operators)}"#)
        guard case .failed(let error) = Array(try document.virtualEvents(limits: limits)).last?.kind else {
            Issue.record("it does not fail")
            return
        }
        #expect(error.message.contains("hold back more than 3 items"))
    }
}
