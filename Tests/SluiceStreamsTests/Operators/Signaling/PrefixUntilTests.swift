import SluiceStreams
import Testing

struct PrefixUntilTests {
    static let prefixUntil = #"[{"prefixUntil": {"source": {"ref": "signal"}}}]"#

    @Test func endsWithTheSignal() throws {
        try expect("1-2-3-|", Self.prefixUntil, gives: "1-2|", others: ["signal": "---x"])
        try expect("1-2-|", Self.prefixUntil, gives: "|", others: ["signal": "x"])
    }

    @Test func theSignalComesFirst() throws {
        try expect("1-2-3-|", Self.prefixUntil, gives: "1-|", others: ["signal": "--x"])
    }

    @Test func theEndOfTheSignalIsIgnored() throws {
        try expect("1-2-|", Self.prefixUntil, gives: "1-2-|", others: ["signal": "-|"])
    }

    @Test func errors() throws {
        try expect("1-#", Self.prefixUntil, gives: "1-#", others: ["signal": "---x"])
        try expect("1-2-|", Self.prefixUntil, gives: "1#", others: ["signal": "-#"])
        try expect("1-2-|", Self.prefixUntil, gives: "1|", others: ["signal": "-x#"])
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.prefixUntil, gives: "|", others: ["signal": "-"])
        try expect("-", Self.prefixUntil, gives: "---|", others: ["signal": "---x"])
    }

    @Test func leaving() throws {
        try expect("1-2-3", Self.prefixUntil, gives: "1", leaving: 2, others: ["signal": "---x"])
    }

    @Test func native() {
        #expect(text(Flow.values(1).prefix(until: Flow<Int>.never).virtualEvents()) == ["0:1", "0|"])
        #expect(text(Flow.values(1).prefix(until: Flow.values("now")).virtualEvents()) == ["0|"])
    }
}
