import Foundation
import Sluice
import SluiceJSON
import SluiceTesting
import Testing

@testable import SluiceStreams

@Suite struct ScheduleTests {
    private func seconds(_ text: String) throws -> Int64 {
        Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970)
    }

    /// The texts of the first due times after a time.
    private func due(_ cron: String, _ zone: String, after start: String, _ count: Int) throws -> [String] {
        let schedule = try ZonedSchedule(cron: cron, zone: zone)
        var (time, texts) = (try seconds(start), [String]())
        while texts.count < count, let next = schedule.next(after: time) {
            texts.append(schedule.text(of: next))
            time = next
        }
        return texts
    }

    // MARK: Zones

    @Test func aTimeThatTheClockSkipsRunsAtTheNextValidMinute() throws {
        let texts = try due("30 2 * * *", "Europe/Berlin", after: "2026-03-28T00:00:00Z", 3)
        #expect(
            texts == ["2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"]
        )
        // Several skipped times, and the one after them, are one.
        let often = try due("*/20 2,3 * * *", "Europe/Berlin", after: "2026-03-29T00:00:00Z", 3)
        #expect(
            often == ["2026-03-29T03:00:00+02:00", "2026-03-29T03:20:00+02:00", "2026-03-29T03:40:00+02:00"]
        )
    }

    @Test func aTimeThatOccursTwiceRunsOnce() throws {
        let texts = try due("30 2 * * *", "Europe/Berlin", after: "2026-10-24T10:00:00Z", 2)
        #expect(texts == ["2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"])
        // From within the second pass too, whose times have been.
        let again = try due("*/15 * * * *", "Europe/Berlin", after: "2026-10-25T01:10:00Z", 2)
        #expect(again == ["2026-10-25T03:00:00+01:00", "2026-10-25T03:15:00+01:00"])
    }

    @Test func aDayThatAZoneSkipsRunsAtTheStartOfTheNext() throws {
        let texts = try due("0 12 * * *", "Pacific/Apia", after: "2011-12-29T12:00:00Z", 3)
        #expect(
            texts == ["2011-12-29T12:00:00-10:00", "2011-12-31T00:00:00+14:00", "2011-12-31T12:00:00+14:00"]
        )
    }

    /// The last of many is that which one would find by asking for each.
    @Test func theLastIsFound() throws {
        let schedule = try ZonedSchedule(cron: "17 5 * * MON", zone: "America/New_York")
        let start = try seconds("2020-01-01T00:00:00Z")
        for limit in ["2020-01-02T00:00:00Z", "2020-01-07T00:00:00Z", "2021-03-01T00:00:00Z", "2026-11-22T00:00:00Z"] {
            let end = try seconds(limit)
            var (time, last) = (start, Int64?.none)
            while let next = schedule.next(after: time), next <= end { (time, last) = (next, next) }
            #expect(schedule.last(after: start, upTo: end) == last, "\(limit)")
        }
    }

    // MARK: Expressions

    @Test(arguments: [
        ("0 0 30 2 *", "the expression matches no date: no month that it names has that day"),
        ("0 0 31 4,6,9,11 *", "the expression matches no date: no month that it names has that day"),
        ("* * *", "expected five fields (minute hour day month weekday), or six with the second first, found 3"),
        ("61 * * * *", "minute: 61 is not from 0 to 59"),
        ("* * * * FUNDAY", "weekday: 'FUNDAY' is not a number or a name such as SUN"),
        ("*/0 * * * *", "minute: the step '0' is not a number from 1"),
        ("5-5 * * * *", "minute: the range '5-5' has only one number: write '5'"),
        ("* 22-2/2 * * *", "hour: the range '22-2' wraps around, and can't have a step"),
        ("99999999999999999999 * * * *", "minute: '99999999999999999999' is not a number"),
        (String(repeating: "1,", count: 200), "a cron expression has at most 256 bytes"),
        ("@never", "unknown name '@never' (known: @annually, @daily, @hourly, @midnight, @monthly, @weekly, @yearly)"),
        (
            "0 0 1 * MON#1",
            "weekday: an occurrence in the month can't be combined with other days: the day of the month "
                + "must be *, and the list may have only occurrences"
        ),
    ])
    func invalidExpressionsAreRefused(_ cron: String, _ message: String) throws {
        let error = #expect(throws: StreamError.self) { try CronExpression(cron) }
        #expect(error?.message == message)
        let text = #"{"source": {"schedule": {"cron": \#(JSON.string(cron))}}}"#
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: text).flow() }
        #expect(errors?.errors.map(\.message) == [message])
    }

    @Test func anUnknownZoneIsRefused() throws {
        let errors = #expect(throws: JSONErrors.self) {
            try StreamDocument(
                parsing: #"{"source": {"schedule": {"cron": "@daily", "zone": "Mars/Olympus"}}}"#
            ).flow()
        }
        #expect(
            errors?.errors.map(\.message)
                == ["unknown time zone 'Mars/Olympus': give a name such as Europe/Berlin or UTC"]
        )
    }

    /// The work of a rare date is bounded: the leap days on a Friday are up to 40 years apart.
    @Test func rareDatesAreFound() throws {
        #expect(try due("0 0 29 2 *", "UTC", after: "2096-03-01T00:00:00Z", 1) == ["2104-02-29T00:00:00Z"])
        #expect(try due("0 0 * FEB FRI#5", "UTC", after: "2092-03-01T00:00:00Z", 1) == ["2104-02-29T00:00:00Z"])
    }

    // MARK: Virtual time

    @Test func virtualTimeBeginsIn1970() throws {
        let document = try StreamDocument(
            parsing: #"{"source": {"schedule": "0 9 * * MON"}, "operators": [{"prefix": {"count": 2}}]}"#
        )
        let events = Array(try document.virtualEvents())
        #expect(events.compactMap(\.value) == ["1970-01-05T09:00:00Z", "1970-01-12T09:00:00Z"])
        #expect(events.map(\.time.seconds) == [378_000, 982_800, 982_800])
    }

    @Test func aTestSaysWhenItBegins() throws {
        let text = #"""
            {"source": {"schedule": {"cron": "30 2 * * *", "zone": "Europe/Berlin"}},
             "operators": [{"prefix": {"count": 1}}],
             "tests": [{"now": "2026-03-29T00:59:59Z", "frame": 1, "expect": "-(a|)",
                        "values": {"a": "2026-03-29T03:00:00+02:00"}}]}
            """#
        let document = try StreamDocument(parsing: text)
        #expect(try document.outcome(of: document.tests[0]).isPassed)
        #expect(try StreamDocument(parsing: document.canonicalText).tests == document.tests)
        let invalid = text.replacing("2026-03-29T00:59:59Z", with: "yesterday")
        let errors = #expect(throws: JSONErrors.self) { try StreamDocument(parsing: invalid).flow() }
        #expect(errors?.errors.first?.message == "expected a time such as 2026-03-01T09:00:00Z")
    }

    @Test func anInputOfATestReplacesIt() throws {
        let document = try StreamDocument(
            parsing: #"""
                {"source": {"schedule": "@daily"},
                 "tests": [{"frame": 1, "inputs": {"schedule": "-a|"}, "expect": "-a|"}]}
                """#
        )
        #expect(try document.outcome(of: document.tests[0]).isPassed)
    }

    /// A run that resumes gives what it would have given.
    @Test func aCheckpointContinues() throws {
        let document = try StreamDocument(parsing: #"{"source": {"schedule": "*/7 * * * *"}}"#)
        let run = try StreamRun(document)
        let whole = try StreamRun(document)
        run.advance(to: try #require(StreamTime(seconds: 1000)))
        while run.next() != nil {}
        let resumed = try StreamRun(document, from: run.checkpoint())
        for run in [resumed, whole] { run.advance(to: try #require(StreamTime(seconds: 4000))) }
        func values(_ run: StreamRun) -> [JSON] {
            var values: [JSON] = []
            while let event = run.next() { if let value = event.value { values.append(value) } }
            return values
        }
        #expect(values(resumed) == Array(values(whole).dropFirst(2)))
    }

    /// An edited schedule begins at the time of the edit.
    @Test func anEditBeginsTheNewTimes() throws {
        let old = try StreamDocument(parsing: #"{"source": {"schedule": "*/7 * * * *"}}"#)
        let new = try StreamDocument(
            parsing: #"{"source": {"schedule": {"cron": "*/5 * * * *", "zone": "Asia/Kolkata"}}}"#
        )
        let run = try StreamRun(old)
        run.advance(to: try #require(StreamTime(seconds: 1000)))
        while run.next() != nil {}
        #expect(try !run.edit(to: new).keepsAll)
        run.advance(to: try #require(StreamTime(seconds: 1500)))
        #expect(run.next()?.value == "1970-01-01T05:50:00+05:30")
        #expect(run.next()?.value == "1970-01-01T05:55:00+05:30")
        #expect(run.next() == nil)
    }

    // MARK: Live time

    /// A wall clock that goes with a test clock.
    private func host(_ clock: TestClock, from start: String) throws -> StreamHost {
        let (begun, origin) = (clock.now, try seconds(start))
        var host = StreamHost()
        host.registerSchedule(clock: clock) {
            let (seconds, attoseconds) = begun.duration(to: clock.now).components
            return (origin + seconds) * 1_000_000_000 + attoseconds / 1_000_000_000
        }
        return host
    }

    @Test func dueTimesComeByTheWallClock() async throws {
        let clock = TestClock()
        let document = try StreamDocument(parsing: #"{"source": {"schedule": "*/5 * * * *"}}"#)
        let events = try document.events(taking: 3, host: try host(clock, from: "2026-03-01T08:58:30Z"), clock: clock)
        let reader = Task {
            var events = events.makeAsyncIterator()
            var texts: [String] = []
            while let event = try await events.next() { texts.append(event.value?.string ?? "") }
            return texts
        }
        let done = Locked(false)
        let pace = Task {
            while !done.withLock({ $0 }) {
                if let next = clock.untilNext { clock.advance(by: next) }
                await Task.yield()
            }
        }
        let texts = try await reader.value
        done.withLock { $0 = true }
        await pace.value
        #expect(texts == ["2026-03-01T09:00:00Z", "2026-03-01T09:05:00Z", "2026-03-01T09:10:00Z"])
    }

    /// Collects what a source sends when it is started at a position, until it waits for a time to come.
    private func sent(_ missed: String?, position: String?, now: String) async throws -> (
        items: [String], mark: String?
    ) {
        let clock = TestClock()
        let wall = try seconds(now) * 1_000_000_000
        let items = Locked<[String]>([])
        let marks = Locked<[String]>([])
        let inlet = StreamInlet<JSON>(
            send: { value, position in
                items.withLock { $0.append(value.string ?? "") }
                marks.withLock { $0.append(position ?? "") }
            },
            push: { _ in true },
            mark: { position in marks.withLock { $0.append(position) } },
            position: position
        )
        var arguments: JSON.Object = ["cron": "0 * * * *"]
        if let missed { arguments["missed"] = .string(missed) }
        let source = ScheduleSource(clock: clock, wallTime: { wall })
        let given = JSON.object(arguments)
        let task = Task { try await source.feed(given, inlet) }
        await clock.sleepers(1)
        task.cancel()
        _ = await task.result
        return (items.withLock { $0 }, marks.withLock { $0.last })
    }

    @Test func missedTimesAreThoseSinceTheLast() async throws {
        let last = "\(try seconds("2026-03-01T09:00:00Z"))"
        let now = "2026-03-01T12:30:00Z"
        let noon = "\(try seconds("2026-03-01T12:00:00Z"))"
        let all = try await sent("all", position: last, now: now)
        #expect(all.items == ["2026-03-01T10:00:00Z", "2026-03-01T11:00:00Z", "2026-03-01T12:00:00Z"])
        for missed in [nil, "last"] {
            let result = try await sent(missed, position: last, now: now)
            #expect(result.items == ["2026-03-01T12:00:00Z"] && result.mark == noon)
        }
        let none = try await sent("none", position: last, now: now)
        #expect(none.items == [] && none.mark == noon)
        // A stream that begins has missed nothing, and notes when it began.
        let new = try await sent("all", position: nil, now: now)
        #expect(new.items == [])
        #expect(new.mark == "\(try seconds(now))")
    }
}
