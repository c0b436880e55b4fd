import SluiceJSON
import SluiceStreams
import Testing

@Suite struct RemoveDuplicatesTests {
    @Test func ends() throws {
        try expect("-1-1#", #"[{"removeDuplicates": {}}]"#, gives: "-1--#")
        try expect("--|", #"[{"removeDuplicates": {}}]"#, gives: "--|")
        try expect("---", #"[{"removeDuplicates": {}}]"#, gives: "---")
        try expect("-1-2-|", #"[{"removeDuplicates": {}}]"#, gives: "-1", leaving: 3)
    }

    @Test func equalIsAsInExpressions() throws {
        let items = #"-1-'1.0'-'"1"'-'{"a": 1, "b": [2]}'-'{"b": [2.0], "a": 1}'-'null'-'null'-'false'-|"#
        let kept = #"-1---'"1"'-'{"a": 1, "b": [2]}'---'null'---'false'-|"#
        try expect(items, #"[{"distinctUntilChanged": {}}]"#, gives: kept)
    }

    @Test func aKeyIsComparedInPlaceOfTheValue() throws {
        try expect("-1-3-4-6-7-|", #"[{"removeDuplicates": {"expression": "x % 2"}}]"#, gives: "-1---4---7-|")
    }

    @Test func anErrorGoesItsRoute() throws {
        try expect("-1-0-1-|", #"[{"removeDuplicates": {"expression": "4 / x"}}]"#, gives: "-1-#")
        let operators = #"[{"removeDuplicates": {"expression": "4 / x", "onError": "drop"}}]"#
        try expect("-1-0-1-2-|", operators, gives: "-1-----2-|")
    }

    @Test func whatIsTooLargeIsNotCompared() throws {
        let pairs = Array(repeating: #"{"pairwise": {}}"#, count: 24).joined(separator: ", ")
        let operators = #"[{"flatMap": {"to": {"range": {"count": 30}}}}, \#(pairs), {"removeDuplicates": {}}]"#
        #expect(
            try failure(of: "0", operators)
                == "operators[25].removeDuplicates: the value holds more than 1000000 others"
        )
    }

    @Test func isNative() {
        #expect(Flow.values(1, 1, 2, 1).removeDuplicates().virtualEvents().compactMap(\.value) == [1, 2, 1])
        let near = Flow.values(1, 2, 4, 5).removeDuplicates { abs($0 - $1) < 2 }
        #expect(near.virtualEvents().compactMap(\.value) == [1, 4])
    }

    @Test func isData() throws {
        try expect(.removeDuplicates(), isText: #"{"removeDuplicates":{}}"#)
        try expect(.removeDuplicates("x.id"), isText: #"{"removeDuplicates":{"expression":"x.id"}}"#)
    }
}
