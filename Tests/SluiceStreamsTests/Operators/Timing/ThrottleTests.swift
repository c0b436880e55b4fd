import SluiceStreams
import Testing

struct ThrottleTests {
    static let leading = #"[{"throttle": {"seconds": 3}}]"#
    static let both = #"[{"throttle": {"seconds": 3, "trailing": true}}]"#
    static let trailing = #"[{"throttle": {"seconds": 3, "leading": false, "trailing": true}}]"#
    static let neither = #"[{"throttle": {"seconds": 3, "leading": false}}]"#

    @Test func theFirstOfASpan() throws { try expect("12--34-5-|", Self.leading, gives: "1---3----|") }

    @Test func theFirstAndTheLast() throws { try expect("12--3-----|", Self.both, gives: "1--2--3---|") }

    @Test func theLast() throws { try expect("123-------4----|", Self.trailing, gives: "---3---------4-|") }

    @Test func neitherIsNothing() throws { try expect("12--3-|", Self.neither, gives: "------|") }

    @Test func completionWaitsForWhatIsToCome() throws {
        try expect("12|", Self.both, gives: "1--(2|)")
        try expect("1-|", Self.both, gives: "1-|")
        try expect("12|", Self.leading, gives: "1-|")
    }

    @Test(arguments: [both, trailing]) func anErrorDropsWhatWaits(_ operators: String) throws {
        try expect(
            "-1#",
            #"[{"delay": {"seconds": 0}}, \#(operators.dropFirst())"#,
            gives: operators == Self.both ? "-1#" : "--#"
        )
    }

    @Test(arguments: [leading, both, trailing]) func emptyAndNever(_ operators: String) throws {
        try expect("|", operators, gives: "|")
        try expect("-", operators, gives: "-")
    }

    @Test func leaving() throws {
        try expect("12", Self.both, gives: "1", leaving: 3)
        try expect("12", Self.both, gives: "1--2", leaving: 4)
    }

    @Test func native() throws {
        let second = Duration.seconds(1)
        let half = Duration.seconds(0.5)
        let values = Flow.interval(half, first: .zero, count: 4)
        #expect(text(values.throttle(for: second).virtualEvents()) == ["0:0", "1:2", "1.5|"])
        let last = values.throttle(for: second, leading: false, trailing: true)
        #expect(text(last.virtualEvents()) == ["1:1", "2:3", "2|"])
    }
}
