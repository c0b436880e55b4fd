import SluiceStreams
import Testing

@Suite struct ExhaustMapTests {
    let inner = #"[{"exhaustMap": {"to": {"ref": "in"}, "expression": "a"}}]"#

    @Test func dropsWhileOneRuns() throws {
        try expect("12--3-|", inner, gives: "-11--33|", others: ["in": "-55|"])
        try expect("12|", inner, gives: "-1", leaving: 5, others: ["in": "-5"])
        try expect("12|", inner, gives: "-", leaving: 1, others: ["in": "-5"])
    }

    @Test func ends() throws {
        try expect("|", inner, gives: "|", others: ["in": "5|"])
        try expect("1#", inner, gives: "1#", others: ["in": "5--|"])
        try expect("1-2|", inner, gives: "1#", others: ["in": "5#"])
        try expect("1-|", inner, gives: "1--|", others: ["in": "5--|"])
        try expect("-", inner, gives: "-", leaving: 9, others: ["in": "5"])
    }

    @Test func native() {
        let flow = Flow.values(1, 2).exhaustMap { Flow.values($0, $0 * 10).append(.never) }
        #expect(text(flow.virtualEvents()) == ["0:1", "0:10"])
        let failing = Flow.values(1).exhaustMap { _ -> Flow<Int> in throw StreamError(message: "no") }
        #expect(text(failing.virtualEvents()) == ["0# no"])
    }
}
