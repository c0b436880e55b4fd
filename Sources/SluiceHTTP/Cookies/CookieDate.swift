#if HTTP
/// The lenient parser for the dates of cookies (RFC 6265bis, 5.1.1).
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Returns the seconds since 1970; `nil` for an invalid date.
    static func parse(_ text: String) -> Double? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let found = number(token, 1...2) {
                day = found
            } else if month == nil,
                let found = months.firstIndex(of: String(decoding: token.prefix(3), as: UTF8.self).lowercased())
            {
                month = found + 1
            } else if year == nil, let found = number(token, 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard (1...31).contains(day), year >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59,
            day <= length(of: month, year)
        else { return nil }
        return Double(days(year, month, day) * 86400 + time.hour * 3600 + time.minute * 60 + time.second)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Returns the number at the beginning of a token, if its number of digits is in `counts`.
    private static func number(_ token: Substring.UTF8View, _ counts: ClosedRange<Int>) -> Int? {
        let digits = token.prefix { (48...57).contains($0) }
        guard counts.contains(digits.count) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    private static func clock(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2,
            let hour = number(parts[0], 1...2), let minute = number(parts[1], 1...2),
            let second = number(parts[2], 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func length(of month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970-01-01 in the proleptic Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
#endif
