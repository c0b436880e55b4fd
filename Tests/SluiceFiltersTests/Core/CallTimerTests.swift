import Sluice
import SluiceTesting
import Synchronization
import Testing

@testable import SluiceFilters

/// An entry that notes its number.
private final class Entry: TimerEntry, @unchecked Sendable {
    let number: Int
    let noted: Tries
    init(_ number: Int, _ noted: Tries) {
        self.number = number
        self.noted = noted
    }
    override func fire() { noted.note(number) }
}

/// A clock that tests move, and that cannot call back: the timer has to sleep on it.
private struct SleptClock: Clock {
    let clock: TestClock
    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}

/// A clock whose first sleep goes on until it is canceled, as that of a task that gets no processor.
private struct StarvingClock: Clock {
    let clock: TestClock
    let sleeps: Tries
    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        sleeps.note(0)
        let isFirst = sleeps.all.count == 1
        try await clock.sleep(until: isFirst ? now.advanced(by: .seconds(1_000_000)) : deadline, tolerance: tolerance)
    }
}

@Suite struct CallTimerTests {
    let clock = TestClock()
    let noted = Tries()

    @Test func callsInTheOrderOfDeadlines() async {
        let timer = CallTimer.of(clock)
        for (number, seconds) in [5, 3, 9, 3, 1].enumerated() {
            timer.schedule(Entry(number, noted), at: Int64(seconds) * 1_000_000_000)
        }
        await clock.sleepers(5)
        clock.advance(by: .nanoseconds(2_999_999_999))
        #expect(noted.all == [4])
        clock.advance(by: .nanoseconds(1))
        #expect(noted.all == [4, 1, 3])
        clock.advance(by: .seconds(100))
        #expect(noted.all == [4, 1, 3, 0, 2])
    }

    @Test func whatIsPastIsCalledAtOnce() {
        let timer = CallTimer.of(clock)
        timer.schedule(Entry(1, noted), at: timer.now)
        #expect(noted.all == [1])
    }

    @Test func cancelledEntriesAreNotCalled() {
        let timer = CallTimer.of(clock)
        let entry = Entry(1, noted)
        timer.schedule(entry, at: 5)
        timer.cancel(entry)
        #expect(clock.untilNext == nil)
        clock.advance(by: .seconds(1))
        #expect(noted.all == [])
    }

    /// The entries of a task that was starved are called by the one that replaces it, whatever that one begins with.
    @Test func aTaskThatReplacesAStarvedOneCallsItsEntries() async {
        let sleeps = Tries()
        let timer = CallTimer.of(StarvingClock(clock: clock, sleeps: sleeps))
        let second: Int64 = 1_000_000_000
        timer.schedule(Entry(1, noted), at: second)
        timer.schedule(Entry(2, noted), at: 3 * second)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        #expect(noted.all == [])
        timer.schedule(Entry(3, noted), at: 100 * second)
        for _ in 0..<100_000 where noted.all.isEmpty { await Task.yield() }
        #expect(noted.all == [1])
        while clock.untilNext != .seconds(1) { await Task.yield() }
        clock.advance(by: .seconds(1))
        for _ in 0..<100_000 where noted.all.count < 2 { await Task.yield() }
        #expect(noted.all == [1, 2])
    }

    /// One task sleeps for all, until the first is due.
    @Test func oneTaskSleepsForAll() async throws {
        let timer = CallTimer.of(SleptClock(clock: clock))
        let second: Int64 = 1_000_000_000
        let late = Entry(2, noted)
        timer.schedule(late, at: 9 * second)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(9))
        timer.schedule(Entry(1, noted), at: 4 * second)
        timer.schedule(Entry(3, noted), at: 20 * second)
        while clock.untilNext != .seconds(4) { await Task.yield() }
        clock.advance(by: .seconds(4))
        while clock.untilNext != .seconds(5) { await Task.yield() }
        #expect(noted.all == [1])
        timer.cancel(late)
        clock.advance(by: .seconds(5))
        while clock.untilNext != .seconds(11) { await Task.yield() }
        #expect(noted.all == [1])
        clock.advance(by: .seconds(11))
        while noted.count < 2 { await Task.yield() }
        #expect(noted.all == [1, 3])
    }

    @Test func sleepsAndHeedsCancel() async throws {
        let timer = CallTimer.of(clock)
        let sleeper = Task { try await timer.sleep(for: .seconds(3)) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        try await sleeper.value
        let cancelled = Task { try await timer.sleep(for: .seconds(3)) }
        await clock.sleepers(1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(clock.untilNext == nil)
        try await timer.sleep(for: .zero)
    }

    @Test func realClocksCallToo() async throws {
        for clock: any Clock<Duration> in [ContinuousClock(), SuspendingClock()] {
            let timer = CallTimer.of(clock)
            let before = timer.now
            try await timer.sleep(for: .milliseconds(2))
            #expect(timer.now - before >= 2_000_000)
            let far = Task { try await timer.sleep(for: .seconds(Int64.max)) }
            far.cancel()
            await #expect(throws: CancellationError.self) { try await far.value }
        }
    }

    @Test func deadlinesAreTimesOfTheTimer() {
        let timer = CallTimer.of(clock)
        let deadline = clock.now + .seconds(3)
        #expect(timer.time(of: deadline) == 3_000_000_000)
        #expect(timer.instant(at: 3_000_000_000) == deadline)
        let suspending = CallTimer.of(.suspending)
        // The two clocks are read one after the other, so the answers differ by no more than the whole takes.
        let thousandSeconds: Int64 = 1_000_000_000_000
        let (earliest, first) = (suspending.now, ContinuousClock.now)
        let time = suspending.time(of: .now + .seconds(1000)) - thousandSeconds
        let instant = suspending.instant(at: suspending.now + thousandSeconds) - .seconds(1000)
        let (latest, last) = (suspending.now, ContinuousClock.now)
        #expect((earliest - (latest - earliest)...latest).contains(time))
        #expect((first - first.duration(to: last)...last).contains(instant))
    }

    @Test func heapStaysInOrder() {
        var heap = TimerHeap()
        let random = RandomSource(seed: 5)
        var entries: [Entry] = []
        for number in 0..<500 {
            let entry = Entry(number, noted)
            entry.deadline = Int64(random.below(100))
            heap.insert(entry)
            entries.append(entry)
        }
        for _ in 0..<200 {
            let entry = entries.remove(at: Int(random.below(UInt64(entries.count))))
            let (first, second) = (heap.remove(entry), heap.remove(entry))
            #expect(first && !second)
        }
        let order = entries.sorted { ($0.deadline, $0.sequence) < ($1.deadline, $1.sequence) }.map(\.number)
        var popped: [Int] = []
        while let entry = heap.popDue(.max) as? Entry { popped.append(entry.number) }
        #expect(popped == order)
    }

    @Test func durationsInNanoseconds() {
        #expect(Duration.seconds(2).nanoseconds == 2_000_000_000)
        #expect(Duration.seconds(Int64.max).nanoseconds == .max)
        #expect(Duration.seconds(Int64.min).nanoseconds == .min)
        #expect(
            Duration(secondsComponent: -1, attosecondsComponent: -500_000_000_000_000_000).nanoseconds == -1_500_000_000
        )
        #expect(Int64.max.advanced(byClamping: 1) == .max)
        #expect(Int64.min.advanced(byClamping: -1) == .min)
    }
}
