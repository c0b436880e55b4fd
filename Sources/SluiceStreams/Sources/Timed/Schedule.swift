import Foundation
import SluiceExpressions
import SluiceJSON

extension SourceKind {
    /// Emits the due times of a schedule, each as a text such as `2026-03-01T09:00:00+01:00` (`timestamp(x)` is its value).
    ///
    /// `cron` has five fields (minute, hour, day of the month, month, weekday), or six with the second first. A field is
    /// a list of numbers, names (`JAN`, `MON`), ranges (`MON-FRI`, `22-2`), and steps (`*/15`, `8-18/2`); `?` is `*` for
    /// a day; `L` is the last day of the month, `FRI#2` its second Friday, and `L5` its last one. If both the day of the
    /// month and the weekday are restricted, a day matches either. `@hourly`, `@daily`, `@weekly`, `@monthly`, and
    /// `@yearly` are names of expressions. The times are those of `zone`, UTC by default. A local time that the clocks skip
    /// is due at the next valid minute; one that occurs twice is due once, the first time.
    ///
    /// ```marbles
    /// {"schedule": "*/3 * * * * *"}
    /// ---'1970-01-01T00:00:03Z'--'1970-01-01T00:00:06Z'-
    /// ```
    ///
    /// ```marbles
    /// {"source": {"schedule": "*/3 * * * * *"}, "operators": [
    ///     {"map": {"expression": "timestamp(x).getSeconds()"}}, {"prefix": {"count": 2}}
    /// ]}
    /// ---3--(6|)
    /// ```
    ///
    /// In virtual time, a run begins at 1970-01-01T00:00:00Z, or at the `now` of a test.
    ///
    /// `missed` decides about the times that pass while the stream doesn't run, or while the machine sleeps: `last` (the
    /// default) emits the last of them, `all` all of them in order, and `none` none. A stream that begins has missed
    /// nothing.
    ///
    /// - **Retries**: nothing can fail.
    /// - **After a crash**: the last due time is in the checkpoint. The next ones are computed from it, so that none is
    ///   repeated or lost.
    static let schedule = SourceKind(
        "schedule",
        summary: "Emits the due times of a cron expression in a time zone",
        [
            .text("cron"), .text("zone", isRequired: false),
            .choice("missed", ScheduleSource.Missed.allCases.map(\.rawValue)),
        ],
        bare: "cron"
    ) { stage in
        stage.item = .string
        if let given = stage.standIn("schedule", for: "cron") { return given.flow.declared(.string) }
        guard let schedule = stage.schedule else { return .never }
        let live = stage.outside("schedule", standingFor: "cron")
        return Flow { scope, sink in
            if scope.run.outside != nil { return live.subscribe(scope, sink) }
            Flow<CELValue>.schedule(schedule).subscribe(scope, sink)
        }
    }
}

extension Stage {
    /// The schedule of the arguments; `nil` if they are invalid.
    fileprivate var schedule: ZonedSchedule? {
        _ = choice("missed")
        var cron: CronExpression?
        var zone = TimeZone.gmt
        do throws(StreamError) {
            cron = try text("cron").map { (text) throws(StreamError) in try CronExpression(text) }
        } catch {
            note("cron", error.message)
        }
        do throws(StreamError) { if let name = text("zone") { zone = try ZonedSchedule.zone(name) } } catch {
            note("zone", error.message)
        }
        return cron.map { ZonedSchedule(cron: $0, zone: zone) }
    }
}

extension Flow<CELValue> {
    /// Returns the due times of a schedule by the time of the run.
    static func schedule(_ schedule: ZonedSchedule) -> Flow {
        Flow { scope, sink in
            let run = scope.run
            /// The last due time, in seconds since 1970.
            let last = scope.cell(run.wallTime.flooredQuotientAndRemainder(by: 1_000_000_000).quotient)
            var timer: Timer?
            func arm() {
                guard let next = schedule.next(after: last.state), let timer,
                    let due = run.time(ofWallTime: next)
                else {
                    return sink.finish(.failed(StreamError(message: "the schedule has no next time within 100 years")))
                }
                run.arm(timer, at: due)
            }
            timer = scope.timer(for: sink.lifetime) {
                guard let due = schedule.next(after: last.state) else { return }
                last.state = due
                sink.receive(.string(schedule.text(of: due)))
                if !sink.isClosed { arm() }
            }
            if !scope.isRestoring { arm() }
        }
    }
}

extension Flow {
    /// Returns the stream with a run that begins at a wall time, in nanoseconds since 1970.
    func beginning(atWallTime start: Int64) -> Flow {
        Flow { [subscribe] scope, sink in
            scope.run.start = start
            subscribe(scope, sink)
        }
    }
}

extension Run {
    /// The wall time of a run in virtual time, in nanoseconds since 1970.
    var wallTime: Int64 {
        let (sum, overflow) = start.addingReportingOverflow(now.nanoseconds)
        return overflow ? .max : sum
    }

    /// Returns the time of the run at which the wall time is a number of seconds; `nil` if it is too large.
    func time(ofWallTime seconds: Int64) -> StreamTime? {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (time, overflows) = product.subtractingReportingOverflow(start)
        return overflow || overflows || time < 0 ? nil : StreamTime(nanoseconds: time)
    }
}
