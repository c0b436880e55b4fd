/// A date and a time of day in the proleptic Gregorian calendar.
package struct CivilDate {
    package var year: Int64
    package var month: Int64
    package var day: Int64
    package var hour: Int64
    package var minute: Int64
    package var second: Int64
    /// The day of the week; 0 is Sunday.
    package var dayOfWeek: Int64
    /// The day of the year; 0 is January 1.
    var dayOfYear: Int64

    package init(secondsSince1970 seconds: Int64) {
        let days = CivilDate.floorDivide(seconds, 86400)
        let rest = seconds - days * 86400
        hour = rest / 3600
        minute = rest % 3600 / 60
        second = rest % 60
        dayOfWeek = ((days + 4) % 7 + 7) % 7
        // Eras of 400 years that start on March 1, so that the leap day is the last day of a year.
        let shifted = days + 719_468
        let era = CivilDate.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayFromMarch = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayFromMarch + 2) / 153
        day = dayFromMarch - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        dayOfYear = days - CivilDate.days(year: year, month: 1, day: 1)
    }

    /// Returns the number of days since 1970-01-01.
    static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = floorDivide(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    package static func days(inMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ value: Int64, _ size: Int64) -> Int64 {
        let quotient = value / size
        return value % size < 0 ? quotient - 1 : quotient
    }
}
