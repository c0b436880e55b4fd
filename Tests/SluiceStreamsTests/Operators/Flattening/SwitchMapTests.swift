import SluiceStreams
import Testing

@Suite struct SwitchMapTests {
    let inner = #"[{"switchMap": {"to": {"ref": "in"}, "expression": "a"}}]"#

    @Test func leavesTheFormer() throws {
        try expect("1-2---3-|", inner, gives: "-1-22--33|", others: ["in": "-55|"])
        try expect("12|", inner, gives: "--2", leaving: 5, others: ["in": "-5"])
        try expect("12|", inner, gives: "--", leaving: 2, others: ["in": "-5"])
    }

    @Test func ends() throws {
        try expect("|", inner, gives: "|", others: ["in": "5|"])
        try expect("1#", inner, gives: "1#", others: ["in": "5--|"])
        try expect("1-2|", inner, gives: "1#", others: ["in": "5#"])
        try expect("1|", inner, gives: "1", leaving: 9, others: ["in": "5"])
        try expect("1-|", inner, gives: "1--|", others: ["in": "5--|"])
        try expect("-", inner, gives: "-", leaving: 9, others: ["in": "5"])
    }

    @Test func native() {
        let flow = Flow.values(1, 2).switchMap { Flow.values($0, $0 * 10).append(.never) }
        #expect(text(flow.virtualEvents()) == ["0:1", "0:10", "0:2", "0:20"])
        let failing = Flow.values(1).switchMap { _ -> Flow<Int> in throw StreamError(message: "no") }
        #expect(text(failing.virtualEvents()) == ["0# no"])
    }
}
