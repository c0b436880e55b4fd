public import SluiceJSON

/// A marble diagram: what a stream does, as a line of text.
///
/// ```swift
/// let marbles = try Marbles(parsing: "-a-(b2)|")
/// marbles.events.map(\.time.seconds)  // [0.001, 0.003, 0.003, 0.007]
/// marbles.text                        // -a-(b2)|
/// ```
///
/// The text is RxJS's run mode. Each character takes one frame: `-` nothing, `|` completion, `#` failure, any other a
/// value; spaces take no time; `(…)` puts its events into the frame of its `(`; `10ms `, `1.5s ` and `2m ` are spans of
/// time when they stand at the start or behind a space and before one. A digit is an int, any other character a string,
/// and `'…'` a longer value: JSON if it is JSON, else a string, one frame wide; `''` in it stands for one `'`.
/// `docs/marbles.md` has the grammar and what differs from RxJS.
public struct Marbles: Sendable, Equatable {
    /// Who subscribes, and when.
    public enum Kind: Sendable, Hashable {
        /// Starts afresh for each subscriber; a `^` is an error.
        case cold
        /// Runs whoever listens; `^` marks where the subscriber comes.
        case hot
    }

    /// The longest text that is read, in bytes: 1 MiB.
    public static let maximumByteCount = 1 << 20
    /// The frame of RxJS, and of the tests in documents: 1 ms.
    public static let defaultFrame = StreamTime(nanoseconds: 1_000_000)
    /// What `#` fails with unless told otherwise: a diagram cannot say why a stream failed.
    public static let defaultError = StreamError(message: "error")

    /// How long one character lasts.
    public let frame: StreamTime
    /// What happens, in order; times count from the start of the diagram.
    public let events: [StreamEvent<JSON>]
    /// Where `^` stands, from the start of the diagram; `nil` without one.
    public let subscription: StreamTime?
    /// How long the diagram is, with what follows the last event.
    public let length: StreamTime

    /// Reads a diagram.
    ///
    /// ```swift
    /// let marbles = try Marbles(parsing: "-a 9ms b", values: ["a": ["id": 7]])
    /// marbles.events[0].kind           // value({"id":7})
    /// marbles.events[1].time.seconds   // 0.011: the a takes a frame too
    /// ```
    ///
    /// - Parameters:
    ///   - frame: How long one character lasts; more than 0.
    ///   - values: What stands for a character, or for the text of a `'…'`, instead of itself.
    ///   - error: What `#` fails with.
    /// - Throws: ``MarbleError`` with the column of the first fault.
    /// - Complexity: O(*n*) in the length of the text.
    public init(
        parsing text: String,
        _ kind: Kind = .cold,
        frame: StreamTime = defaultFrame,
        values: JSON.Object = [:],
        error: StreamError = defaultError
    ) throws(MarbleError) {
        var parser = try MarbleParser(text, kind, frame: frame, values: values, error: error)
        try parser.parse()
        self.frame = frame
        events = parser.events
        subscription = parser.subscription.map(StreamTime.init(nanoseconds:))
        length = StreamTime(nanoseconds: parser.clock.time)
    }

    /// The diagram of what a stream did.
    ///
    /// ```swift
    /// let stream = StreamModel(stream: [StreamItem<JSON>(value: "a", operators: [.delay(seconds: 3)])])
    /// try Marbles(stream.virtualEvents(), frame: StreamTime(seconds: 1)).text   // ---(a|)
    /// ```
    ///
    /// A group takes as many frames as it has characters, so events that follow it sooner need a shorter frame.
    ///
    /// - Parameters:
    ///   - events: In the order of their times, the end last.
    ///   - frame: How long one character lasts. Without it: the frame that gives the shortest text, of those the longest.
    ///   - until: How far the diagram reaches at least.
    /// - Throws: ``MarbleError`` when the events are not in order, or follow a group too soon for the frame; it says how
    ///   long the frame may be. No frame serves events that are fewer nanoseconds apart than the group before has
    ///   characters.
    /// - Complexity: O(*n*) in the number of events.
    public init(
        _ events: some Sequence<StreamEvent<JSON>>,
        frame: StreamTime? = nil,
        until end: StreamTime? = nil
    ) throws(MarbleError) {
        let events = Array(events)
        let layout = try MarbleLayout(events, subscription: nil, length: end?.nanoseconds)
        let chosen = try layout.fitting(frame?.nanoseconds)
        self.frame = StreamTime(nanoseconds: chosen)
        self.events = events
        subscription = nil
        length = StreamTime(nanoseconds: try layout.length(frame: chosen))
    }

    /// What a subscriber sees who comes at `^`, with times from there; of a stream that has ended before, its end at once.
    public var received: [StreamEvent<JSON>] {
        guard let subscription else { return events }
        if let last = events.last, last.isLast, last.time < subscription {
            return [StreamEvent(time: .zero, kind: last.kind)]
        }
        return events.drop { $0.time < subscription }.map { event in
            let time = StreamTime(nanoseconds: event.time.nanoseconds - subscription.nanoseconds)
            return StreamEvent(time: time, kind: event.kind)
        }
    }

    /// The canonical text, which reads back as an equal diagram (but for what `#` failed with).
    ///
    /// Dashes, up to twelve or where they are no longer than a duration; values that are no single character as `'…'`.
    /// - Complexity: O(*n*) in the number of events.
    public var text: String {
        let layout = MarbleLayout(
            cells: MarbleLayout.cells(events),
            subscription: subscription?.nanoseconds,
            length: length.nanoseconds
        )
        return layout.text(frame: frame.nanoseconds)
    }
}

extension Marbles: CustomStringConvertible {
    /// ``text``.
    public var description: String { text }
}
