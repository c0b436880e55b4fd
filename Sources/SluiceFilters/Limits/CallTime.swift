/// The time that calls take: an average, and the time within which almost all of them end, as TCP estimates its timeout
/// (Jacobson, 1988; RFC 6298). Time is in nanoseconds.
struct CallTime: Sendable {
    /// The number of calls from which on there is an answer.
    private static let leastCount = 8

    private var count = 0
    private var deviation = 0.0
    private var mean = 0.0

    /// The average; `nil` while there are too few calls.
    var average: Double? { count < Self.leastCount ? nil : mean }

    /// The time within which almost all calls end; `nil` while there are too few.
    var most: Double? { count < Self.leastCount ? nil : mean + 4 * deviation }

    /// Adds a call.
    mutating func record(_ duration: Int64) {
        let duration = Double(max(duration, 0))
        count = min(count + 1, 1000)
        // A plain average at first.
        let weight = max(1 / Double(count), 1.0 / 32)
        let difference = duration - mean
        mean += difference * weight
        deviation += (difference.magnitude - deviation) * weight
    }
}
