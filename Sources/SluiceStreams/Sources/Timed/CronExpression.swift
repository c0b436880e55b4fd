import SluiceExpressions

/// A cron expression: the times of a schedule, without a time zone.
///
/// It has five fields (minute, hour, day of the month, month, weekday), or six with the second first. A local time is
/// its number of seconds since 1970-01-01T00:00:00, as if every day had 86,400 of them.
///
/// If both days are restricted, a day matches either of them, as in cron. A field is unrestricted if it is `*` or `?`.
struct CronExpression: Sendable, Hashable {
    /// The longest text, in bytes.
    static let longest = 256
    /// The number of days in which a time is searched: 100 years. A leap day comes within 8 years, and on a certain
    /// weekday within 40.
    static let searchedDays: Int64 = 36_525

    /// A Boolean value that indicates whether the expression has a field for seconds.
    let hasSeconds: Bool
    let seconds: UInt64
    let minutes: UInt64
    let hours: UInt64
    let months: UInt64
    let days: CronDays

    /// A Boolean value that indicates whether a month that the expression names ever has one of its days.
    var hasDates: Bool { (1...12).contains { mayOccur(inMonth: $0) } }

    /// Returns a Boolean value that indicates whether the expression names a month, and one of its days.
    private func mayOccur(inMonth month: Int) -> Bool { months.contains(month) && days.occur(inMonth: month) }

    /// Returns the first local time after another one; `nil` if none follows within 100 years.
    ///
    /// - Complexity: O(*n*) in the months between them, and in the days of those that may have a time.
    func next(after time: Int64) -> Int64? {
        let (start, overflow) = time.addingReportingOverflow(1)
        if overflow { return nil }
        var (day, second) = start.flooredQuotientAndRemainder(by: 86_400)
        let last = day + Self.searchedDays
        while day <= last {
            let date = CivilDate(secondsSince1970: day * 86_400)
            guard mayOccur(inMonth: Int(date.month)) else {
                let length = CivilDate.days(inMonth: date.month, year: date.year)
                (day, second) = (day + length - date.day + 1, 0)
                continue
            }
            if days.contains(date), let found = self.second(from: Int(second)) {
                return day * 86_400 + Int64(found)
            }
            (day, second) = (day + 1, 0)
        }
        return nil
    }

    /// Returns the first matching second of a day from `second`.
    private func second(from second: Int) -> Int? {
        var (hour, minute, rest) = (second / 3600, second / 60 % 60, second % 60)
        while let nextHour = hours.first(from: hour) {
            if nextHour > hour { (minute, rest) = (0, 0) }
            while let nextMinute = minutes.first(from: minute) {
                if nextMinute > minute { rest = 0 }
                if let found = seconds.first(from: rest) { return nextHour * 3600 + nextMinute * 60 + found }
                (minute, rest) = (nextMinute + 1, 0)
            }
            (hour, minute, rest) = (nextHour + 1, 0, 0)
        }
        return nil
    }
}

/// The days of a cron expression.
struct CronDays: Sendable, Hashable {
    /// The days of the month; `nil` for any.
    var ofMonth: UInt64?
    /// A Boolean value that indicates whether the last day of the month is one of them.
    var hasLast = false
    /// The weekdays from Sunday, 0; `nil` for any.
    var ofWeek: UInt64?
    /// The weekdays that are restricted to an occurrence in the month: from 1 to 5, or 0 for the last.
    var occurrences: [Occurrence] = []

    struct Occurrence: Sendable, Hashable {
        let weekday: Int
        let number: Int
    }

    /// Returns a Boolean value that indicates whether a month has one of the days, in a leap year if it is February.
    func occur(inMonth month: Int) -> Bool {
        // Every month has each weekday, and a last day; February has a fifth one of a weekday in some leap years.
        guard occurrences.isEmpty, ofWeek == nil, !hasLast, let ofMonth else { return true }
        guard let first = ofMonth.first(from: 1) else { return false }
        return first <= Int(CivilDate.days(inMonth: Int64(month), year: 2000))
    }

    /// Returns a Boolean value that indicates whether a date is one of the days.
    func contains(_ date: CivilDate) -> Bool {
        let (weekday, day) = (Int(date.dayOfWeek), Int(date.day))
        let last = Int(CivilDate.days(inMonth: date.month, year: date.year))
        if !occurrences.isEmpty {
            return occurrences.contains { occurrence in
                guard occurrence.weekday == weekday else { return false }
                if occurrence.number == 0 { return day + 7 > last }
                return (day - 1) / 7 + 1 == occurrence.number
            }
        }
        let isOfMonth = ofMonth.map { $0.contains(day) || hasLast && day == last }
        let isOfWeek = ofWeek.map { $0.contains(weekday) }
        return switch (isOfMonth, isOfWeek) {
        case (nil, nil): true
        case (let isOfMonth?, nil): isOfMonth
        case (nil, let isOfWeek?): isOfWeek
        case (let isOfMonth?, let isOfWeek?): isOfMonth || isOfWeek
        }
    }
}

extension Int64 {
    /// Returns the quotient rounded down, and the remainder, which is not negative.
    func flooredQuotientAndRemainder(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension UInt64 {
    /// Returns a Boolean value that indicates whether the set of bits has a number below 64.
    func contains(_ number: Int) -> Bool { self >> UInt64(number) & 1 == 1 }

    /// Returns the least number from `number` in the set of bits.
    func first(from number: Int) -> Int? {
        guard number < 64 else { return nil }
        let rest = self >> UInt64(number)
        return rest == 0 ? nil : number + rest.trailingZeroBitCount
    }
}
