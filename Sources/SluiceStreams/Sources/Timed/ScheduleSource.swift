import Foundation
import SluiceJSON

/// The source `schedule` in live time: it computes due times, and waits for them by the clock on the wall.
///
/// An item has its due time as position, in seconds since 1970. A run that begins stores the time of its beginning, so that
/// no time is lost if it stops before the first item.
struct ScheduleSource: Sendable {
    /// The treatment of due times that have passed.
    enum Missed: String, CaseIterable {
        case all, last, none
    }

    /// The clock that measures waits.
    var clock: any Clock<Duration> = .continuous
    /// A closure that returns the wall time, in nanoseconds since 1970.
    var wallTime: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1e9) }

    /// The longest wait before the wall clock, which may have been set, is read again.
    static let longestWait: Int64 = 30
    /// The delay in seconds beyond which a due time counts as missed in a run that was not interrupted: the machine slept.
    static let tolerance: Int64 = 60

    @Sendable func feed(_ arguments: JSON, _ inlet: StreamInlet<JSON>) async throws {
        let schedule = try ZonedSchedule(cron: arguments["cron"]?.string ?? "", zone: arguments["zone"]?.string)
        let missed = (arguments["missed"]?.string).flatMap(Missed.init) ?? .last
        // The times before the start of a run that resumes were missed.
        let begun = now
        let position = inlet.position.flatMap { Int64($0) }
        var last = position ?? begun
        if position == nil { try await inlet.mark(at: "\(last)") }
        while let due = schedule.next(after: last) {
            let now = now
            if due > now {
                let wait = min(Self.longestWait, due - now)
                // Up to the second, of which a part may have passed.
                let passed = wallTime().flooredQuotientAndRemainder(by: 1_000_000_000).remainder
                try await clock.sleep(for: .seconds(wait) - .nanoseconds(wait == due - now ? passed : 0))
                continue
            }
            last = due
            if missed != .all, due < begun || now - due > Self.tolerance {
                last = schedule.last(after: due, upTo: now) ?? due
                if missed == .none {
                    try await inlet.mark(at: "\(last)")
                    continue
                }
            }
            try await inlet.send(.string(schedule.text(of: last)), at: "\(last)")
        }
        throw StreamError(message: "the schedule has no next time within 100 years")
    }

    private var now: Int64 { wallTime().flooredQuotientAndRemainder(by: 1_000_000_000).quotient }
}
