import SluiceJSON
import SluiceStreams
import SluiceTestSupport
import Testing

/// Whatever the text, the answer comes soon.
@Suite struct HostileMarblesTests {
    private static let limit = Marbles.maximumByteCount

    @Test func tooLongIsRefusedUnread() {
        let text = String(repeating: "a", count: Self.limit + 1)
        let error = #expect(throws: MarbleError.self) { try Marbles(parsing: text) }
        #expect(
            error?.description
                == "a diagram has at most 1048576 bytes, and not 1048577 (write the items as a stream)"
        )
    }

    private static let units = [
        "(", ")", "'", "''", "'[", "1ms ", "1", "9s ", "a ", "(a)", "-", "^", "!", "💥", "'{\"a\":", "1.1",
    ]

    /// Processor time is measured in a process of its own.
    @Test func muchOfAnythingIsQuick() async {
        await #expect(processExitsWith: .success) {
            for unit in Self.units {
                // An eighth of the longest text, in an eighth of the time: the time grows with the length alone.
                let text = String(repeating: unit, count: Self.limit / 8 / unit.utf8.count)
                #expect(processorSeconds { _ = try? Marbles(parsing: text) } < 3, "\(unit)")
                #expect(processorSeconds { _ = try? SubscriptionMarbles(parsing: text) } < 3, "\(unit)")
            }
        }
    }

    @Test func frameAfterFrameOverflowsNothing() {
        let frame = StreamTime(seconds: 1e9) ?? .zero
        let error = #expect(throws: MarbleError.self) { try Marbles(parsing: "a--", frame: frame) }
        #expect(error?.message == "the diagram is longer than 1000000000 seconds")
    }

    /// Random texts of the marks that mean something.
    @Test func randomTextsReadOrAreRefusedWithAColumn() {
        var random = Seeded(seed: 51)
        let pieces = [
            "-", "(", ")", "|", "#", "^", "!", "'", "''", "a", "1", "10ms ", " 5s ", "m", " ", "\"", "{", "💥", ".",
        ]
        for _ in 0..<5000 {
            let parts = (0..<Int.random(in: 0...20, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let text = parts.joined()
            let problems = exerciseMarbles(Array(text.utf8))
            #expect(problems.isEmpty, "\(text): \(problems)")
        }
    }
}
