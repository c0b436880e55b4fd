public import SluiceJSON

/// What a run looks like: a row for each stage, with what the stage passed on.
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
/// A plain value: ``svg(animated:)`` and ``tunnel(width:at:window:isColored:)`` draw it, and whoever made the run fills it in.
public struct MarblePicture: Sendable, Equatable {
    /// Something that a stage passed on, or its end.
    public struct Mark: Sendable, Equatable {
        /// When, from the start of the run.
        public var time: StreamTime
        /// What.
        public var kind: StreamEvent<JSON>.Kind
        /// Which of the sources' values it was made of, by numbers of the maker's choice: marks of one origin have one
        /// color in all rows.
        public var origins: [Int]

        /// Makes a mark.
        public init(time: StreamTime, kind: StreamEvent<JSON>.Kind, origins: [Int] = []) {
            self.time = time
            self.kind = kind
            self.origins = origins
        }
    }

    /// A stage: a source, an operator, or an inner stream.
    public struct Row: Sendable, Equatable {
        /// What people call it: `filter`.
        public var name: String
        /// What it does, where there is something to say: `x != 3`.
        public var expression: String?
        /// When it begins; an inner stream begins within the run.
        public var start: StreamTime
        /// How deep it stands: 0 for the stages, 1 for the inner streams of the stage above.
        public var depth: Int
        /// What it passed on, in the order of the times.
        public var marks: [Mark]

        /// Makes a row.
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

    /// What stands above the picture.
    public var title: String
    /// The stages, the source first.
    public var rows: [Row]
    /// How far the time axis reaches at least.
    public var end: StreamTime

    /// Makes a picture.
    public init(title: String, rows: [Row], end: StreamTime = .zero) {
        self.title = title
        self.rows = rows
        self.end = end
    }

    /// The rows that are drawn, at most.
    public static let maximumRowCount = 60
    /// The marks of one row that are drawn, at most.
    public static let maximumMarkCount = 240

    /// The picture of one run, whose values are origins of their own.
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
