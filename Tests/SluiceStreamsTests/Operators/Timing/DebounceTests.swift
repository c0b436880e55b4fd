import SluiceStreams
import Testing

struct DebounceTests {
    static let debounce = #"[{"debounce": {"seconds": 3}}]"#

    @Test func theLastOfABurst() throws { try expect("1234-----5---|", Self.debounce, gives: "------4-----5|") }

    @Test func completionBringsWhatWaits() throws {
        try expect("1|", Self.debounce, gives: "-(1|)")
        let values = #"[{"debounce": {"seconds": 3}}, {"flatMap": {"to": {"values": [7, 8]}}}]"#
        try expect("1|", values, gives: "-(78|)")
    }

    @Test func anErrorDropsWhatWaits() throws { try expect("1-#", Self.debounce, gives: "--#") }

    @Test func emptyAndNever() throws {
        try expect("|", Self.debounce, gives: "|")
        try expect("1-", Self.debounce, gives: "---1")
    }

    @Test func leaving() throws {
        try expect("1----2", Self.debounce, gives: "-", leaving: 3)
        try expect("1----2", Self.debounce, gives: "---1", leaving: 8)
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let half = Duration.seconds(0.5)
        #expect(text(Flow.interval(second, count: 2).debounce(for: half).virtualEvents()) == ["1.5:0", "2:1", "2|"])
        #expect(text(Flow.values(1, 2).debounce(for: second).virtualEvents()) == ["0:2", "0|"])
    }
}
