import Foundation
import Sluice
import Testing

@testable import SluiceRuns

/// The threads of a scheduler that wait for the calls of its timer.
///
/// The time is the test's: the timer's own thread finds a call late only where the test says so, and not on a busy machine.
@Suite(.timeLimit(.minutes(10))) struct TimerKeeperTests {
    private final class Clock: Sendable {
        private let time = Locked<Int64>(0)
        var now: Int64 { time.withLock { $0 } }
        func set(_ now: Int64) { time.withLock { $0 = now } }
    }

    /// A scheduler and its timer, on the clock of the test.
    private struct Crew: Sendable {
        let clock = Clock()
        let timer: ThreadTimer
        let scheduler: RunScheduler

        init(threads: Int) {
            timer = ThreadTimer(clock: { [clock] in clock.now })
            scheduler = RunScheduler(threads: threads, spareThreads: 0, timer: timer)
        }

        /// Has a thread rest that waits for the timer.
        func rest() async {
            let run = RunExecutor(on: scheduler)
            run.onTurn {}
            run.requestTurn()
            while !timer.isKept, !Task.isCancelled { await Task.yield() }
        }

        /// Schedules a call that is due `delay` nanoseconds later, lets that time pass and `more`, and returns the name of the
        /// thread that makes the call.
        func call(in delay: Int64, and more: Int64) async -> String {
            let name = Locked<String?>(nil)
            let alarm = timer.schedule(at: clock.now + delay) {
                let own = Thread.current.name ?? ""
                name.withLock { $0 = own }
            }
            clock.set(clock.now + delay + more)
            while name.withLock({ $0 == nil }), !Task.isCancelled { await Task.yield() }
            alarm.cancel()
            return name.withLock { $0 } ?? ""
        }
    }

    private func until(_ holds: () -> Bool) async { while !holds(), !Task.isCancelled { await Task.yield() } }

    /// A thread that rests makes the calls, also one that is scheduled before the call for which it waits.
    @Test(arguments: [1, 3]) func aThreadThatRestsMakesTheCalls(_ threads: Int) async {
        let crew = Crew(threads: threads)
        let late = crew.timer.schedule(at: 3_600_000_000_000) {}
        // A thread ends when it has rested for some seconds, which a busy machine may take between two lines.
        repeat {
            await crew.rest()
        } while await crew.call(in: 1_000_000, and: 50_000) != "sluice.runs" && !Task.isCancelled
        late.cancel()
    }

    /// The timer's thread makes the calls while all others are held up by long work.
    @Test(arguments: [1, 2]) func theTimersThreadStepsIn(_ threads: Int) async {
        let crew = Crew(threads: threads)
        await crew.rest()
        let end = DispatchSemaphore(value: 0)
        let begun = Locked(0)
        let runs = (0..<threads).map { _ in RunExecutor(on: crew.scheduler) }
        for run in runs {
            run.onTurn {
                begun.withLock { $0 += 1 }
                end.wait()
            }
            run.requestTurn()
        }
        await until { begun.withLock { $0 } == threads }
        for _ in 0..<3 { #expect(await crew.call(in: 1_000_000, and: 50_000 + ThreadTimer.grace) == "sluice.timer") }
        for _ in runs { end.signal() }
        await until { crew.scheduler.isIdle }
    }

    /// A thread makes the calls that came due while it worked, when it is done.
    @Test func aThreadMakesWhatCameDueWhileItWorked() async {
        let crew = Crew(threads: 1)
        let name = Locked<String?>(nil)
        repeat {
            await crew.rest()
            name.withLock { $0 = nil }
            let run = RunExecutor(on: crew.scheduler)
            run.onTurn {
                // It is due at once, and this thread waits for no call.
                _ = crew.timer.schedule(at: crew.clock.now) {
                    let own = Thread.current.name ?? ""
                    name.withLock { $0 = own }
                }
            }
            run.requestTurn()
            await until { name.withLock { $0 != nil } }
        } while name.withLock { $0 } != "sluice.runs" && !Task.isCancelled
    }

    // MARK: The timer alone

    @Test func theKeeperComesBeforeTheTimersThread() async {
        let clock = Clock()
        let (timer, signal) = (ThreadTimer(clock: { clock.now }), ThreadSignal())
        let calls = Locked<[Int]>([])
        #expect(timer.keep(with: signal, atMost: 1000) == 1000)
        // One that is no earlier doesn't concern the keeper.
        _ = timer.schedule(at: 1000) { calls.withLock { $0.append(1000) } }
        #expect(signal.wait(0) == .timedOut)
        _ = timer.schedule(at: 600) { calls.withLock { $0.append(600) } }
        #expect(signal.wait(0) == .reminded && signal.wait(0) == .timedOut)
        // A twentieth of its wait later.
        #expect(timer.keep(with: signal, atMost: 1000) == 630)
        clock.set(600)
        #expect(timer.takeOverdue().isEmpty)
        for call in timer.takeDue() { call() }
        #expect(calls.withLock { $0 } == [600])
        // The keeper is busy, and expected back: the timer's thread waits.
        clock.set(1000 + ThreadTimer.grace - 1)
        for _ in 0..<1000 { await Task.yield() }
        #expect(timer.count == 1)
        for call in timer.takeOverdue() { call() }
        #expect(calls.withLock { $0 } == [600, 1000])
        _ = timer.schedule(at: clock.now) { calls.withLock { $0.append(0) } }
        clock.set(clock.now + ThreadTimer.grace)
        await until { timer.count == 0 }
        await until { calls.withLock { $0 } == [600, 1000, 0] }
    }

    /// The timer's thread makes the calls on time after the keeper has ended.
    @Test func withoutAKeeperTheTimersThreadIsOnTime() async {
        let clock = Clock()
        let (timer, signal) = (ThreadTimer(clock: { clock.now }), ThreadSignal())
        _ = timer.keep(with: signal, atMost: 1000)
        _ = timer.schedule(at: 500) {}
        clock.set(600)
        timer.noteEnd(of: ThreadSignal())
        for _ in 0..<1000 { await Task.yield() }
        // Another thread has ended.
        #expect(timer.count == 1)
        timer.noteEnd(of: signal)
        await until { timer.count == 0 }
    }

    /// Calls that are due at about the same time cost one wake. One that is near is as punctual as before.
    @Test func callsThatCanWaitAreMadeTogether() {
        let clock = Clock()
        let (timer, signal) = (ThreadTimer(clock: { clock.now }), ThreadSignal())
        let second: Int64 = 1_000_000_000
        var alarms = [0, 100_000, 900_000].map { timer.schedule(at: second + $0) {} }
        alarms.append(timer.schedule(at: second + 1_200_000) {})
        #expect(timer.keep(with: signal, atMost: .max) == second + ThreadTimer.slack)
        clock.set(second + ThreadTimer.slack)
        #expect(timer.takeDue().count == 3 && timer.count == 1)
        alarms.append(timer.schedule(at: clock.now + 100_000) {})
        #expect(timer.keep(with: signal, atMost: .max) == 105_000)
        clock.set(clock.now + 105_000)
        #expect(timer.takeDue().count == 1 && timer.count == 1)
        // One that is due comes along before it has to.
        alarms.append(timer.schedule(at: clock.now + 1_000_000) {})
        clock.set(clock.now + 1_050_000)
        #expect(timer.takeDue().count == 2)
        for alarm in alarms { alarm.cancel() }
    }

    @Test func aCallEndsTheRestAndAReminderDoesNot() {
        let signal = ThreadSignal()
        signal.remind()
        signal.call()
        #expect(signal.wait(0) == .called && signal.wait(0) == .timedOut)
        signal.remind()
        signal.call()
        signal.waitForCall()
        #expect(signal.wait(0) == .timedOut)
    }
}
