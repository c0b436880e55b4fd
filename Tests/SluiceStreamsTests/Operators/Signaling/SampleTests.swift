import SluiceStreams
import Testing

struct SampleTests {
    static let sample = #"[{"sample": {"source": {"ref": "signal"}}}]"#

    @Test func theLatestAtEachSignal() throws {
        try expect("12----3-4|", Self.sample, gives: "--2----3-|", others: ["signal": "--x-x--x"])
    }

    @Test func theInputComesFirst() throws {
        try expect("--1|", Self.sample, gives: "--1|", others: ["signal": "--x"])
    }

    @Test func completionDropsWhatWaits() throws {
        try expect("12|", Self.sample, gives: "--|", others: ["signal": "---x"])
        try expect("1--2-|", Self.sample, gives: "-1---|", others: ["signal": "-x|"])
    }

    @Test func errors() throws {
        try expect("12#", Self.sample, gives: "--#", others: ["signal": "---x"])
        try expect("12---|", Self.sample, gives: "--#", others: ["signal": "--#"])
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.sample, gives: "|", others: ["signal": "-x"])
        try expect("-", Self.sample, gives: "-", others: ["signal": "-x"])
    }

    @Test func leaving() throws {
        try expect("1-2-3", Self.sample, gives: "-1", leaving: 3, others: ["signal": "-x-x"])
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let step = Duration.seconds(0.4)
        let flow = Flow.interval(step, count: 4).sample(on: Flow.interval(second))
        #expect(text(flow.virtualEvents()) == ["1:1", "1.6|"])
    }
}
