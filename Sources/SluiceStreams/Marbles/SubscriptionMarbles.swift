/// The times at which a subscriber subscribes and unsubscribes, as a line of text: `--^---!`.
///
/// ```swift
/// let marbles = try SubscriptionMarbles(parsing: "--^ 10ms !")
/// marbles.subscription?.seconds     // 0.002
/// marbles.unsubscription?.seconds   // 0.013
/// ```
///
/// `-`, spaces, durations, and groups are those of ``Marbles``; `^` is the subscription, `!` its end.
public struct SubscriptionMarbles: Sendable, Hashable {
    /// The time of the subscription; `nil` without `^`.
    public let subscription: StreamTime?
    /// The time at which the subscription ends; `nil` if it doesn't.
    public let unsubscription: StreamTime?

    /// Creates the marbles of a subscriber with these times.
    public init(subscription: StreamTime?, unsubscription: StreamTime?) {
        self.subscription = subscription
        self.unsubscription = unsubscription
    }

    /// Reads the text.
    ///
    /// - Parameters:
    ///   - text: The text of the diagram.
    ///   - frame: The duration of one character; more than 0.
    /// - Throws: ``MarbleError`` with the column of the first error.
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing text: String, frame: StreamTime = Marbles.defaultFrame) throws(MarbleError) {
        var clock = try MarbleClock(frame: frame)
        var scanner = try MarbleScanner(text)
        var (come, left): (Int64?, Int64?)
        while let token = try scanner.next() {
            switch token {
            case .nothing: try clock.advance(clock.frame, scanner)
            case .duration(let span): try clock.advance(span, scanner)
            case .open: try clock.open(scanner)
            case .close: try clock.close(scanner)
            case .subscription:
                if come != nil { throw scanner.fault("a second '^'", hint: "a subscriber comes once") }
                if left != nil {
                    throw scanner.fault("'^' follows '!'", hint: "a subscription begins before it ends")
                }
                come = clock.eventTime
                try clock.advance(clock.frame, scanner)
            case .unsubscription:
                if left != nil { throw scanner.fault("a second '!'", hint: "a subscriber leaves once") }
                left = clock.eventTime
                try clock.advance(clock.frame, scanner)
            case .completed, .failed, .value, .text:
                throw scanner.fault(
                    "a value or an end in a subscription",
                    hint: "only '^', '!', '-', groups and durations stand here"
                )
            }
        }
        try clock.finish()
        subscription = come.map(StreamTime.init(nanoseconds:))
        unsubscription = left.map(StreamTime.init(nanoseconds:))
    }

    /// Returns the canonical text.
    ///
    /// - Throws: ``MarbleError`` if the subscription ends less than a frame after it begins, but not at the same time.
    public func text(frame: StreamTime = Marbles.defaultFrame) throws(MarbleError) -> String {
        var cells: [MarbleLayout.Cell] = []
        if let subscription { cells.append(MarbleLayout.Cell(time: subscription.nanoseconds, marks: ["^"])) }
        if let unsubscription {
            if unsubscription == subscription {
                cells[0].marks.append("!")
            } else {
                cells.append(MarbleLayout.Cell(time: unsubscription.nanoseconds, marks: ["!"]))
            }
        }
        let layout = MarbleLayout(cells: cells)
        return layout.text(frame: try layout.fitting(frame.nanoseconds))
    }
}
