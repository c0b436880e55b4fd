import SluiceExpressions
import SluiceTestSupport
import Testing

@testable import SluiceStreams

/// The days of cron expressions, compared with a search of one day after another.
@Suite struct CronExpressionTests {
    private static let days = [
        "*", "?", "29", "30", "31", "1,31", "29-31", "30,31", "31/2", "*/31", "L", "30,L", "1-31",
    ]
    private static let months = ["*", "2", "FEB", "4", "2,4", "4,6,9,11", "2-4/2", "12,2", "1-12"]
    private static let weekdays = ["*", "?", "MON", "0-6", "MON-FRI/2", "6-0"]

    /// Returns a Boolean value that indicates whether the fields match a day, given as a number of days since 1970.
    private func isDue(_ day: Int64, _ months: UInt64, _ days: CronDays) -> Bool {
        let date = CivilDate(secondsSince1970: day * 86_400)
        return months.contains(Int(date.month)) && days.contains(date)
    }

    /// The expressions that match no date are those for which a search of 100 years finds none.
    @Test func impossibleDatesAreThoseThatNoDayMatches() throws {
        var impossible = 0
        for month in Self.months {
            let months = try CronField.month.set(month).bits
            for day in Self.days {
                for weekday in Self.weekdays {
                    let days = try CronDays(day: day, weekday: weekday)
                    let expected = (0...CronExpression.searchedDays).contains { isDue($0, months, days) }
                    let cron = "0 0 \(day) \(month) \(weekday)"
                    let isValid = (try? CronExpression(cron)) != nil
                    #expect(isValid == expected, "\(cron)")
                    if !expected { impossible += 1 }
                }
            }
        }
        #expect(impossible > 10)
        for weekday in ["FRI#5", "L5", "MON#1"] {
            let days = try CronDays(day: "*", weekday: weekday)
            let isFound = (0...CronExpression.searchedDays).contains { isDue($0, 1 << 2, days) }
            let isValid = (try? CronExpression("0 0 * FEB \(weekday)")) != nil
            #expect(isFound && isValid, "\(weekday)")
        }
    }

    /// Months without a time are left out, and nothing else is.
    @Test func theNextTimeIsThatOfTheNextDay() throws {
        var random = Seeded(seed: 11)
        func pick(_ texts: [String]) -> String { texts[Int.random(in: 0..<texts.count, using: &random)] }
        var count = 0
        for _ in 0..<600 {
            let isOccurrence = Int.random(in: 0..<6, using: &random) == 0
            let weekday = isOccurrence ? pick(["FRI#5", "L5", "MON#1"]) : pick(Self.weekdays)
            let cron = "0 0 \(isOccurrence ? "*" : pick(Self.days)) \(pick(Self.months)) \(weekday)"
            guard let expression = try? CronExpression(cron) else { continue }
            let time = Int64.random(in: -1_000_000_000...7_000_000_000, using: &random)
            // The first midnight that comes after the time.
            let first = time.flooredQuotientAndRemainder(by: 86_400).quotient + 1
            let expected = (first...first + CronExpression.searchedDays).first {
                isDue($0, expression.months, expression.days)
            }
            let next = expression.next(after: time)
            #expect(next == expected.map { $0 * 86_400 }, "\(cron) after \(time)")
            count += 1
        }
        #expect(count > 300)
    }

    /// Each is refused without a search of 36,525 days.
    @Test(.timeLimit(.minutes(1))) func manyImpossibleDatesAreRefused() {
        var refused = 0
        for _ in 0..<20_000 where (try? CronExpression("0 0 30 2 *")) == nil { refused += 1 }
        #expect(refused == 20_000)
    }
}
