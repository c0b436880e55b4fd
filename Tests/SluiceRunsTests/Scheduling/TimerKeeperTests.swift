import Foundation
import Sluice
import Testing

@testable import SluiceRuns

/// The threads of a scheduler that wait for the calls of its timer.
@Suite struct TimerKeeperTests {
    private static func uptime() -> Int64 { Int64(DispatchTime.now().uptimeNanoseconds) }

    private func until(_ holds: () -> Bool) async { while !holds(), !Task.isCancelled { await Task.yield() } }

    /// Schedules calls until the thread with a name makes one.
    ///
    /// - Parameter prepare: called before each call is scheduled.
    private func untilACall(
        of timer: ThreadTimer,
        comesOn name: String,
        after prepare: () -> Void = {}
    ) async {
        let names = Locked<[String]>([])
        var count = 0
        while !names.withLock({ $0.contains(name) }), !Task.isCancelled {
            count += 1
            prepare()
            _ = timer.schedule(at: timer.now + 1_000_000) {
                let name = Thread.current.name ?? ""
                names.withLock { $0.append(name) }
            }
            await until { names.withLock { $0.count } == count }
        }
    }

    /// A run whose turn takes until it is let go.
    private final class Held: Sendable {
        private let executor: RunExecutor
        private let end = DispatchSemaphore(value: 0)
        let hasBegun = Locked(false)

        init(_ scheduler: RunScheduler) {
            executor = RunExecutor(on: scheduler)
            executor.onTurn { [weak self] in
                self?.hasBegun.withLock { $0 = true }
                self?.end.wait()
            }
        }

        func requestTurn() { executor.requestTurn() }
        func letGo() { end.signal() }
    }

    /// A thread that rests makes the calls, also one that is scheduled before the call for which it waits.
    @Test(.timeLimit(.minutes(2)), arguments: [1, 3]) func aThreadThatRestsMakesTheCalls(_ threads: Int) async {
        let timer = ThreadTimer(clock: Self.uptime)
        let scheduler = RunScheduler(threads: threads, timer: timer)
        let late = timer.schedule(at: timer.now + 3_600_000_000_000) {}
        let run = RunExecutor(on: scheduler)
        run.onTurn {}
        // A thread ends when it has rested for some seconds, which a busy machine may take between two lines here.
        await untilACall(of: timer, comesOn: "sluice.runs") { run.requestTurn() }
        late.cancel()
    }

    /// The timer's thread makes the calls while all others are held up by long work.
    @Test(.timeLimit(.minutes(2)), arguments: [1, 2]) func theTimersThreadStepsIn(_ threads: Int) async {
        let timer = ThreadTimer(clock: Self.uptime)
        let scheduler = RunScheduler(threads: threads, spareThreads: 0, timer: timer)
        let runs = (0..<threads).map { _ in Held(scheduler) }
        // A thread has kept the timer before.
        let short = RunExecutor(on: scheduler)
        short.onTurn {}
        await untilACall(of: timer, comesOn: "sluice.runs") { short.requestTurn() }
        await until { scheduler.isIdle }
        for run in runs { run.requestTurn() }
        for run in runs { await until { run.hasBegun.withLock { $0 } } }
        await untilACall(of: timer, comesOn: "sluice.timer")
        for run in runs { run.letGo() }
        await until { scheduler.isIdle }
    }

    /// A call that asks for a turn while a thread is busy is made when the thread is done.
    @Test(.timeLimit(.minutes(2))) func aThreadMakesWhatCameDueWhileItWorked() async {
        let timer = ThreadTimer(clock: Self.uptime)
        let scheduler = RunScheduler(threads: 1, spareThreads: 0, timer: timer)
        let names = Locked<Set<String>>([])
        while !names.withLock({ $0.contains("sluice.runs") }), !Task.isCancelled {
            let isDone = Locked(false)
            let executor = RunExecutor(on: scheduler)
            executor.onTurn {
                // It is due at once, and this thread waits for no call.
                _ = timer.schedule(at: timer.now) {
                    let name = Thread.current.name ?? ""
                    names.withLock { _ = $0.insert(name) }
                    isDone.withLock { $0 = true }
                }
            }
            executor.requestTurn()
            await until { isDone.withLock { $0 } }
        }
    }

    // MARK: On a clock of the test

    private final class Clock: Sendable {
        private let time = Locked<Int64>(0)
        var now: Int64 { time.withLock { $0 } }
        func set(_ now: Int64) { time.withLock { $0 = now } }
    }

    @Test(.timeLimit(.minutes(2))) func theKeeperComesBeforeTheTimersThread() async {
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
    @Test(.timeLimit(.minutes(2))) func withoutAKeeperTheTimersThreadIsOnTime() async {
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
