import SluiceJSON
import SluiceStreams
import Testing

@Suite struct MarbleComparisonTests {
    private func compare(_ expected: String, _ actual: String, frame: StreamTime = Marbles.defaultFrame) throws
        -> String
    {
        let comparison = MarbleComparison(
            expected: try Marbles(parsing: expected, frame: frame).events,
            actual: try Marbles(parsing: actual, frame: frame).events,
            frame: frame
        )
        #expect(!comparison.isEqual)
        return comparison.description
    }

    @Test func bothAreAlike() throws {
        let events = try Marbles(parsing: "--a-(bc)|").events
        let comparison = MarbleComparison(expected: events, actual: events)
        #expect(comparison.isEqual)
        #expect(comparison.description == "both are alike")
        #expect(MarbleComparison(expected: [], actual: []).isEqual)
    }

    @Test func aDiagramWantsAnyFailure() throws {
        let expected = try Marbles(parsing: "-#").events
        let actual = try Marbles(parsing: "-#", error: StreamError(message: "broke")).events
        #expect(MarbleComparison(expected: expected, actual: actual).isEqual)
        #expect(!MarbleComparison(expected: actual, actual: expected).isEqual)
    }

    @Test func theCaretStandsUnderTheFirstDifference() throws {
        #expect(
            try compare("--a-b|", "--a--c|") == """
                expected  --a-b|
                actual    --a--c|
                              ^
                first difference at 0.004 s
                    0.002 s  "a"
                  - 0.004 s  "b"
                  - 0.005 s  completed
                  + 0.005 s  "c"
                  + 0.006 s  completed
                """
        )
    }

    @Test func withinAGroupTheMarkIsFound() throws {
        #expect(
            try compare("-(ab)-c|", "-(ax)-c|") == """
                expected  -(ab)-c|
                actual    -(ax)-c|
                             ^
                first difference at 0.001 s
                    0.001 s  "a"
                  - 0.001 s  "b"
                  - 0.006 s  "c"
                  - 0.007 s  completed
                  + 0.001 s  "x"
                  + 0.006 s  "c"
                  + 0.007 s  completed
                """
        )
    }

    @Test func aMomentStandsInOneColumn() throws {
        #expect(
            try compare("-'long'-b 50ms c|", "-1-b 50ms d|") == """
                expected  -'long'-b 50ms c|
                actual    -1-     b 50ms d|
                           ^
                first difference at 0.001 s
                  - 0.001 s  "long"
                  - 0.003 s  "b"
                  - 0.054 s  "c"
                  - 0.055 s  completed
                  + 0.001 s  1
                  + 0.003 s  "b"
                  + 0.054 s  "d"
                  + 0.055 s  completed
                """
        )
        #expect(try compare("(ab)c", "a---d").hasPrefix("expected  (ab)c\nactual    a---d\n            ^\n"))
        #expect(try compare("💥-a", "x-a").hasPrefix("expected  💥-a\nactual    x- a\n          ^\n"))
    }

    @Test func whatIsMissingAndWhatIsTooMuch() throws {
        #expect(
            try compare("-a|", "-a") == """
                expected  -a|
                actual    -a
                            ^
                first difference at 0.002 s
                    0.001 s  "a"
                  - 0.002 s  completed
                  + nothing more came
                """
        )
        #expect(
            try compare("", "--#") == """
                expected\u{20}\u{20}
                actual    --#
                            ^
                first difference at 0.002 s
                  - nothing more was expected
                  + 0.002 s  failed: error
                """
        )
    }

    @Test func longRunsAreCut() throws {
        let same = String(repeating: "a", count: 1000)
        let text = try compare(same + "b" + same, same + "c" + same)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "expected  …" + String(repeating: "a", count: 24) + "b" + String(repeating: "a", count: 23))
        #expect(lines[1] == "actual    …" + String(repeating: "a", count: 24) + "c" + String(repeating: "a", count: 23))
        #expect(lines[2].count == 10 + 1 + 24 + 1)
        #expect(lines[4] == "    … 997 before, alike")
        #expect(text.contains("  - … 993 more"))
    }

    @Test func eventsThatStandCloseTakeAShorterFrame() throws {
        let group = [event(0, 1), event(0, 2), event(millisecond, 3)]
        let other = [event(0, 1), event(millisecond, 3)]
        #expect(
            MarbleComparison(expected: group, actual: other).description == """
                expected  (12)-3
                actual    1----3
                            ^
                a character is 0.0002 s
                first difference at 0 s
                    0 s  1
                  - 0 s  2
                  - 0.001 s  3
                  + 0.001 s  3
                """
        )
        // No frame serves: words alone.
        let never = [event(0, 1), event(0, 2), event(1, 3)]
        #expect(
            MarbleComparison(expected: never, actual: []).description.hasPrefix("first difference at 0 s\n  - 0 s  1\n")
        )
    }

    /// The terminal is not steered by what a stream holds.
    @Test func hostileValuesAreHarmless() throws {
        let hostile = [event(0, .string("\u{1B}[2J\u{202E}\n" + String(repeating: "x", count: 100_000)))]
        let text = MarbleComparison(expected: hostile, actual: [event(0, 1)]).description
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0 != "\u{202E}") })
        #expect(text.count < 400)
    }

    @Test func timesAtTheEndOfTimeAreShown() throws {
        let late = StreamEvent<JSON>(time: StreamTime(seconds: 1e9) ?? .zero, kind: .value(1))
        let text = MarbleComparison(expected: [late, late], actual: [], frame: StreamTime(seconds: 1e9) ?? .zero)
            .description
        #expect(text.hasPrefix("expected  -(11)\n"))
    }
}
