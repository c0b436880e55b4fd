import SluiceTesting
import Testing

@Suite struct TestClockTests {
    @Test func standsStillUntilItIsMoved() {
        let clock = TestClock()
        let start = clock.now
        #expect(clock.now == start)
        clock.advance(by: .seconds(3))
        #expect(start.duration(to: clock.now) == .seconds(3))
    }

    @Test func sleepersWakeWhenTheirTimeHasCome() async throws {
        let clock = TestClock()
        #expect(clock.untilNext == nil)
        let (late, early) = (
            Task { try await clock.sleep(for: .seconds(5)) }, Task { try await clock.sleep(for: .seconds(2)) }
        )
        await clock.sleepers(2)
        #expect(clock.untilNext == .seconds(2))
        clock.advance(by: .seconds(2))
        try await early.value
        #expect(clock.untilNext == .seconds(3))
        clock.advance(by: .seconds(3))
        try await late.value
        #expect(clock.untilNext == nil)
    }

    @Test func whatIsPastIsNotSleptFor() async throws {
        let clock = TestClock()
        try await clock.sleep(for: .zero)
        try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)))
    }

    @Test func cancelEndsASleep() async {
        let clock = TestClock()
        let task = Task { try await clock.sleep(for: .seconds(5)) }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.untilNext == nil)
        let canceled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(5))
        }
        await #expect(throws: CancellationError.self) { try await canceled.value }
    }
}
