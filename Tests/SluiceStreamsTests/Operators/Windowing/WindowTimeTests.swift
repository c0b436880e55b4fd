import SluiceStreams
import Testing

struct WindowTimeTests {
    static let arrays = #"[{"windowTime": {"seconds": 3}}]"#

    @Test func arraysWithoutOperators() throws {
        try expect("12-----3|", Self.arrays, gives: "---'[1,2]'--'[]'-('[3]'|)")
    }

    @Test func operatorsRunOnEachWindow() throws {
        let scan = #"[{"windowTime": {"seconds": 3, "operators": [{"scan": {"expression": "acc + x"}}]}}]"#
        try expect("12--34-|", scan, gives: "13--37-|")
    }

    @Test func completionWaitsForTheOperators() throws {
        let delay = #"[{"windowTime": {"seconds": 3, "operators": [{"delay": {"seconds": 4}}]}}]"#
        try expect("12|", delay, gives: "----1(2|)")
    }

    @Test func anErrorDropsTheWindow() throws { try expect("12#", Self.arrays, gives: "--#") }

    @Test func emptyAndNever() throws {
        try expect("|", Self.arrays, gives: "('[]'|)")
        try expect("-", Self.arrays, gives: "---'[]'--'[]'", leaving: 9)
    }

    @Test func leaving() throws { try expect("12---3", Self.arrays, gives: "---'[1,2]'", leaving: 6) }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let step = Duration.seconds(0.4)
        let flow = Flow.interval(step, count: 4).window(every: second) { $0.prefix(1) }
        #expect(text(flow.virtualEvents()) == ["0.4:0", "1.2:2", "1.6|"])
    }
}
