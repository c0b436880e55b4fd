/// A time since the start of a run, in whole nanoseconds.
///
/// In JSON, times are numbers of seconds; internally they are integers, so that sums are exact.
///
/// ```swift
/// let time = StreamTime(seconds: 1.5)  // 1,500,000,000 ns
/// ```
public struct StreamTime: Sendable, Hashable, Comparable {
    /// The longest time that a document may contain, in seconds: about 31 years.
    public static let maximumSeconds = 1e9
    /// The start of a run.
    public static let zero = StreamTime(nanoseconds: 0)

    /// The time in nanoseconds, from 0.
    public let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Creates the stream time of a duration from 0 to 292 years; one outside of that counts as the nearest in it.
    @usableFromInline
    package init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        self.init(nanoseconds: overflow || overflows ? (seconds < 0 ? 0 : .max) : max(0, sum))
    }

    /// Creates the time nearest to `seconds`, or returns `nil` unless that is a number from 0 to ``maximumSeconds``.
    public init?(seconds: Double) {
        guard seconds >= 0, seconds <= Self.maximumSeconds else { return nil }
        nanoseconds = Int64((seconds * 1e9).rounded())
    }

    /// The time in seconds, rounded to the nearest Double.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The time as a standard library duration.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// Returns a Boolean value that indicates whether `a` comes before `b`.
    public static func < (a: StreamTime, b: StreamTime) -> Bool { a.nanoseconds < b.nanoseconds }

    /// Returns the sum, or `nil` if it is more than 292 years.
    func adding(_ other: StreamTime) -> StreamTime? {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(other.nanoseconds)
        return overflow ? nil : StreamTime(nanoseconds: sum)
    }

    /// Returns the difference, or `nil` if it is negative.
    func subtracting(_ other: StreamTime) -> StreamTime? {
        nanoseconds < other.nanoseconds ? nil : StreamTime(nanoseconds: nanoseconds - other.nanoseconds)
    }
}

extension StreamTime: CustomStringConvertible {
    /// The time in seconds, exact: `1`, `0.25`.
    public var description: String {
        let (whole, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard fraction != 0 else { return String(whole) }
        let digits = "\(1_000_000_000 + fraction)".dropFirst()
        let significant = digits.reversed().drop { $0 == "0" }.reversed()
        return "\(whole)." + String(significant)
    }
}
