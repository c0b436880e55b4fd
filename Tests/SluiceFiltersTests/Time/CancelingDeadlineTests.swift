import Sluice
import SluiceFilters
import SluiceTesting
import Testing

/// The time limits that cancel the task of their work.
@Suite struct CancelingDeadlineTests {
    private final class Calls: Sendable {
        let count = Locked(0)
    }

    private func deadline(_ clock: TestClock) -> (CancelingDeadline, Calls) {
        let calls = Calls()
        return (CancelingDeadline(clock) { calls.count.withLock { $0 += 1 } }, calls)
    }

    @Test func cancelsAtItsTime() {
        let clock = TestClock()
        let (deadline, calls) = deadline(clock)
        deadline.set(after: .seconds(30))
        clock.advance(by: .seconds(29))
        #expect(!deadline.hasPassed && calls.count.withLock { $0 } == 0)
        clock.advance(by: .seconds(1))
        #expect(deadline.hasPassed && calls.count.withLock { $0 } == 1)
        deadline.end()
        clock.advance(by: .seconds(60))
        #expect(calls.count.withLock { $0 } == 1)
    }

    @Test func anotherTimeReplacesTheFirst() {
        let clock = TestClock()
        let (deadline, calls) = deadline(clock)
        deadline.set(after: .seconds(30))
        clock.advance(by: .seconds(20))
        deadline.set(after: .seconds(15))
        #expect(clock.untilNext == .seconds(15))
        clock.advance(by: .seconds(14))
        #expect(!deadline.hasPassed)
        clock.advance(by: .seconds(1))
        #expect(deadline.hasPassed && calls.count.withLock { $0 } == 1)
    }

    @Test func anEndedOneCancelsNothing() {
        let clock = TestClock()
        let (deadline, calls) = deadline(clock)
        deadline.set(after: .seconds(30))
        deadline.end()
        clock.advance(by: .seconds(60))
        #expect(!deadline.hasPassed && calls.count.withLock { $0 } == 0)
        #expect(clock.untilNext == nil)
    }
}
