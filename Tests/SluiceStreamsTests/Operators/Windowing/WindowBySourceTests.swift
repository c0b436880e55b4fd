import SluiceStreams
import Testing

struct WindowBySourceTests {
    static let arrays = #"[{"window": {"source": {"ref": "signal"}}}]"#
    static let first = #"[{"window": {"source": {"ref": "signal"}, "operators": [{"prefix": {"count": 1}}]}}]"#

    @Test func arraysWithoutOperators() throws {
        try expect("12---3|", Self.arrays, gives: "--'[1,2]'-'[]'-('[3]'|)", others: ["signal": "--x-x"])
    }

    @Test func operatorsRunOnEachWindow() throws {
        try expect("12-34-|", Self.first, gives: "1--3--|", others: ["signal": "--x"])
    }

    @Test func theEndOfTheSignalIsIgnored() throws {
        try expect("1-2|", Self.arrays, gives: "-'[1]'-('[2]'|)", others: ["signal": "-x|"])
    }

    @Test func errors() throws {
        try expect("12#", Self.arrays, gives: "--#", others: ["signal": "---x"])
        try expect("12---|", Self.arrays, gives: "--#", others: ["signal": "--#"])
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.arrays, gives: "('[]'|)", others: ["signal": "-x"])
        try expect("-", Self.arrays, gives: "-'[]'", others: ["signal": "-x"])
    }

    /// After completion the signal opens no window more, however long the operators take.
    @Test func noWindowOpensAfterCompletion() throws {
        let delay = #"[{"window": {"source": {"ref": "signal"}, "operators": [{"delay": {"seconds": 5}}]}}]"#
        try expect("1-|", delay, gives: "-----(1|)", others: ["signal": "---x-#"])
    }

    @Test func leaving() throws {
        try expect("12-3-", Self.arrays, gives: "--'[1,2]'", leaving: 4, others: ["signal": "--x-x"])
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let step = Duration.seconds(0.4)
        let flow = Flow.interval(step, count: 4).window(on: Flow.interval(second)) { $0.prefix(1) }
        #expect(text(flow.virtualEvents()) == ["0.4:0", "1.2:2", "1.6|"])
    }
}
