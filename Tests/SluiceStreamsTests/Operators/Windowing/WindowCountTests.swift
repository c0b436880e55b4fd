import SluiceStreams
import Testing

struct WindowCountTests {
    static let two = #"[{"windowCount": {"count": 2}}]"#

    @Test func arraysWithoutOperators() throws {
        try expect("1-2-3-|", Self.two, gives: "--'[1,2]'---('[3]'|)")
        try expect("1-2|", Self.two, gives: "--'[1,2]' ('[]'|)")
    }

    @Test func windowsOverlap() throws {
        let every = #"[{"windowCount": {"count": 2, "every": 1}}]"#
        try expect("1234|", every, gives: "-'[1,2]' '[2,3]' '[3,4]' ('[4]' '[]'|)")
    }

    @Test func valuesBetweenWindowsAreLeftOut() throws {
        let every = #"[{"windowCount": {"count": 1, "every": 3}}]"#
        try expect("12345|", every, gives: "'[1]'--'[4]'-|")
    }

    @Test func operatorsRunOnEachWindow() throws {
        let scan = #"[{"windowCount": {"count": 2, "operators": [{"scan": {"expression": "acc + x"}}]}}]"#
        try expect("1-2-3-4-|", scan, gives: "1-3-3-7-|")
        let first = #"[{"windowCount": {"count": 2, "operators": [{"prefix": {"count": 1}}]}}]"#
        try expect("1-2-3-4-|", first, gives: "1---3---|")
    }

    @Test func completionWaitsForTheOperators() throws {
        let delay = #"[{"windowCount": {"count": 2, "operators": [{"delay": {"seconds": 3}}]}}]"#
        try expect("1-2-3|", delay, gives: "---1-2-(3|)")
    }

    @Test func errors() throws {
        try expect("12-3#", Self.two, gives: "-'[1,2]'--#")
        let inner = #"[{"windowCount": {"count": 2, "operators": [{"map": {"expression": "4 / x"}}]}}]"#
        try expect("1-0-1|", inner, gives: "4-#")
    }

    /// A window goes on while its operators begin again.
    @Test func operatorsMaySubscribeAgain() throws {
        let retry = #"[{"map": {"expression": "4 / x"}}, {"retry": {"count": 1}}]"#
        try expect("0-1-2-|", #"[{"windowCount": {"count": 2, "operators": \#(retry)}}]"#, gives: "--4-2-|")
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.two, gives: "('[]'|)")
        try expect("-", Self.two, gives: "-")
    }

    @Test func leaving() throws { try expect("1-2-3-4", Self.two, gives: "--'[1,2]'", leaving: 6) }

    @Test func windowsWithinWindows() throws {
        let inner = #"[{"windowCount": {"count": 2, "operators": [{"windowCount": {"count": 1}}]}}]"#
        try expect("1----2------|", inner, gives: "'[1]'----('[2]' '[]')---('[]'|)")
    }

    @Test func openWindowsAreLimited() {
        let flow = Flow.values(contentsOf: Array(0..<100)).window(count: 50, every: 1) { $0.prefix(1) }
        let events = text(flow.virtualEvents(limits: StreamLimits(heldItems: 10)))
        #expect(events.last == "0# operators hold back more than 10 items")
    }

    @Test func native() {
        let sums = Flow.values(1, 2, 3).window(count: 2) { $0.scan(0, { $0 + $1 }) }
        #expect(text(sums.virtualEvents()) == ["0:1", "0:3", "0:3", "0|"])
        #expect(text(Flow.values(1, 2, 3).window(count: 2).virtualEvents()) == ["0:[1, 2]", "0:[3]", "0|"])
    }
}
