import SluiceStreams
import Testing

struct MeasureIntervalTests {
    static let measureInterval = #"[{"measureInterval": {}}]"#

    @Test func sinceTheSubscriptionAndTheOneBefore() throws {
        try expect("--a---(bc)-|", Self.measureInterval, gives: "--2---(40)-|")
    }

    /// `flatMap` subscribes later.
    @Test func aLaterSubscriptionCountsFromItsStart() throws {
        let inner = #"{"source": {"timer": {"seconds": 2}}, "operators": [{"measureInterval": {}}]}"#
        try expect("---1|", #"[{"flatMap": {"to": \#(inner)}}]"#, gives: "-----(2|)")
    }

    @Test func errorEmptyAndNever() throws {
        try expect("-a#", Self.measureInterval, gives: "-1#")
        try expect("|", Self.measureInterval, gives: "|")
        try expect("-", Self.measureInterval, gives: "-")
    }

    @Test func leaving() throws { try expect("-a-b", Self.measureInterval, gives: "-1", leaving: 3) }

    @Test func native() throws {
        let half = Duration.seconds(0.5)
        let flow = Flow.interval(half, count: 2).measureInterval()
        #expect(text(flow.virtualEvents()) == ["0.5:0.5 seconds", "1:0.5 seconds", "1|"])
    }
}
