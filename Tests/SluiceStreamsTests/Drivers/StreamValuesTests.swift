import Sluice
import SluiceStreams
import SluiceTesting
import Testing

@Suite struct StreamValuesTests {
    let clock = TestClock()

    @Test func valuesComeWhenTheyAreDue() async throws {
        let start = clock.now
        let seen = Locked<[String]>([])
        let task = Task { [clock] in
            for try await value in model([(1, [1]), (2, [2]), (3, [])]).values(clock: clock) {
                let elapsed = start.duration(to: clock.now)
                seen.withLock { $0.append("\(value) after \(elapsed)") }
            }
        }
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(2))
        clock.advance(by: .seconds(2))
        try await task.value
        #expect(seen.withLock { $0 } == ["1 after 1.0 seconds", "2 after 3.0 seconds", "3 after 3.0 seconds"])
    }

    @Test func eventsBearTheTimeAtWhichTheyWereDue() async throws {
        var iterator = model([(1, [1]), (2, [1])]).events(clock: clock).makeAsyncIterator()
        async let nothing: Void = clock.sleepers(1)
        let late = Task { [clock] in
            await clock.sleepers(1)
            clock.advance(by: .seconds(10))  // the reader is late: what is due follows at once
        }
        var events: [StreamEvent<Int>] = []
        while let event = try await iterator.next() { events.append(event) }
        #expect(text(events) == ["1:1", "2:2", "2|"])
        await late.value
        await nothing
    }

    @Test func everyIterationIsARun() async throws {
        let values = model([(1, []), (2, [])]).values(clock: clock)
        for _ in 0..<2 {
            var seen: [Int] = []
            for try await value in values { seen.append(value) }
            #expect(seen == [1, 2])
        }
    }

    @Test func cancelEndsTheRun() async {
        let task = Task { [clock] in
            for try await _ in model([(1, [1])]).values(clock: clock) {}
        }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func cancelEndsARunThatNeverWaits() async {
        let task = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in model((0..<10).map { ($0, []) }).values(clock: clock) {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func failureIsThrown() async {
        let error = StreamError(
            path: "stream[0].operators[0].delay.seconds",
            message: "expected a number of seconds from 0 to 1000000000, found -1"
        )
        await #expect(throws: error) {
            for try await _ in model([(1, [-1])]).values(clock: clock) {}
        }
    }
}
