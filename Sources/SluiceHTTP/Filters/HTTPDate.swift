#if HTTP
/// Functions for dates in the formats of HTTP (RFC 9110, 5.6.7), as seconds since 1970.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let longDays = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"]

    /// Returns the time of a date in any of the three formats, case-insensitively; `nil` for any other text, including
    /// missing or additional spaces and punctuation.
    ///
    /// ```
    /// Sun, 06 Nov 1994 08:49:37 GMT
    /// Sunday, 06-Nov-94 08:49:37 GMT
    /// Sun Nov  6 08:49:37 1994
    /// ```
    ///
    /// - Parameter now: the time that determines the century of a two-digit year: the last one in which the year is at
    ///   most 50 years ahead.
    static func parse(_ text: some StringProtocol, now: Double) -> Double? {
        guard text.utf8.count <= 40 else { return nil }
        var rest = Substring(text.lowercased())
        if let comma = rest.firstIndex(of: ",") {
            let name = rest[..<comma]
            let isLong = longDays.contains { $0.lowercased() == name }
            guard isLong || days.contains(where: { $0.lowercased() == name }) else { return nil }
            rest = rest[rest.index(after: comma)...]
            let mark: Character = isLong ? "-" : " "
            guard rest.take(" "), let day = rest.number(2), rest.take(mark), let month = rest.month(months),
                rest.take(mark), let year = rest.number(isLong ? 2 : 4), rest.take(" "), let clock = rest.clock(),
                rest == " gmt"
            else { return nil }
            return time(day, month, isLong ? century(of: year, now) : year, clock)
        }
        guard let name = rest.word(3), days.contains(where: { $0.lowercased() == name }), rest.take(" "),
            let month = rest.month(months), rest.take(" "), let day = rest.take(" ") ? rest.number(1) : rest.number(2),
            rest.take(" "), let clock = rest.clock(), rest.take(" "), let year = rest.number(4), rest.isEmpty
        else { return nil }
        return time(day, month, year, clock)
    }

    /// Returns a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func format(_ time: Double) -> String {
        let seconds = Int64(min(max(time, -62_135_596_800), 253_402_300_799).rounded(.down))
        let day = seconds.dividedDown(by: 86400)
        let rest = seconds - day * 86400
        let (year, month, date) = civil(day)
        let name = days[Int(day - day.dividedDown(by: 7) * 7)]
        let clock = [rest / 3600, rest / 60 % 60, rest % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(name), \(padded(date, 2)) \(months[Int(month) - 1]) \(padded(year, 4)) \(clock) GMT"
    }

    private static func time(_ day: Int64, _ month: Int64, _ year: Int64, _ clock: Int64) -> Double? {
        guard day >= 1 else { return nil }
        let number = days(year, month, day)
        guard civil(number) == (year, month, day) else { return nil }
        return Double(number * 86400 + clock)
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

    /// Returns the days from 1970 to a date. (Hinnant: chrono-Compatible Low-Level Date Algorithms, `days_from_civil`.)
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.dividedDown(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Returns the date of a day since 1970; `civil_from_days` of the same source.
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

extension Substring {
    /// Removes a character from the front; returns whether it was there.
    fileprivate mutating func take(_ character: Character) -> Bool {
        guard first == character else { return false }
        removeFirst()
        return true
    }

    /// Removes a number of characters from the front and returns them.
    fileprivate mutating func word(_ count: Int) -> Substring? {
        let word = prefix(count)
        guard word.count == count else { return nil }
        removeFirst(count)
        return word
    }

    /// Removes a number with a given count of digits from the front and returns it.
    fileprivate mutating func number(_ count: Int) -> Int64? {
        let word = prefix(count)
        guard word.utf8.count == count, word.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        removeFirst(count)
        return Int64(word)
    }

    /// Removes the name of a month from the front; returns its number, from 1.
    fileprivate mutating func month(_ names: [String]) -> Int64? {
        guard let word = word(3), let index = names.firstIndex(where: { $0.lowercased() == word }) else { return nil }
        return Int64(index) + 1
    }

    /// Removes a time of day from the front; returns its seconds since midnight.
    fileprivate mutating func clock() -> Int64? {
        guard let hour = number(2), take(":"), let minute = number(2), take(":"), let second = number(2), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
#endif
