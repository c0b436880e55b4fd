/// The actions of the filters in one call, in order: see ``Sluice/Node/explain(_:clock:)``.
///
/// ```
/// 0.000 s  try 1  RetryFilter    failed: no answer within 2.0 seconds; next attempt in 0.1 seconds
/// 0.100 s  try 2  TimeoutFilter  answered after 0.021 seconds
/// ```
public struct CallTrail: Sendable, Hashable, Codable, CustomStringConvertible {
    /// One action of a filter.
    public struct Step: Sendable, Hashable, Codable {
        /// The time since the start of the call; encoded as a number of seconds.
        public var time: Duration
        /// The attempt of the call, from 1.
        public var attempt: Int
        /// The filter's name, without its types.
        public var filter: String
        /// The action, and its reason.
        public var event: String

        /// Creates a step.
        public init(time: Duration, attempt: Int = 1, filter: String, event: String) {
            self.time = time
            self.attempt = attempt
            self.filter = filter
            self.event = event
        }

        private enum CodingKeys: String, CodingKey { case time, attempt, filter, event }

        /// Reads a step; throws a `DecodingError` for an invalid one.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let seconds = try container.decode(Double.self, forKey: .time)
            guard seconds.magnitude < 1e9 else {
                throw DecodingError.dataCorruptedError(
                    forKey: .time,
                    in: container,
                    debugDescription: "\(seconds) isn't a time within a call"
                )
            }
            time = .nanoseconds(Int64((seconds * 1e9).rounded()))
            attempt = try container.decode(Int.self, forKey: .attempt)
            filter = try container.decode(String.self, forKey: .filter)
            event = try container.decode(String.self, forKey: .event)
        }

        /// Writes `{"time": 0.1, "attempt": 2, "filter": "RetryFilter", "event": "…"}`.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(Double(time.nanoseconds) / 1e9, forKey: .time)
            try container.encode(attempt, forKey: .attempt)
            try container.encode(filter, forKey: .filter)
            try container.encode(event, forKey: .event)
        }
    }

    /// The first thousand steps, in order.
    public var steps: [Step]
    /// The number of further steps.
    public var omitted: Int

    /// Creates a trail.
    public init(steps: [Step] = [], omitted: Int = 0) {
        self.steps = steps
        self.omitted = omitted
    }

    /// The trail as text: one line for each step, in columns.
    public var description: String {
        let width = steps.map(\.filter.count).max() ?? 0
        var lines = steps.map { step in
            let padding = String(repeating: " ", count: width - step.filter.count)
            return "\(Self.seconds(step.time)) s  try \(step.attempt)  \(step.filter)\(padding)  \(step.event)"
        }
        if omitted > 0 { lines.append("… and \(omitted) more") }
        return lines.joined(separator: "\n")
    }

    /// Returns seconds with three decimals.
    private static func seconds(_ time: Duration) -> String {
        let milliseconds = time.nanoseconds / 1_000_000
        let decimals = String(milliseconds.magnitude % 1000)
        let sign = milliseconds < 0 ? "-" : ""
        return sign + "\(milliseconds.magnitude / 1000)." + String(repeating: "0", count: 3 - decimals.count) + decimals
    }
}
