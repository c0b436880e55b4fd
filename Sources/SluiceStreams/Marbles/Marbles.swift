public import SluiceJSON

/// A marble diagram: the events of a stream as a line of text.
///
/// ```swift
/// let marbles = try Marbles(parsing: "-a-(b2)|")
/// marbles.events.map(\.time.seconds)  // [0.001, 0.003, 0.003, 0.007]
/// marbles.text                        // -a-(b2)|
/// ```
///
/// The text is in the format of RxJS's run mode. Each character takes one frame: `-` is nothing, `|` completion, `#`
/// failure, any other a value; spaces take no time; `(…)` puts its events into the frame of its `(`; `10ms `, `1.5s `,
/// and `2m ` are spans of time at the start or between spaces. A digit is an int, any other character a string, and
/// `'…'` a longer value: JSON if it is JSON, otherwise a string, one frame wide; `''` in it represents one `'`.
/// `docs/marbles.md` has the grammar and the differences from RxJS.
public struct Marbles: Sendable, Equatable {
    /// The relation of a diagram to its subscribers.
    public enum Kind: Sendable, Hashable {
        /// Starts from the beginning for each subscriber; a `^` is an error.
        case cold
        /// Runs independently of subscribers; `^` marks the time of the subscription.
        case hot
    }

    /// The maximum length of a text, in bytes: 1 MiB.
    public static let maximumByteCount = 1 << 20
    /// The frame of RxJS, and of the tests in documents: 1 ms.
    public static let defaultFrame = StreamTime(nanoseconds: 1_000_000)
    /// The default error of `#`, since a diagram cannot specify why a stream failed.
    public static let defaultError = StreamError(message: "error")

    /// The duration of one character.
    public let frame: StreamTime
    /// The events, in order; times count from the start of the diagram.
    public let events: [StreamEvent<JSON>]
    /// The time of `^`, from the start of the diagram; `nil` without one.
    public let subscription: StreamTime?
    /// The length of the diagram, including the time after the last event.
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
    ///   - text: The text of the diagram.
    ///   - kind: The kind of the error.
    ///   - frame: The duration of one character; more than 0.
    ///   - values: The values of characters, or of texts of `'…'`, in place of their usual ones.
    ///   - error: The error of `#`.
    /// - Throws: ``MarbleError`` with the column of the first error.
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

    /// Creates the diagram of the events of a stream.
    ///
    /// ```swift
    /// let stream = StreamModel(stream: [StreamItem<JSON>(value: "a", operators: [.delay(seconds: 3)])])
    /// try Marbles(stream.virtualEvents(), frame: StreamTime(seconds: 1)).text   // ---(a|)
    /// ```
    ///
    /// A group takes as many frames as it has characters, so that events soon after it need a shorter frame.
    ///
    /// - Parameters:
    ///   - events: The events in the order of their times, the end last.
    ///   - frame: The duration of one character. The default is the frame with the shortest text; of several, the
    ///     longest frame.
    ///   - end: The minimum length of the diagram.
    /// - Throws: ``MarbleError`` if the events are not in order, or follow a group too soon for the frame; the message
    ///   contains the longest possible frame. No frame is short enough for events that are fewer nanoseconds apart than
    ///   the preceding group has characters.
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

    /// The events that a subscriber at `^` receives, with times from there; if the stream has ended before, its end
    /// immediately.
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

    /// The canonical text, which reads back as an equal diagram (except for the error of `#`).
    ///
    /// It uses dashes, up to twelve or where they are no longer than a duration, and `'…'` for values that are not a
    /// single character.
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
    /// The canonical text; see ``text``.
    public var description: String { text }
}
