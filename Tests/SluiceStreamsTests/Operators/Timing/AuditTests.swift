import SluiceStreams
import Testing

struct AuditTests {
    static let audit = #"[{"audit": {"seconds": 3}}]"#

    @Test func theLatestOfASpan() throws { try expect("12---34----|", Self.audit, gives: "---2----4--|") }

    @Test func completionWaitsForTheSpan() throws {
        try expect("1|", Self.audit, gives: "---(1|)")
        try expect("1----|", Self.audit, gives: "---1-|")
    }

    @Test func anErrorDropsTheSpan() throws { try expect("12#", Self.audit, gives: "--#") }

    @Test func emptyAndNever() throws {
        try expect("|", Self.audit, gives: "|")
        try expect("1-", Self.audit, gives: "---1")
    }

    @Test func leaving() throws { try expect("12-", Self.audit, gives: "-", leaving: 3) }

    @Test func native() throws {
        let second = Duration.seconds(1)
        #expect(text(Flow.values(1, 2).audit(for: second).virtualEvents()) == ["1:2", "1|"])
    }
}
