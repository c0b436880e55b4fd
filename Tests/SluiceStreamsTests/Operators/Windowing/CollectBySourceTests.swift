import SluiceStreams
import Testing

struct CollectBySourceTests {
    static let collect = #"[{"collectBySource": {"source": {"ref": "signal"}}}]"#

    @Test func anArrayForEachSignal() throws {
        try expect("12---3|", Self.collect, gives: "--'[1,2]'-'[]'-('[3]'|)", others: ["signal": "--x-x"])
    }

    @Test func theEndOfTheSignalIsIgnored() throws {
        try expect("1-2|", Self.collect, gives: "-'[1]'-('[2]'|)", others: ["signal": "-x|"])
    }

    @Test func errors() throws {
        try expect("12#", Self.collect, gives: "--#", others: ["signal": "---x"])
        try expect("12---|", Self.collect, gives: "--#", others: ["signal": "--#"])
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.collect, gives: "('[]'|)", others: ["signal": "-x"])
        try expect("-", Self.collect, gives: "-'[]'", others: ["signal": "-x"])
    }

    @Test func leaving() throws {
        try expect("12-3-", Self.collect, gives: "--'[1,2]'", leaving: 4, others: ["signal": "--x-x"])
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let step = Duration.seconds(0.4)
        let flow = Flow.interval(step, count: 3).collect(on: Flow.interval(second))
        #expect(text(flow.virtualEvents()) == ["1:[0, 1]", "1.2:[2]", "1.2|"])
    }
}
