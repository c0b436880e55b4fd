import SluiceStreams
import Testing

struct GroupByTests {
    private func groupBy(_ key: String, _ operators: String, _ more: String = "") -> String {
        #"[{"groupBy": {"key": "\#(key)", "operators": \#(operators)\#(more)}}]"#
    }

    @Test func operatorsRunOnEachGroup() throws {
        let sums = groupBy("x % 2", #"[{"scan": {"expression": "acc + x"}}]"#)
        try expect("1-2-3-4-|", sums, gives: "'[1,1]'-'[0,2]'-'[1,4]'-'[0,6]'-|")
    }

    @Test func keysAreTextsToo() throws {
        let texts = groupBy("x", #"[{"scan": {"expression": "acc + x"}}]"#)
        try expect("a-b-a-|", texts, gives: #"'["a","a"]'-'["b","b"]'-'["a","aa"]'-|"#)
        try expect("1-'1.0'-|", groupBy("x", #"[{"prefix": {"count": 1}}]"#), gives: "'[1,1]'---|")
        try expect("1-'[1]'-'[1]'-|", groupBy("x", #"[{"prefix": {"count": 1}}]"#), gives: "'[1,1]'-'[[1],[1]]'---|")
    }

    @Test func theOperatorsSeeTheKey() throws {
        try expect("1-2-|", groupBy("x * 10", #"[{"map": {"expression": "key + x"}}]"#), gives: "'[10,11]'-'[20,22]'-|")
        let inner = #"[{"flatMap": {"to": {"values": [5]}, "expression": "key + a + x"}}]"#
        try expect("1-2-|", groupBy("x * 10", inner), gives: "'[10,16]'-'[20,27]'-|")
    }

    @Test func anEndedGroupIsNotOpenedAgain() throws {
        try expect("1-2-3-4-|", groupBy("x % 2", #"[{"prefix": {"count": 1}}]"#), gives: "'[1,1]'-'[0,2]'-----|")
    }

    @Test func groupsCompleteInTheirOrder() throws {
        let last = groupBy("x % 2", #"[{"debounce": {"seconds": 9}}]"#)
        try expect("1-2-3|", last, gives: "-----('[1,3]' '[0,2]'|)")
    }

    @Test func errors() throws {
        let same = "[]"
        try expect("1-#", groupBy("x", same), gives: "'[1,1]'-#")
        try expect("1-0-2|", groupBy("4 / x", same), gives: "'[4,1]'-#")
        try expect("1-0-2|", groupBy("4 / x", same, #", "onError": "drop""#), gives: "'[4,1]'---'[2,2]'|")
        try expect("1-0-2|", groupBy("x", #"[{"map": {"expression": "4 / x"}}]"#), gives: "'[1,4]'-#")
    }

    @Test func emptyAndNever() throws {
        try expect("|", groupBy("x", "[]"), gives: "|")
        try expect("-", groupBy("x", "[]"), gives: "-")
    }

    @Test func leaving() throws { try expect("1-2-3", groupBy("x", "[]"), gives: "'[1,1]'", leaving: 2) }

    @Test func moreGroupsThanTheLimitAreAnError() throws {
        let document = try StreamDocument(
            parsing: #"{"source": {"values": [1, 2, 1, 3]}, "operators": \#(groupBy("x", "[]", #", "limit": 2"#))}"#
        )
        let message = #"more than 2 groups: raise "limit", or take a key with fewer values"#
        let events = text(try document.virtualEvents())
        #expect(events.last == "0# operators[0].groupBy: \(message)")
    }

    @Test func withoutALimitThereAreAHundredThousandGroups() {
        let events = Flow.values(contentsOf: Array(0..<100_001)).grouped(by: { $0 }) { $0.prefix(0) }.virtualEvents()
        #expect(
            text(events) == [#"0# more than 100000 groups: raise "limit", or take a key with fewer values"#]
        )
    }

    @Test func native() {
        let flow = Flow.values("a", "bb", "c").grouped(by: { $0.count }) { $0.scan("") { $0 + $1 } }
        #expect(text(flow.map { "\($0.key)\($0.value)" }.virtualEvents()) == ["0:1a", "0:2bb", "0:1ac", "0|"])
    }
}
