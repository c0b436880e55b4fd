/// The calls of a short time, for limits that compare times: they see one average instead of each call. Time is an input, in
/// nanoseconds.
struct LimitWindow: Sendable {
    /// The fewest calls of a window.
    private static let leastCount = 10
    /// The shortest time of a window, and the longest that twice the shortest call makes it.
    private static let times: ClosedRange<Int64> = 100_000_000...1_000_000_000

    private var sum = 0.0
    private var count = 0
    private var shortest = Int64.max
    private var mostInFlight = 0
    private var hasDropped = false
    private var end: Int64 = 0

    /// The average of a window that has ended.
    struct Average: Equatable {
        let time: Double
        let inFlight: Int
        let hasDropped: Bool
    }

    /// Takes note of the end of a call; returns the window if it ends with this call.
    mutating func record(isBad: Bool, duration: Int64, inFlight: Int, now: Int64) -> Average? {
        sum += Double(max(duration, 1))
        count += 1
        shortest = min(shortest, max(duration, 1))
        mostInFlight = max(mostInFlight, inFlight)
        hasDropped = hasDropped || isBad
        guard now >= end, count >= Self.leastCount else { return nil }
        let average = Average(time: sum / Double(count), inFlight: mostInFlight, hasDropped: hasDropped)
        let time = min(max(2 * min(shortest, .max / 2), Self.times.lowerBound), Self.times.upperBound)
        self = LimitWindow()
        end = now.advanced(byClamping: time)
        return average
    }
}
