/// A point in time from the year 1 to the year 9999, with nanoseconds.
///
/// ```swift
/// let moment = CELTimestamp("2009-02-13T23:31:30Z")
/// print(moment?.seconds ?? 0)   // 1234567890
/// ```
public struct CELTimestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The whole seconds since 1970-01-01T00:00:00Z.
    public let seconds: Int64
    /// The nanoseconds after that second, from 0 to 999,999,999.
    public let nanoseconds: Int64

    static let zero = CELTimestamp(checkedSeconds: 0, nanoseconds: 0)
    static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    private init(checkedSeconds: Int64, nanoseconds: Int64) {
        seconds = checkedSeconds
        self.nanoseconds = nanoseconds
    }

    /// Creates a point in time, or returns nil outside of the years 1 to 9999 or for nanoseconds of a second or more.
    public init?(seconds: Int64, nanoseconds: Int64 = 0) {
        guard CELTimestamp.range.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        self.init(checkedSeconds: seconds, nanoseconds: nanoseconds)
    }

    /// Parses RFC 3339: `2009-02-13T23:31:30.5+01:00`; nil for anything else or out of range.
    /// - Complexity: O(*n*)
    public init?(_ text: String) {
        var reader = DigitReader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t"), let hour = reader.number(2),
            reader.take(":"), let minute = reader.number(2), reader.take(":"), let second = reader.number(2)
        else { return nil }
        var nanoseconds: Int64 = 0
        if reader.take(".") {
            guard let fraction = reader.fraction() else { return nil }
            nanoseconds = fraction
        }
        guard let offset = reader.offset(), reader.isAtEnd else { return nil }
        guard year >= 1, (1...12).contains(month), day >= 1, day <= CivilDate.days(inMonth: month, year: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = CivilDate.days(year: year, month: month, day: day)
        self.init(seconds: days * 86400 + hour * 3600 + minute * 60 + second - offset, nanoseconds: nanoseconds)
    }

    /// Returns a Boolean value that indicates whether the first is earlier.
    public static func < (left: CELTimestamp, right: CELTimestamp) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }

    /// Returns this time plus a duration, or nil out of range.
    func adding(_ duration: CELDuration) -> CELTimestamp? {
        let whole = duration.nanoseconds / 1_000_000_000
        var rest = nanoseconds + duration.nanoseconds % 1_000_000_000
        var seconds = seconds + whole
        if rest < 0 {
            rest += 1_000_000_000
            seconds -= 1
        } else if rest >= 1_000_000_000 {
            rest -= 1_000_000_000
            seconds += 1
        }
        return CELTimestamp(seconds: seconds, nanoseconds: rest)
    }

    /// Returns the duration from another time to this one, or nil beyond 292 years.
    func since(_ other: CELTimestamp) -> CELDuration? {
        // In whole seconds this can't overflow; the sum of both parts is computed with care for the extremes.
        let (product, overflow) = (seconds - other.seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = product.addingReportingOverflow(nanoseconds - other.nanoseconds)
        return overflow || carry ? nil : CELDuration(nanoseconds: sum)
    }

    /// The time as RFC 3339 in UTC, with as many digits of a second as are needed.
    public var description: String {
        let date = CivilDate(secondsSince1970: seconds)
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let year = String(repeating: "0", count: max(0, 4 - String(date.year).utf8.count)) + String(date.year)
        return "\(year)-\(two(date.month))-\(two(date.day))T\(two(date.hour)):\(two(date.minute)):\(two(date.second))"
            + fractionText(UInt64(nanoseconds)) + "Z"
    }
}

/// A reader of fixed fields.
struct DigitReader {
    var bytes: [UInt8]
    var position = 0

    var isAtEnd: Bool { position == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func digit() -> Int64? {
        guard position < bytes.count, bytes[position] >= 48, bytes[position] <= 57 else { return nil }
        position += 1
        return Int64(bytes[position - 1]) - 48
    }

    mutating func number(_ count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Parses one to nine digits as nanoseconds; further digits are dropped.
    mutating func fraction() -> Int64? {
        var value: Int64 = 0
        var count = 0
        while let digit = digit() {
            if count < 9 { value = value * 10 + digit }
            count += 1
        }
        guard count > 0 else { return nil }
        for _ in 0..<max(0, 9 - count) { value *= 10 }
        return value
    }

    /// Parses `Z` or `+01:00` as seconds.
    mutating func offset() -> Int64? {
        if take("Z") || take("z") { return 0 }
        let isNegative = take("-")
        guard isNegative || take("+") else { return nil }
        guard let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return (hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
    }
}
