extension CronExpression {
    /// Parses an expression such as `*/15 8-18 * * MON-FRI`, or a name such as `@daily`.
    ///
    /// - Throws: ``StreamError`` that names the field, also for an expression that matches no date.
    init(_ text: String) throws(StreamError) {
        guard text.utf8.count <= Self.longest else {
            throw StreamError(message: "a cron expression has at most \(Self.longest) bytes")
        }
        var fields = text.uppercased().split { " \t\n\r".contains($0) }.map(String.init)
        if fields.count == 1, let name = fields.first, name.hasPrefix("@") {
            guard let expression = Self.names[name] else {
                let known = Self.names.keys.sorted().joined(separator: ", ").lowercased()
                throw StreamError(message: "unknown name '\(text)' (known: \(known))")
            }
            fields = expression.split(separator: " ").map(String.init)
        }
        guard fields.count == 5 || fields.count == 6 else {
            throw StreamError(
                message: "expected five fields (minute hour day month weekday), or six with the second first, "
                    + "found \(fields.count)"
            )
        }
        hasSeconds = fields.count == 6
        seconds = hasSeconds ? try CronField.second.set(fields.removeFirst()).bits : 1
        minutes = try CronField.minute.set(fields[0]).bits
        hours = try CronField.hour.set(fields[1]).bits
        months = try CronField.month.set(fields[3]).bits
        days = try CronDays(day: fields[2], weekday: fields[4])
        guard hasDates else {
            throw StreamError(message: "the expression matches no date: no month that it names has that day")
        }
    }

    private static let names = [
        "@YEARLY": "0 0 1 1 *", "@ANNUALLY": "0 0 1 1 *", "@MONTHLY": "0 0 1 * *", "@WEEKLY": "0 0 * * 0",
        "@DAILY": "0 0 * * *", "@MIDNIGHT": "0 0 * * *", "@HOURLY": "0 * * * *",
    ]
}

extension CronDays {
    /// Parses the fields of the day of the month and of the weekday.
    init(day: String, weekday: String) throws(StreamError) {
        let ofMonth = try CronField.day.set(day)
        let ofWeek = try CronField.weekday.set(weekday)
        if !ofWeek.occurrences.isEmpty {
            guard ofMonth.isAny, ofWeek.bits == 0 else {
                throw StreamError(
                    message: "weekday: an occurrence in the month can't be combined with other days: "
                        + "the day of the month must be *, and the list may have only occurrences"
                )
            }
            self.init(occurrences: ofWeek.occurrences)
            return
        }
        // A list of all days restricts nothing where the other field begins with an asterisk, as croniter has it.
        let isAnyDay = ofMonth.isAny || ofMonth.isFull && weekday.contains("*")
        let isAnyWeekday = ofWeek.isAny || ofWeek.isFull && day.contains("*")
        self.init(
            ofMonth: isAnyDay ? nil : ofMonth.bits,
            hasLast: ofMonth.hasLast,
            ofWeek: isAnyWeekday ? nil : ofWeek.bits
        )
    }
}

/// A field of a cron expression.
struct CronField: Sendable {
    let name: String
    let range: ClosedRange<Int>
    /// The names of the numbers, from the least.
    var names: [String] = []

    static let second = CronField(name: "second", range: 0...59)
    static let minute = CronField(name: "minute", range: 0...59)
    static let hour = CronField(name: "hour", range: 0...23)
    static let day = CronField(name: "day", range: 1...31)
    static let month = CronField(
        name: "month",
        range: 1...12,
        names: ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
    )
    static let weekday = CronField(
        name: "weekday",
        range: 0...6,
        names: ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
    )

    /// The numbers that a field allows.
    struct Numbers {
        var bits: UInt64 = 0
        /// A Boolean value that indicates whether the field is, or contains, an asterisk without a step.
        var isAny = false
        /// A Boolean value that indicates whether it allows every number.
        var isFull = false
        var hasLast = false
        var occurrences: [CronDays.Occurrence] = []
    }

    /// Returns the numbers of the text of a field.
    ///
    /// - Complexity: O(*n*) in the text: each part adds at most 60 numbers.
    func set(_ text: String) throws(StreamError) -> Numbers {
        var numbers = Numbers()
        let takesQuestionMark = name == "day" || name == "weekday"
        if text == "?", takesQuestionMark {
            (numbers.isAny, numbers.isFull) = (true, true)
            return numbers
        }
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if name == "day", part == "L" {
                numbers.hasLast = true
            } else if name == "weekday", let occurrence = try occurrence(part) {
                numbers.occurrences.append(occurrence)
            } else {
                if part == "*" { numbers.isAny = true }
                for number in try list(part) { numbers.bits |= 1 << UInt64(number) }
            }
        }
        numbers.isFull = numbers.bits.nonzeroBitCount == range.count
        return numbers
    }

    /// Returns the numbers of a part of a list: `*`, `5`, `1-5`, or `MON-FRI`, each with a step or without.
    private func list(_ part: Substring) throws(StreamError) -> [Int] {
        let pieces = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var step = 1
        if pieces.count == 2 {
            guard let number = Self.number(pieces[1]), number > 0 else {
                throw error("the step '\(pieces[1])' is not a number from 1")
            }
            step = number
        }
        guard let span = pieces.first else { throw error("a part is empty") }
        if span == "*" { return Array(stride(from: range.lowerBound, through: range.upperBound, by: step)) }
        let ends = span.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let low = try value(ends.first ?? "")
        guard ends.count == 2 else {
            return pieces.count == 2 ? Array(stride(from: low, through: range.upperBound, by: step)) : [low]
        }
        if name == "weekday", ends[0] == "0" || ends[0] == "SUN", ends[1] == "7" {
            return Array(stride(from: 0, through: 6, by: step))
        }
        let high = name == "day" && ends[1] == "L" ? range.upperBound : try value(ends[1])
        if low < high { return Array(stride(from: low, through: high, by: step)) }
        guard low > high else { throw error("the range '\(span)' has only one number: write '\(ends[0])'") }
        guard step == 1 else { throw error("the range '\(span)' wraps around, and can't have a step") }
        return Array(low...range.upperBound) + Array(range.lowerBound...high)
    }

    /// Returns `MON#2`, the second Monday of a month, or `L5`, its last Friday.
    private func occurrence(_ part: Substring) throws(StreamError) -> CronDays.Occurrence? {
        if let mark = part.firstIndex(of: "#") {
            guard let number = Self.number(part[part.index(after: mark)...]), (1...5).contains(number) else {
                throw error("the occurrence in '\(part)' is not a number from 1 to 5")
            }
            return CronDays.Occurrence(weekday: try value(part[..<mark]), number: number)
        }
        guard part.first == "L" else { return nil }
        guard let number = Self.number(part.dropFirst()) else { throw error("'\(part)' is not a number or a name") }
        return CronDays.Occurrence(weekday: try value("\(number)"), number: 0)
    }

    /// Returns a number, or that of a name.
    private func value(_ text: Substring) throws(StreamError) -> Int {
        if let index = names.firstIndex(of: String(text)) { return range.lowerBound + index }
        guard let number = Self.number(text) else {
            let example = names.first.map { " or a name such as \($0)" } ?? ""
            throw error("'\(text)' is not a number\(example)")
        }
        if name == "weekday", number == 7 { return 0 }
        guard range.contains(number) else {
            throw error("\(number) is not from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }

    private func error(_ text: String) -> StreamError { StreamError(message: "\(name): \(text)") }
}
