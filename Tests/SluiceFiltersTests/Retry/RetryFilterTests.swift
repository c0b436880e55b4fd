import Sluice
import SluiceFilters
import SluiceTesting
import Testing

private struct Failure: Error, Equatable { var attempt: Int }

@Suite struct RetryFilterTests {
    /// Fails until a try.
    func node(failingBefore last: Int) -> AnyNode<Int, String> {
        AnyNode { [attempts = Tries()] input in
            let attempt = CallContext.current.attempt
            attempts.note(attempt)
            if attempt < last { throw Failure(attempt: attempt) }
            return "\(input) after \(attempts.count) tries"
        }
    }

    @Test func firstAnswerCounts() async throws {
        let node = RetryFilter(attempt: 3).andThen(node(failingBefore: 1))
        #expect(try await node.process(7) == "7 after 1 tries")
    }

    @Test func triesAgain() async throws {
        let node = RetryFilter(attempt: 3).andThen(node(failingBefore: 3))
        #expect(try await node.process(7) == "7 after 3 tries")
    }

    @Test func attemptsAreTriesInAll() async {
        let node = RetryFilter(attempt: 3).andThen(node(failingBefore: 4))
        await #expect(throws: Failure(attempt: 3)) { try await node.process(7) }
    }

    @Test(arguments: [1, 0, -5])
    func atLeastOneTry(_ attempt: Int) async {
        let node = RetryFilter(attempt: attempt).andThen(node(failingBefore: 2))
        await #expect(throws: Failure(attempt: 1)) { try await node.process(7) }
    }

    @Test func refusedErrorIsNotTriedAgain() async {
        let filter = RetryFilter<Int, String>(attempt: 5, when: { ($0 as? Failure)?.attempt != 2 })
        await #expect(throws: Failure(attempt: 2)) { try await filter.andThen(node(failingBefore: 5)).process(7) }
    }

    @Test func cancelIsNotTriedAgain() async {
        let tries = Tries()
        let node = AnyNode<Int, Int> { _ in
            tries.note(1)
            throw CancellationError()
        }
        await #expect(throws: CancellationError.self) { try await RetryFilter(attempt: 5).andThen(node).process(1) }
        #expect(tries.count == 1)
    }

    @Test func pausesByTheClock() async throws {
        let clock = TestClock()
        let filter = RetryFilter<Int, String>(attempt: 3, pause: { .seconds($0 * 2) }, clock: clock)
        let call: Observer<String> = filter.andThen(node(failingBefore: 3)).process(7)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(2))
        clock.advance(by: .seconds(2))
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(4))
        clock.advance(by: .seconds(4))
        #expect(try await call.value == "7 after 3 tries")
    }

    @Test func cancelEndsThePause() async {
        let clock = TestClock()
        let filter = RetryFilter<Int, String>(attempt: 3, pause: { _ in .seconds(9) }, clock: clock)
        let task = Task { try await filter.andThen(node(failingBefore: 3)).process(7) }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func describesItself() {
        #expect(RetryFilter<Int, Int>(attempt: 3).description == "RetryFilter(attempt: 3)")
    }
}
