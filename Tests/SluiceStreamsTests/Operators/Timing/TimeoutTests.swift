import SluiceJSON
import SluiceStreams
import Testing

struct TimeoutTests {
    static let timeout = #"[{"timeout": {"seconds": 3}}]"#
    static let orElse = #"[{"timeout": {"seconds": 3, "else": {"ref": "other"}}}]"#

    @Test func measuredFromTheSubscriptionAndFromEachValue() throws {
        try expect("-----1", Self.timeout, gives: "---#")
        try expect("-1-2--3----4", Self.timeout, gives: "-1-2--3--#")
    }

    @Test func inTimeIsInTime() throws { try expect("---1--|", Self.timeout, gives: "---1--|") }

    @Test func errorEmptyAndNever() throws {
        try expect("-1-#", Self.timeout, gives: "-1-#")
        try expect("|", Self.timeout, gives: "|")
        try expect("-", Self.timeout, gives: "---#")
    }

    @Test func leaving() throws { try expect("-1-", Self.timeout, gives: "-1", leaving: 4) }

    @Test func theOtherMayTakeItsTime() throws {
        try expect("-1----2", Self.orElse, gives: "-1--------9-|", others: ["other": "------9-|"])
        try expect("-1----2", Self.orElse, gives: "-1---#", others: ["other": "-#"])
        try expect("-1|", Self.orElse, gives: "-1|", others: ["other": "9|"])
    }

    @Test func theErrorSaysWhere() throws {
        let document = try StreamDocument(
            parsing: #"{"source": {"never": {}}, "operators": [{"timeout": {"seconds": 1.5}}]}"#
        )
        #expect(
            text(try document.virtualEvents()) == ["1.5# operators[0].timeout: nothing came within 1.5 seconds"]
        )
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        #expect(text(Flow<Int>.never.timeout(second).virtualEvents()) == ["1# nothing came within 1 seconds"])
        #expect(text(Flow<Int>.never.timeout(second, else: .values(1)).virtualEvents()) == ["1:1", "1|"])
    }
}
