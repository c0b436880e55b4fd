import SluiceJSON
import SluiceStreams
import Testing

@Suite struct PairwiseTests {
    @Test func ends() throws {
        try expect("-1-2#", #"[{"pairwise": {}}]"#, gives: "---'[1, 2]'#")
        try expect("--|", #"[{"pairwise": {}}]"#, gives: "--|")
        try expect("---", #"[{"pairwise": {}}]"#, gives: "---")
        try expect("-1-2-3-|", #"[{"pairwise": {}}]"#, gives: "---'[1, 2]'", leaving: 5)
    }

    @Test func oneValueIsNoPair() throws { try expect("-1-|", #"[{"adjacentPairs": {}}]"#, gives: "---|") }

    @Test func isNative() {
        let pairs = Flow.values(1, 2, 3).pairwise().virtualEvents().compactMap(\.value)
        #expect(pairs.map(\.0) == [1, 2])
        #expect(pairs.map(\.1) == [2, 3])
    }

    @Test func isData() throws {
        try expect(.pairwise, isText: #"{"pairwise":{}}"#)
    }
}
