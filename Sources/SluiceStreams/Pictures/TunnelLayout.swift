public import SluiceJSON

/// The layout of a tunnel at one moment: its balls, marks, and time axis, for a view that draws them.
///
/// ```swift
/// let events = Array(Flow.values("a", "b").delay(for: .seconds(1)).virtualEvents())
/// let layout = TunnelLayout(events, at: .seconds(3), window: .seconds(10))
/// layout.balls.map(\.position)  // [0.2, 0.2]
/// layout.balls.map(\.lane)      // [0, 1]
/// ```
///
/// A value enters the tunnel at position 0, travels as time passes, and leaves at position 1 after `window`. Values that
/// would overlap are in different lanes, and stay in them. A view multiplies positions by its width; which side is 0 is
/// its choice. Equal events and times give equal layouts.
public struct TunnelLayout: Sendable, Equatable {
    /// A value in the tunnel.
    public struct Ball: Sendable, Equatable, Identifiable {
        /// The number of the event in the run, from 0.
        public let id: Int
        /// The text of the value, of at most twelve columns.
        public let text: String
        /// The position of the middle, from 0, where values enter, to 1.
        public let position: Double
        /// The lane, from 0 to less than ``TunnelLayout/laneCount``.
        public let lane: Int
        /// The source values that it was made of; values of the same origin have the same color.
        public let origins: [Int]
    }

    /// The end of the stream, or an error that was reported.
    public struct Mark: Sendable, Equatable, Identifiable {
        /// The kinds of marks.
        public enum Kind: Sendable, Equatable {
            /// The stream has completed.
            case completed
            /// The stream has failed.
            case failed
            /// An item failed and was omitted; the stream continues.
            case reported
        }

        /// The number of the event in the run, from 0.
        public let id: Int
        /// The kind of the mark.
        public let kind: Kind
        /// The error; empty for a completion.
        public let text: String
        /// The position, from 0, where values enter, to 1.
        public let position: Double
    }

    /// A tick of the time axis.
    public struct Tick: Sendable, Equatable, Identifiable {
        /// The time from the start of the run.
        public let time: Duration
        /// The label, such as `1.5 s`.
        public let text: String
        /// The position, from 0, where values enter, to 1.
        public let position: Double

        /// The time.
        public var id: Duration { time }
    }

    /// The values that are in the tunnel, in the order in which they entered.
    public private(set) var balls: [Ball] = []
    /// The ends and reported errors that are in the tunnel.
    public private(set) var marks: [Mark] = []
    /// The ticks of the axis, in the order of their times.
    public private(set) var ticks: [Tick] = []
    /// The number of lanes, at least 1.
    public private(set) var laneCount = 1
    /// The number of values in the tunnel for which there was no lane.
    public private(set) var omittedCount = 0

    /// The default time span of a tunnel: 10 s.
    public static let defaultWindow = Duration.seconds(10)
    /// The maximum number of lanes.
    public static let maximumLaneCount = 4

    /// Creates the layout of the events of a run.
    ///
    /// - Parameters:
    ///   - events: The events, in the order of their times; later ones than `time` are not visible yet.
    ///   - time: The time since the start of the run.
    ///   - window: The time that a value takes from one end to the other; at least a millisecond.
    ///   - ballWidth: The width of a ball as a share of the tunnel's, from 0 to 1.
    /// - Complexity: O(*n*) in the number of events.
    public init<Value>(
        _ events: some Sequence<StreamEvent<Value>>,
        at time: Duration,
        window: Duration = defaultWindow,
        ballWidth: Double = 0.08
    ) {
        let shown = events.lazy.map { event in
            Shown(time: event.time, kind: event.kind.mark, text: { Self.text(of: event) }, origins: nil)
        }
        self.init(shown, at: time, window: window, ballWidth: ballWidth)
    }

    /// Creates the layout of a stage of a picture, whose values have the colors of their origins.
    ///
    /// - Parameters: As of ``init(_:at:window:ballWidth:)``.
    /// - Complexity: O(*n*) in the number of marks.
    public init(
        _ row: MarblePicture.Row,
        at time: Duration,
        window: Duration = defaultWindow,
        ballWidth: Double = 0.08
    ) {
        let shown = row.marks.lazy.map { mark in
            Shown(
                time: mark.time,
                kind: mark.kind.mark,
                text: { Self.text(of: StreamEvent(time: mark.time, kind: mark.kind)) },
                origins: mark.origins
            )
        }
        self.init(shown, at: time, window: window, ballWidth: ballWidth)
    }

    /// An event, with a text that is made only if it is visible.
    private struct Shown {
        let time: StreamTime
        /// The kind of mark; `nil` for a value.
        let kind: Mark.Kind?
        let text: () -> String
        /// The origins; `nil` for an origin of its own.
        let origins: [Int]?
    }

    private init(_ events: some Sequence<Shown>, at time: Duration, window: Duration, ballWidth: Double) {
        let now = StreamTime(time)
        let window = StreamTime(max(window, .milliseconds(1))).nanoseconds
        let width = ballWidth > 0 ? min(ballWidth, 1) : 0
        let ballTime = Int64(Double(window) * width)
        func position(_ time: StreamTime) -> Double { Double(now.nanoseconds - time.nanoseconds) / Double(window) }
        // The time of the last ball in each lane. Lanes depend on no moment, so that a ball stays in its lane.
        var lanes: [Int64] = []
        for (id, event) in events.enumerated() {
            guard event.time <= now else { break }
            let isVisible = now.nanoseconds - event.time.nanoseconds <= window
            if let kind = event.kind {
                if isVisible {
                    marks.append(Mark(id: id, kind: kind, text: event.text(), position: position(event.time)))
                }
                continue
            }
            let free = lanes.firstIndex { event.time.nanoseconds - $0 >= max(ballTime, 1) }
            guard let lane = free ?? (lanes.count < Self.maximumLaneCount ? lanes.count : nil) else {
                if isVisible { omittedCount += 1 }
                continue
            }
            if lane == lanes.count {
                lanes.append(event.time.nanoseconds)
            } else {
                lanes[lane] = event.time.nanoseconds
            }
            guard isVisible else { continue }
            laneCount = max(laneCount, lane + 1)
            balls.append(
                Ball(
                    id: id,
                    text: event.text(),
                    position: position(event.time),
                    lane: lane,
                    origins: event.origins ?? [id]
                )
            )
        }
        let axis = TimeAxis(span: window, count: 5)
        let start = max(0, now.nanoseconds - window)
        var tick = (start + axis.step - 1) / axis.step * axis.step
        while tick <= now.nanoseconds {
            let time = StreamTime(nanoseconds: tick)
            ticks.append(Tick(time: time.duration, text: axis.label(tick), position: position(time)))
            tick += axis.step
        }
    }

    private static func text<Value>(of event: StreamEvent<Value>) -> String {
        switch event.kind {
        case .value(let json as JSON): ShownText.text(json, columns: 12)
        case .value(let value): ShownText.cut("\(value)", columns: 12)
        case .completed: ""
        case .failed(let error), .reported(let error): error.description
        }
    }
}

extension StreamEvent.Kind {
    /// The kind of mark of the event; `nil` for a value.
    fileprivate var mark: TunnelLayout.Mark.Kind? {
        switch self {
        case .value: nil
        case .reported: .reported
        case .completed: .completed
        case .failed: .failed
        }
    }
}
