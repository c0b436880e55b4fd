public import SluiceJSON

/// A picture of a run: a row for each stage, with the events that it passed on.
///
/// ```swift
/// let numbers = MarblePicture.Row(name: "Serial Stream A", marks: [
///     .init(time: StreamTime(seconds: 1) ?? .zero, kind: .value(1), origins: [0]),
///     .init(time: StreamTime(seconds: 2) ?? .zero, kind: .completed),
/// ])
/// let picture = MarblePicture(title: "Numbers", rows: [numbers])
/// picture.svg()   // <svg xmlns="http://www.w3.org/2000/svg" …
/// ```
///
/// A picture is a plain value: ``svg(animated:)`` and ``tunnel(width:at:window:isColored:)`` draw it, and the owner of
/// the run fills it in.
public struct MarblePicture: Sendable, Equatable {
    /// An event that a stage passed on.
    public struct Mark: Sendable, Equatable {
        /// The time from the start of the run.
        public var time: StreamTime
        /// The kind of the event.
        public var kind: StreamEvent<JSON>.Kind
        /// The source values that it was made of, as numbers of the owner's choice: marks of the same origin have the
        /// same color in all rows.
        public var origins: [Int]

        /// Creates a mark.
        public init(time: StreamTime, kind: StreamEvent<JSON>.Kind, origins: [Int] = []) {
            self.time = time
            self.kind = kind
            self.origins = origins
        }
    }

    /// A stage: a source, an operator, or an inner stream.
    public struct Row: Sendable, Equatable {
        /// The display name: `filter`.
        public var name: String
        /// A description of its function, if there is one: `x != 3`.
        public var expression: String?
        /// The time at which it begins; an inner stream begins within the run.
        public var start: StreamTime
        /// The nesting depth: 0 for the stages, 1 for the inner streams of the stage above.
        public var depth: Int
        /// The marks, in the order of their times.
        public var marks: [Mark]

        /// Creates a row.
        public init(
            name: String,
            expression: String? = nil,
            start: StreamTime = .zero,
            depth: Int = 0,
            marks: [Mark]
        ) {
            self.name = name
            self.expression = expression
            self.start = start
            self.depth = depth
            self.marks = marks
        }
    }

    /// The title above the picture.
    public var title: String
    /// The stages, the source first.
    public var rows: [Row]
    /// The minimum end of the time axis.
    public var end: StreamTime

    /// Creates a picture.
    public init(title: String, rows: [Row], end: StreamTime = .zero) {
        self.title = title
        self.rows = rows
        self.end = end
    }

    /// The maximum number of rows that are drawn.
    public static let maximumRowCount = 60
    /// The maximum number of marks of one row that are drawn.
    public static let maximumMarkCount = 240

    /// Creates the picture of one run, each of whose values has an origin of its own.
    public init(title: String, events: some Sequence<StreamEvent<JSON>>) {
        let marks = events.enumerated().map { Mark(time: $1.time, kind: $1.kind, origins: $1.isLast ? [] : [$0]) }
        self.init(title: title, rows: [Row(name: title, marks: marks)])
    }

    /// The last moment that the picture shows.
    var span: StreamTime {
        rows.prefix(Self.maximumRowCount).reduce(end) { end, row in
            let last = row.marks.prefix(MarbleLanes.examined).map(\.time).max() ?? .zero
            return max(end, last, row.start)
        }
    }
}
