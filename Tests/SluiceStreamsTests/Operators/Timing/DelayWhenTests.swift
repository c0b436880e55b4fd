import SluiceStreams
import Testing

struct DelayWhenTests {
    static let delayWhen = #"[{"delayWhen": {"source": {"ref": "later"}}}]"#

    @Test func eachWaitsForItself() throws {
        try expect("1-2|", Self.delayWhen, gives: "---1-(2|)", others: ["later": "---x-x"])
    }

    @Test func aStreamWithoutAValueDropsTheItem() throws {
        try expect("1-2|", Self.delayWhen, gives: "----|", others: ["later": "--|"])
    }

    @Test func errors() throws {
        try expect("1-#", Self.delayWhen, gives: "--#", others: ["later": "---x"])
        try expect("1--|", Self.delayWhen, gives: "-#", others: ["later": "-#"])
        // After its first value nobody listens any more.
        try expect("1---|", Self.delayWhen, gives: "-1--|", others: ["later": "-x#"])
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.delayWhen, gives: "|", others: ["later": "-x"])
        try expect("1|", Self.delayWhen, gives: "-", others: ["later": "-"])
    }

    @Test func leaving() throws {
        try expect("1-2|", Self.delayWhen, gives: "---1", leaving: 5, others: ["later": "---x"])
    }

    /// The value says how long it waits.
    @Test func theStreamSeesTheValue() throws {
        let ticks =
            #"{"source": {"interval": {"seconds": 1}}, "operators": [{"filter": {"expression": "x + 1 >= a"}}]}"#
        try expect("3---1--|", #"[{"delayWhen": {"source": \#(ticks)}}]"#, gives: "---3-1-|")
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let flow = Flow.values(2, 1).delay { value in .interval(second).filter { $0 + 1 == value } }
        #expect(text(flow.virtualEvents()) == ["1:1", "2:2", "2|"])
        let failing = Flow.values(2).delay { _ -> Flow<Int> in throw StreamError(message: "no") }
        #expect(text(failing.virtualEvents()) == ["0# no"])
    }
}
