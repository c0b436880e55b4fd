import SluiceJSON
import SluiceStreams
import Testing

@Suite struct ShareReplayTests {
    let tens = #"[{"map": {"expression": "x * 10"}}]"#
    let one = #"[{"shareReplay": {"bufferSize": 1}}]"#
    let counted = #"[{"shareReplay": {"bufferSize": 1, "refCount": true}}]"#

    @Test func theLatestComeAtOnce() throws {
        try expectShared("-1-2-----|", one, second: tens, from: 4, gives: "-1-2'20'----|")
        try expectShared(
            "-1-2-----|",
            #"[{"shareReplay": {}}]"#,
            second: tens,
            from: 4,
            gives: "-1-2('10' '20')",
            leaving: 8
        )
    }

    @Test func aCompletionIsKept() throws {
        try expectShared("-1-2|", one, second: tens, from: 6, gives: "-1-2--('20'|)")
        try expectShared("|", one, second: tens, from: 6, gives: "------|")
    }

    @Test func anErrorForgets() throws {
        let first = #"[{"catch": {"source": {"empty": {}}}}]"#
        try expectShared("-1#", one, first: first, second: tens, from: 5, gives: "-1----'10'#")
    }

    @Test func whenAllHaveLeft() throws {
        let first = #"[{"prefix": {"count": 1}}]"#
        try expectShared("-1-2-3-|", one, first: first, second: tens, from: 4, gives: "-1--'20' '30'-|")
        try expectShared("-1-2-3-|", counted, first: first, second: tens, from: 4, gives: "-1---'10'-'20'-'30'-|")
    }

    @Test func otherEnds() throws {
        for json in [one, counted] {
            try expect("-1#", json, gives: "-1#")
            try expect("-1|", json, gives: "-1|")
            try expect("|", json, gives: "|")
            try expect("-", json, gives: "-", leaving: 9)
            try expect("-1-2", json, gives: "-1", leaving: 3)
        }
    }

    /// A subscriber that takes one value from the buffer does not start the stream.
    @Test func native() {
        let flow = Flow.values(1, 2, 3).shareReplay(bufferSize: 2)
        #expect(text(flow.append(flow).virtualEvents()) == ["0:1", "0:2", "0:3", "0:2", "0:3", "0|"])
        let counted = Flow.values(1, 2, 3).append(.never).shareReplay(bufferSize: 2, refCount: true)
        #expect(text(counted.prefix(3).append(counted.prefix(3)).virtualEvents()).count == 7)
        #expect(text(flow.append(flow.prefix(1)).virtualEvents()) == ["0:1", "0:2", "0:3", "0:2", "0|"])
    }
}
