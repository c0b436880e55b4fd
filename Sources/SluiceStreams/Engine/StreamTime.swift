/// A span of time from the start of a run, in whole nanoseconds.
///
/// On the wire times are numbers of seconds; inside they are integers, so that sums are exact.
///
/// ```swift
/// let time = StreamTime(seconds: 1.5)  // 1,500,000,000 ns
/// ```
public struct StreamTime: Sendable, Hashable, Comparable {
    /// The longest span that a document may name, in seconds: about 31 years.
    public static let maximumSeconds = 1e9
    /// The start.
    public static let zero = StreamTime(nanoseconds: 0)

    /// The span in nanoseconds, from 0.
    public let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The span nearest to `seconds`; `nil` unless it is a number from 0 to ``maximumSeconds``.
    public init?(seconds: Double) {
        guard seconds >= 0, seconds <= Self.maximumSeconds else { return nil }
        nanoseconds = Int64((seconds * 1e9).rounded())
    }

    /// The span in seconds, rounded to the nearest Double.
    public var seconds: Double { Double(nanoseconds) / 1e9 }

    /// The span as the clocks of the standard library take it.
    public var duration: Duration { .nanoseconds(nanoseconds) }

    /// Whether `a` comes before `b`.
    public static func < (a: StreamTime, b: StreamTime) -> Bool { a.nanoseconds < b.nanoseconds }

    /// The sum, or `nil` when it is more than 292 years.
    func adding(_ other: StreamTime) -> StreamTime? {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(other.nanoseconds)
        return overflow ? nil : StreamTime(nanoseconds: sum)
    }

    /// The difference, or `nil` when it is less than none.
    func subtracting(_ other: StreamTime) -> StreamTime? {
        nanoseconds < other.nanoseconds ? nil : StreamTime(nanoseconds: nanoseconds - other.nanoseconds)
    }
}

extension StreamTime: CustomStringConvertible {
    /// The span in seconds, exact: `1`, `0.25`.
    public var description: String {
        let (whole, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard fraction != 0 else { return "\(whole)" }
        let digits = "\(1_000_000_000 + fraction)".dropFirst()
        let significant = digits.reversed().drop { $0 == "0" }.reversed()
        return "\(whole)." + String(significant)
    }
}
