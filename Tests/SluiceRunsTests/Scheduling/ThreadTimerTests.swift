import Foundation
import Sluice
import Testing

@testable import SluiceRuns

/// The timer of runs, on a clock that the test sets and on that of the machine.
@Suite(.timeLimit(.minutes(10))) struct ThreadTimerTests {
    /// The numbers of the calls that were made.
    private final class Log: Sendable {
        let calls = Locked<[Int]>([])

        func note(_ number: Int) { calls.withLock { $0.append(number) } }

        var count: Int { calls.withLock { $0.count } }
    }

    private static func uptime() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

    private func until(_ holds: () -> Bool) async { while !holds() { await Task.yield() } }

    @Test func callsComeInOrderAndNotBeforeTheirTime() async {
        let (timer, log) = (ThreadTimer(clock: Self.uptime), Log())
        let early = Log()
        let start = timer.now
        var alarms: [any RunAlarm] = []
        for number in (0..<200).shuffled() {
            let instant = start + Int64(number) * 1_000_000
            alarms.append(
                timer.schedule(at: instant) {
                    if timer.now < instant { early.note(number) }
                    log.note(number)
                }
            )
        }
        await until { log.count == 200 }
        // One that was scheduled after its time had passed may come late, but for that they are in order.
        #expect(Set(log.calls.withLock { $0 }) == Set(0..<200))
        #expect(early.count == 0 && timer.count == 0)
        for alarm in alarms { alarm.cancel() }
        #expect(timer.count == 0)
    }

    @Test func aCanceledCallIsNotMadeAndHoldsNothing() async {
        let (timer, log) = (ThreadTimer(clock: Self.uptime), Log())
        final class Token: Sendable {}
        weak var held: Token?
        var alarms: [any RunAlarm] = []
        do {
            let token = Token()
            held = token
            for number in 0..<1000 {
                alarms.append(
                    timer.schedule(at: timer.now + 3_600_000_000_000) {
                        log.note(number)
                        withExtendedLifetime(token) {}
                    }
                )
            }
        }
        #expect(timer.count == 1000 && held != nil)
        for alarm in alarms { alarm.cancel() }
        for alarm in alarms { alarm.cancel() }
        #expect(timer.count == 0 && held == nil)
        // One that comes next is made although an hour was waited for.
        let next = timer.schedule(at: timer.now + 1_000_000) { log.note(-1) }
        await until { log.count == 1 }
        next.cancel()
        #expect(log.calls.withLock { $0 } == [-1])
    }

    /// A call may schedule and cancel others.
    @Test func aCallMaySchedule() async {
        let (timer, log) = (ThreadTimer(clock: Self.uptime), Log())
        let first = timer.schedule(at: timer.now) {
            let other = timer.schedule(at: .max) { log.note(0) }
            _ = timer.schedule(at: timer.now) {
                other.cancel()
                log.note(1)
            }
        }
        await until { log.count == 1 }
        #expect(timer.count == 0 && log.calls.withLock { $0 } == [1])
        first.cancel()
    }
}
