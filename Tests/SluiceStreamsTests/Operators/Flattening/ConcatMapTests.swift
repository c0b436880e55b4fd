import SluiceStreams
import Testing

@Suite struct ConcatMapTests {
    let inner = #"[{"concatMap": {"to": {"ref": "in"}, "expression": "a"}}]"#

    @Test func oneAfterAnother() throws {
        try expect("123|", inner, gives: "-1-1-2-2-3-3|", others: ["in": "-5-6|"])
        try expect("12|", inner, gives: "--1--", leaving: 5, others: ["in": "--5---|"])
    }

    @Test func ends() throws {
        try expect("|", inner, gives: "|", others: ["in": "5|"])
        try expect("1#", inner, gives: "1#", others: ["in": "5--|"])
        try expect("12|", inner, gives: "1-#", others: ["in": "5-#"])
        try expect("12|", inner, gives: "1", leaving: 9, others: ["in": "5"])
        try expect("-", inner, gives: "-", leaving: 9, others: ["in": "5"])
    }

    @Test func native() {
        let flow = Flow.values(1, 2).concatMap { Flow.values($0, $0 * 10) }
        #expect(text(flow.virtualEvents()) == ["0:1", "0:10", "0:2", "0:20", "0|"])
    }
}
