import SluiceStreams
import Testing

struct DropUntilTests {
    static let dropUntil = #"[{"dropUntil": {"source": {"ref": "signal"}}}]"#

    @Test func opensWithTheSignal() throws {
        try expect("1-2-3-4|", Self.dropUntil, gives: "----3-4|", others: ["signal": "---x"])
        try expect("1-2|", Self.dropUntil, gives: "1-2|", others: ["signal": "x"])
    }

    @Test func withoutASignalAllIsDropped() throws {
        try expect("1-2-|", Self.dropUntil, gives: "----|", others: ["signal": "-|"])
    }

    @Test func errors() throws {
        try expect("1-#", Self.dropUntil, gives: "--#", others: ["signal": "---x"])
        try expect("1-2-|", Self.dropUntil, gives: "-#", others: ["signal": "-#"])
        // After its first value nobody listens any more.
        try expect("1-2-|", Self.dropUntil, gives: "--2-|", others: ["signal": "-x#"])
    }

    @Test func emptyAndNever() throws {
        try expect("|", Self.dropUntil, gives: "|", others: ["signal": "-x"])
        try expect("-", Self.dropUntil, gives: "-", others: ["signal": "-x"])
    }

    @Test func leaving() throws {
        try expect("1-2-3", Self.dropUntil, gives: "--2", leaving: 4, others: ["signal": "-x"])
    }

    @Test func native() {
        #expect(text(Flow.values(1).drop(until: Flow<Int>.never).virtualEvents()) == ["0|"])
        #expect(text(Flow.values(1).drop(until: Flow.values("now")).virtualEvents()) == ["0:1", "0|"])
    }
}
