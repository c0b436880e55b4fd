import SluiceJSON
import SluiceStreams
import Testing

@Suite struct FlatMapTests {
    let inner = #"[{"flatMap": {"to": {"ref": "in"}, "expression": "a * 10 + x"}}]"#

    @Test func passesOnAsItComes() throws {
        try expect("12-|", inner, gives: "-'15' '25'", leaving: 3, others: ["in": "-5---6|"])
        try expect("12-|", inner, gives: "-'15' '25'--'16' '26'|", others: ["in": "-5---6|"])
    }

    @Test func ends() throws {
        try expect("|", inner, gives: "|", others: ["in": "5|"])
        try expect("-#", inner, gives: "-#", others: ["in": "5|"])
        try expect("1-|", inner, gives: "---#", others: ["in": "---#"])
        try expect("1|", inner, gives: "-'15'-", leaving: 9, others: ["in": "-5"])
        try expect("-", inner, gives: "-", leaving: 9, others: ["in": "-5"])
    }

    @Test func someAtATime() throws {
        let two = #"[{"flatMap": {"to": {"ref": "in"}, "expression": "a", "concurrency": 2}}]"#
        try expect("123|", two, gives: "--12-3|", others: ["in": "--5|"])
        try expect("123|", two, gives: "--12", leaving: 4, others: ["in": "--5|"])
        try expect("123#", two, gives: "--1#", others: ["in": "--5|"])
    }

    /// Expressions of nested streams see the items around them, the innermost by the same name first.
    @Test func nestedStreamsSeeTheItem() throws {
        try expect(
            "12|",
            #"[{"flatMap": {"to": {"source": {"values": [1, 2]}, "operators": [{"map": {"expression": "a * 100 + x"}}]}}}]"#,
            gives: "('101' '102')",
            leaving: 0.5
        )
        try expect(
            "12|",
            #"[{"flatMap": {"to": {"source": {"values": [7]}, "operators": [{"flatMap": {"to": {"source": {"values": [0]}, "operators": [{"map": {"expression": "a"}}]}}}]}}}]"#,
            gives: "77|"
        )
    }

    @Test func errorsOfTheExpression() throws {
        let drop = #"[{"flatMap": {"to": {"values": [0, 1]}, "expression": "a / x", "onError": "drop"}}]"#
        try expect("45|", drop, gives: "45|")
        try expect("45|", #"[{"flatMap": {"to": {"values": [0]}, "expression": "a / x"}}]"#, gives: "#")
    }

    @Test func manyStreamsThatEndAtOnce() {
        let flow = Flow.values(contentsOf: Array(0..<1000)).flatMap { outer in
            Flow.values(contentsOf: 0..<100).flatMap(concurrency: 1) { .values(outer + $0) }
        }
        #expect(flow.virtualEvents().reduce(0) { $0 + ($1.value == nil ? 0 : 1) } == 100_000)
        // They wait, and begin one after another when the first ends.
        let second = Duration.seconds(1)
        let later = Flow.values(contentsOf: Array(0..<100_000)).flatMap(concurrency: 1) { value in
            value == 0 ? Flow.values(value).delay(for: second) : .values(value)
        }
        #expect(later.virtualEvents().reduce(0) { $0 + ($1.value == nil ? 0 : 1) } == 100_000)
    }

    @Test func nativeErrors() {
        let flow = Flow.values(1, 2).flatMap { value -> Flow<Int> in
            if value == 2 { throw StreamError(message: "two") }
            return .values(value, value)
        }
        #expect(text(flow.virtualEvents()) == ["0:1", "0:1", "0# two"])
    }

    /// `i` is the index of the item `x` of each stream that is started.
    @Test(arguments: ["flatMap", "concatMap", "switchMap", "exhaustMap"])
    func theIndexIsThatOfTheInnerItem(_ name: String) throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"interval": {"seconds": 10, "count": 2}},
                 "operators": [{"\#(name)": {"to": {"values": [5, 6]}, "expression": "[a, x, i]"}}]}
                """#
        )
        let values = try document.flow().virtualEvents().compactMap(\.value)
        #expect(values == [[0, 5, 0], [0, 6, 1], [1, 5, 0], [1, 6, 1]])
    }
}
