/// Dates as HTTP writes them (RFC 9110, 5.6.7): seconds since 1970.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let longDays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

    /// Reads any of the three formats; `nil` for all else.
    ///
    /// - Parameter now: tells the century of a year of two digits: the last one that is not more than 50 years ahead.
    static func parse(_ text: some StringProtocol, now: Double) -> Double? {
        guard text.utf8.count <= 40 else { return nil }
        let parts = text.split { $0 == " " || $0 == "," || $0 == "-" }
        guard let name = parts.first else { return nil }
        switch parts.count {
        case 6 where parts[5] == "GMT" && parts[3].utf8.count == 4 && days.contains(String(name)):
            return time(parts[1], parts[2], number(parts[3], 4), parts[4])
        case 6 where parts[5] == "GMT" && parts[3].utf8.count == 2 && longDays.contains(String(name)):
            return time(parts[1], parts[2], number(parts[3], 2).map { century(of: $0, now) }, parts[4])
        case 5 where days.contains(String(name)):
            return time(parts[2], parts[1], number(parts[4], 4), parts[3])
        default: return nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func format(_ time: Double) -> String {
        let seconds = Int64(min(max(time, -62_135_596_800), 253_402_300_799).rounded(.down))
        let day = seconds.dividedDown(by: 86400)
        let rest = seconds - day * 86400
        let (year, month, date) = civil(day)
        let name = days[Int(day - day.dividedDown(by: 7) * 7)]
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(name), \(padded(date, 2)) \(months[Int(month) - 1]) \(padded(year, 4)) \(clock) GMT"
    }

    private static func time(
        _ day: some StringProtocol,
        _ month: some StringProtocol,
        _ year: Int64?,
        _ clock: some StringProtocol
    ) -> Double? {
        let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0], 2), let minute = number(clock[1], 2),
            let second = number(clock[2], 2), hour < 24, minute < 60, second <= 60,
            let month = months.firstIndex(of: String(month)), let year,
            let day = number(day, 2) ?? number(day, 1), day >= 1
        else { return nil }
        let number = days(year, Int64(month) + 1, day)
        guard civil(number) == (year, Int64(month) + 1, day) else { return nil }
        return Double(number * 86400 + hour * 3600 + minute * 60 + second)
    }

    /// A number of so many digits.
    private static func number(_ text: some StringProtocol, _ count: Int) -> Int64? {
        guard text.utf8.count == count, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }

    private static func padded(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }

    private static func century(of year: Int64, _ now: Double) -> Int64 {
        let current = civil(Int64(min(max(now, 0), 253_402_300_799)) / 86400).year
        let guess = current - current % 100 + year
        return guess > current + 50 ? guess - 100 : guess
    }

    /// The days since 1970 of a date. (Hinnant: chrono-Compatible Low-Level Date Algorithms, `days_from_civil`.)
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.dividedDown(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date of a day since 1970; `civil_from_days` of the same source.
    private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let day = day + 719_468
        let era = day.dividedDown(by: 146_097)
        let dayOfEra = day - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let index = (5 * dayOfYear + 2) / 153
        let month = index < 10 ? index + 3 : index - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
