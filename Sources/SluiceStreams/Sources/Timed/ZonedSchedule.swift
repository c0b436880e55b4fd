import Foundation
import SluiceExpressions

/// The times of a cron expression in a time zone.
///
/// A local time that the clocks skip is due at the first instant after the gap. One that occurs twice is due at its first
/// occurrence only. Times that are due at the same instant are one.
struct ZonedSchedule: Sendable {
    let cron: CronExpression
    let zone: TimeZone

    init(cron: CronExpression, zone: TimeZone) { (self.cron, self.zone) = (cron, zone) }

    /// Creates the schedule of a document's texts.
    ///
    /// - Throws: ``StreamError`` for an invalid expression, or an unknown zone.
    init(cron: String, zone: String?) throws(StreamError) {
        self.init(cron: try CronExpression(cron), zone: try Self.zone(zone ?? "UTC"))
    }

    static func zone(_ name: String) throws(StreamError) -> TimeZone {
        guard name.utf8.count <= 64, let zone = TimeZone(identifier: name) else {
            let text = "unknown time zone '\(name.prefix(64))': give a name such as Europe/Berlin or UTC"
            throw StreamError(message: text)
        }
        return zone
    }

    /// Returns the first instant after another one, in seconds since 1970; `nil` if none follows within 100 years.
    func next(after instant: Int64) -> Int64? {
        guard abs(instant) < Self.farthest else { return nil }
        var local = instant + offset(at: instant)
        let first = self.instant(of: local)
        // In the second pass of a repeated hour, the times up to its end have been.
        if first < instant, let change = transition(from: first, to: instant) {
            local = max(local, change + offset(at: first) - 1)
        }
        guard let next = cron.next(after: local) else { return nil }
        return self.instant(of: next)
    }

    /// Returns the last instant up to `limit` that comes after `start`; `nil` if nothing is due between them.
    func last(after start: Int64, upTo limit: Int64) -> Int64? {
        for window: Int64 in [60, 3600, 86_400, 32 * 86_400, 366 * 86_400, .max] {
            let begin = limit.subtractingReportingOverflow(window)
            var time = max(start, begin.overflow ? start : begin.partialValue)
            var last: Int64?
            while let next = next(after: time), next <= limit { (last, time) = (next, next) }
            if last != nil { return last }
            if begin.overflow || begin.partialValue <= start { return nil }
        }
        return nil
    }

    /// Returns the text of an instant with the offset of the zone, such as `2026-03-01T09:00:00+01:00`.
    func text(of instant: Int64) -> String {
        let offset = offset(at: instant)
        // RFC 3339 has no offsets with seconds.
        if offset % 60 != 0 { return Self.text(local: instant) + "Z" }
        if offset == 0 { return Self.text(local: instant) + "Z" }
        let minutes = abs(offset) / 60
        let sign = offset < 0 ? "-" : "+"
        return Self.text(local: instant + offset) + sign + Self.two(minutes / 60) + ":" + Self.two(minutes % 60)
    }

    private static func text(local: Int64) -> String {
        let date = CivilDate(secondsSince1970: local)
        let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".count)) + "\(date.year)"
        let time = [date.hour, date.minute, date.second].map(two).joined(separator: ":")
        return "\(year)-\(two(date.month))-\(two(date.day))T\(time)"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    // MARK: The zone

    /// The largest instant, in the year 9999.
    private static let farthest: Int64 = 253_402_300_799

    private func offset(at instant: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant))))
    }

    /// Returns the instant of a local time: the first one, or the end of the gap in which it is.
    private func instant(of local: Int64) -> Int64 {
        // No zone is more than 26 hours from UTC, and none changes twice within as much.
        let (before, after) = (offset(at: local - 93_600), offset(at: local + 93_600))
        let early = local - before
        if offset(at: early) == before { return early }
        let late = local - after
        if offset(at: late) == after { return late }
        return transition(from: local - 93_600, to: local + 93_600) ?? late
    }

    /// Returns the first instant at which the offset differs from that at `start`.
    private func transition(from start: Int64, to end: Int64) -> Int64? {
        let before = offset(at: start)
        guard offset(at: end) != before else { return nil }
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}
