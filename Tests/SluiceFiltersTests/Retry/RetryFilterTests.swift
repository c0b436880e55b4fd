import Sluice
import SluiceFilters
import SluiceTesting
import Testing

private struct Failure: Error, Equatable { var attempt: Int }

@Suite struct RetryFilterTests {
    let clock = TestClock()

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
        let node = RetryFilter(maxAttempts: 3).andThen(node(failingBefore: 1))
        #expect(try await node.process(7) == "7 after 1 tries")
    }

    @Test func triesAgain() async throws {
        let node = RetryFilter(maxAttempts: 3).andThen(node(failingBefore: 3))
        #expect(try await node.process(7) == "7 after 3 tries")
    }

    @Test func attemptsAreTriesInAll() async {
        let node = RetryFilter(maxAttempts: 3).andThen(node(failingBefore: 4))
        await #expect(throws: Failure(attempt: 3)) { try await node.process(7) }
    }

    @Test(arguments: [1, 0, -5])
    func atLeastOneTry(_ attempt: Int) async {
        let node = RetryFilter(maxAttempts: attempt).andThen(node(failingBefore: 2))
        await #expect(throws: Failure(attempt: 1)) { try await node.process(7) }
    }

    @Test func refusedErrorIsNotTriedAgain() async {
        let filter = RetryFilter<Int, String>(maxAttempts: 5, when: { ($0 as? Failure)?.attempt != 2 })
        await #expect(throws: Failure(attempt: 2)) { try await filter.andThen(node(failingBefore: 5)).process(7) }
    }

    @Test func cancelIsNotTriedAgain() async {
        let tries = Tries()
        let node = AnyNode<Int, Int> { _ in
            tries.note(1)
            throw CancellationError()
        }
        await #expect(throws: CancellationError.self) { try await RetryFilter(maxAttempts: 5).andThen(node).process(1) }
        #expect(tries.count == 1)
    }

    @Test func pausesByTheClock() async throws {
        let filter = RetryFilter<Int, String>(maxAttempts: 3, pause: { .seconds($0 * 2) }, clock: clock)
        let call: Observer<String> = filter.andThen(node(failingBefore: 3)).start(7)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(2))
        clock.advance(by: .seconds(2))
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(4))
        clock.advance(by: .seconds(4))
        #expect(try await call.value == "7 after 3 tries")
    }

    @Test func cancelEndsThePause() async {
        let filter = RetryFilter<Int, String>(maxAttempts: 3, pause: { _ in .seconds(9) }, clock: clock)
        let task = Task { try await filter.andThen(node(failingBefore: 3)).process(7) }
        await clock.sleepers(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: - With a classifier, a budget, a deadline

    private func retry(
        attempt: Int = 3,
        backoff: Backoff = .none,
        longestHint: Duration = .seconds(60),
        budget: RetryBudget? = nil,
        isIdempotent: (@Sendable (Int) -> Bool)? = nil,
        classify: @escaping Classifier<Int, String> = { ResponseClass.of($1) }
    ) -> RetryFilter<Int, String> {
        RetryFilter(
            maxAttempts: attempt,
            backoff: backoff,
            longestHint: longestHint,
            budget: budget,
            isIdempotent: isIdempotent,
            classify: classify,
            clock: clock,
            random: RandomSource { .max }
        )
    }

    @Test func backoffGrows() async throws {
        let filter = retry(attempt: 4, backoff: .exponential(from: .seconds(1), to: .seconds(3)))
        let call: Observer<String> = filter.andThen(node(failingBefore: 4)).start(7)
        for seconds in [1, 2, 3] {
            await clock.sleepers(1)
            #expect(clock.untilNext == .seconds(seconds))
            clock.advance(by: .seconds(seconds))
        }
        #expect(try await call.value == "7 after 4 tries")
    }

    @Test func answersCanBeTriedAgain() async throws {
        let filter = retry(classify: { _, result in (try? result.get()) == "busy" ? .retryable() : .of(result) })
        let tries = Tries()
        let node = AnyNode<Int, String> { input in
            tries.note(input)
            return tries.count < 3 ? "busy" : "done"
        }
        #expect(try await filter.andThen(node).process(1) == "done")
        let busy = AnyNode<Int, String> { _ in "busy" }
        #expect(try await filter.andThen(busy).process(1) == "busy")
    }

    @Test func hintsOfTheAnswerAreHeeded() async throws {
        let filter = retry(
            backoff: .constant(.milliseconds(50)),
            longestHint: .seconds(5),
            classify: { input, result in
                result.isFailure ? .retryable(after: .seconds(input)) : .success
            }
        )
        let call: Observer<String> = filter.andThen(node(failingBefore: 2)).start(5)
        await clock.sleepers(1)
        // The random source gives the latest time.
        #expect(clock.untilNext == .milliseconds(10_050))
        clock.advance(by: .milliseconds(10_050))
        #expect(try await call.value == "5 after 2 tries")
        await #expect(throws: Failure(attempt: 1)) { try await filter.andThen(node(failingBefore: 2)).process(6) }
    }

    /// Callers that were asked to wait for four seconds return from the fourth to the eighth; with a deadline, in time.
    @Test(
        arguments: [
            (0, nil, 4000), (1, nil, 6000), (3, nil, 8000), (3, 6000, 6000), (0, 4001, 4000), (0, 4000, nil),
        ] as [(Int, Int?, Int?)]
    )
    func callersThatWereSentAwayReturnSpread(_ quarter: Int, _ deadline: Int?, _ wait: Int?) async throws {
        let numbers: [UInt64] = [0, 1 << 63, 3 << 62, .max]
        let filter = RetryFilter<Int, String>(
            backoff: .none,
            classify: { _, result in result.isFailure ? .retryable(after: .seconds(4)) : .success },
            clock: clock,
            random: RandomSource { numbers[quarter] }
        )
        var context = CallContext.current
        context.deadline = deadline.map { clock.now + .milliseconds($0) }
        let call: Observer<String> = withCallContext(context) { filter.andThen(node(failingBefore: 2)).start(7) }
        if let wait {
            await clock.sleepers(1)
            let found = try #require(clock.untilNext) / .milliseconds(1)
            #expect(abs(found - Double(wait)) < 0.01)
            clock.advance(by: .milliseconds(wait + 1))
            #expect(try await call.value == "7 after 2 tries")
        } else {
            await #expect(throws: Failure(attempt: 1)) { try await call.value }
        }
    }

    @Test func whatMayNotBeSentTwiceIsNot() async throws {
        let filter = retry(isIdempotent: { $0 > 5 })
        #expect(try await filter.andThen(node(failingBefore: 2)).process(7) == "7 after 2 tries")
        await #expect(throws: Failure(attempt: 1)) { try await filter.andThen(node(failingBefore: 2)).process(1) }
        var context = CallContext.current
        context.idempotencyKey = "a"
        let answer = try await withCallContext(context) {
            try await filter.andThen(node(failingBefore: 2)).process(1)
        }
        #expect(answer == "1 after 2 tries")
    }

    @Test func errorsKnowTheirClass() async {
        let tries = Tries()
        let node = AnyNode<Int, String> { _ in
            tries.note(1)
            throw DeadlineError()
        }
        await #expect(throws: DeadlineError()) { try await retry().andThen(node).process(1) }
        #expect(tries.count == 1)
    }

    /// A budget needs no backoff: further attempts begin immediately, as far as it allows.
    @Test func aBudgetWithoutABackoff() async throws {
        let budget = RetryBudget(ratio: 0, minimumPerSecond: 1, timeToLive: .seconds(1), clock: clock)
        let filter = RetryFilter<Int, String>(maxAttempts: 3, budget: budget, clock: clock)
        #expect(try await filter.andThen(node(failingBefore: 2)).process(7) == "7 after 2 tries")
        #expect(clock.untilNext == nil)
        await #expect(throws: (any Error).self) { try await filter.andThen(node(failingBefore: 2)).process(7) }
    }

    /// A budget of ten: ten calls that fail are tried twice each, the next once.
    @Test func theBudgetLimits() async {
        let budget = RetryBudget(ratio: 0, minimumPerSecond: 1, clock: clock)
        let tries = Tries()
        let node = AnyNode<Int, String> { input in
            tries.note(input)
            throw Failure(attempt: input)
        }
        let filter = retry(attempt: 2, budget: budget)
        for input in 0..<12 {
            await #expect(throws: Failure(attempt: input)) { try await filter.andThen(node).process(input) }
        }
        #expect(tries.all == (0..<10).flatMap { [$0, $0] } + [10, 11])
    }

    /// A deadline of two seconds: a wait of two would end at it.
    @Test(arguments: [(1999, "7 after 2 tries"), (2000, nil)])
    func noTryAfterTheDeadline(_ wait: Int, _ answer: String?) async throws {
        let filter = retry(backoff: .constant(.milliseconds(wait)))
        var context = CallContext.current
        context.deadline = clock.now + .seconds(2)
        let call: Observer<String> = withCallContext(context) {
            filter.andThen(node(failingBefore: 2)).start(7)
        }
        if let answer {
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(wait))
            #expect(try await call.value == answer)
        } else {
            await #expect(throws: Failure(attempt: 1)) { try await call.value }
        }
    }

    /// Tries take 100 ms: with 90 left none begins, with 110 one does.
    @Test func noTryThatCannotFinish() async throws {
        let filter = retry()
        let tries = Tries()
        let node = AnyNode<Int, String> { [clock] input in
            tries.note(input)
            if input > 0, CallContext.current.attempt == 1 { throw Failure(attempt: 1) }
            clock.advance(by: .milliseconds(100))
            return "done"
        }
        func call(_ input: Int, within milliseconds: Int) async throws -> String {
            var context = CallContext.current
            context.deadline = clock.now + .milliseconds(milliseconds)
            return try await withCallContext(context) { try await filter.andThen(node).process(input) }
        }
        for _ in 0..<10 { _ = try await call(0, within: 1000) }
        // The first question starts the watch, the next look is three seconds later.
        _ = try await call(1, within: 90)
        clock.advance(by: .seconds(3))
        await #expect(throws: Failure(attempt: 1)) { try await call(1, within: 90) }
        #expect(try await call(1, within: 110) == "done")
    }

    @Test func tellsWhatAndWhy() async throws {
        let budget = RetryBudget(ratio: 0, minimumPerSecond: 1, timeToLive: .seconds(1), clock: clock)
        let filter = retry(budget: budget)
        let steps = await filter.andThen(node(failingBefore: 9)).explain(7, clock: clock).trail.steps
        #expect(
            steps.map { "\($0.attempt) \($0.event)" } == [
                "1 failed: Failure(attempt: 1); next attempt in 0.0 seconds",
                "2 failed: Failure(attempt: 2); the budget is used up",
            ]
        )
        let answered = await filter.andThen(node(failingBefore: 1)).explain(7, clock: clock)
        #expect(answered.trail.steps.map(\.event) == ["answered"])
    }

    @Test func describesItself() {
        #expect(RetryFilter<Int, Int>(maxAttempts: 3).description == "RetryFilter(maxAttempts: 3)")
    }
}

extension Result {
    fileprivate var isFailure: Bool { (try? get()) == nil }
}
