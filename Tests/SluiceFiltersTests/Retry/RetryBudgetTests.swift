import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

@Suite struct RetryBudgetTests {
    let clock = TestClock()

    private func taken(_ budget: RetryBudget, upTo limit: Int = 1_000_000) -> Int {
        for count in 0..<limit where !budget.withdraw() { return count }
        return limit
    }

    @Test func aFreshOneHoldsAHundred() {
        let budget = RetryBudget(clock: clock)
        #expect(budget.balance == 100)
        #expect(taken(budget) == 100)
        #expect(budget.balance == 0)
        #expect(RetryBudget().balance == 100)
    }

    /// An attempt that was not made costs nothing, unless its withdrawal has expired meanwhile.
    @Test func aWithdrawalIsTakenBack() {
        let budget = RetryBudget(timeToLive: .seconds(10), clock: clock)
        #expect(taken(budget) == 100)
        budget.refund()
        #expect(budget.balance == 1)
        budget.refund(after: 9_999_999_999)
        #expect(budget.balance == 2)
        budget.refund(after: 10_000_000_000)
        #expect(budget.balance == 2)
    }

    /// A call that is canceled while it waits for its next attempt gives that attempt back.
    @Test(arguments: [1, 60]) func aCanceledPauseCostsNothing(_ seconds: Int) async throws {
        let budget = RetryBudget(minimumPerSecond: 10, timeToLive: .seconds(60), clock: clock)
        let balance = budget.balance
        let node = RetryFilter<Int, Int>(
            backoff: .constant(.seconds(seconds)),
            budget: budget,
            classify: { _, _ in .retryable() },
            clock: clock
        )
        .andThen(AnyNode { $0 })
        let call = Task { try await node.process(1) }
        await clock.sleepers(1)
        #expect(budget.balance == balance - 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(budget.balance == balance)
    }

    @Test(arguments: [0.001, 0.01, 0.2, 0.3, 0.33, 0.4, 0.75, 0.99, 1, 1.5, 7.77, 9, 10])
    func anyRatioIsHonored(_ ratio: Double) {
        let budget = RetryBudget(ratio: ratio, minimumPerSecond: 0, clock: clock)
        #expect(taken(budget) == 0)
        let calls = 10_000
        for _ in 0..<calls { budget.deposit() }
        let share = Double(taken(budget, upTo: .max)) / Double(calls)
        #expect(abs(share - ratio) <= ratio * 0.001)
    }

    /// A thousand calls a second that all fail, for a minute: after the first ten seconds a fifth of them is retried,
    /// and ten a second besides.
    @Test func steadyStateAtTotalFailure() {
        let budget = RetryBudget(clock: clock)
        var retries = [Int](repeating: 0, count: 60)
        for millisecond in 0..<60_000 {
            budget.deposit()
            if budget.withdraw() { retries[millisecond / 1000] += 1 }
            clock.advance(by: .milliseconds(1))
        }
        // In the first ten seconds the reserve of a hundred is there at once.
        #expect(retries[..<10].reduce(0, +) == 2100)
        for start in stride(from: 10, to: 60, by: 10) {
            #expect(retries[start..<start + 10].reduce(0, +) == 2100)
        }
    }

    @Test func whatIsOldIsForgotten() {
        let budget = RetryBudget(ratio: 1, minimumPerSecond: 0, timeToLive: .seconds(10), clock: clock)
        budget.deposit()
        clock.advance(by: .nanoseconds(9_999_999_999))
        #expect(budget.balance == 1)
        clock.advance(by: .nanoseconds(1))
        #expect(budget.balance == 0)
        // A deposit late in its slice leaves with the slice.
        clock.advance(by: .milliseconds(999))
        budget.deposit()
        clock.advance(by: .nanoseconds(9_000_999_999))
        #expect(budget.balance == 1)
        clock.advance(by: .nanoseconds(1))
        #expect(budget.balance == 0)
        budget.deposit()
        clock.advance(by: .seconds(1000))
        #expect(budget.balance == 0)
    }

    @Test func nothingAtAll() {
        let empty = RetryBudget(ratio: 0, minimumPerSecond: 0, clock: clock)
        empty.deposit()
        #expect(empty.balance == 0)
        #expect(!empty.withdraw())
        let minimum = RetryBudget(ratio: 0, minimumPerSecond: 3, timeToLive: .seconds(2), clock: clock)
        #expect(taken(minimum) == 6)
    }

    @Test func nonsenseIsBounded() {
        for ratio in [-1, .nan, .infinity, -.infinity, 1e-300, 1e300] {
            let budget = RetryBudget(
                ratio: ratio,
                minimumPerSecond: .max,
                timeToLive: .seconds(Int64.max),
                clock: clock
            )
            budget.deposit()
            #expect(budget.balance == 6_000_000 || budget.balance == 6_000_010)
            _ = RetryBudget(ratio: ratio, minimumPerSecond: .min, timeToLive: .seconds(-1), clock: clock).balance
        }
    }

    /// A call through two filters of one budget is one deposit; through one filter twice, two.
    @Test func aCallIsOneDeposit() async throws {
        let budget = RetryBudget(ratio: 1, minimumPerSecond: 0, clock: clock)
        let filter = RetryFilter<Int, Int>(maxAttempts: 1, backoff: .none, budget: budget, clock: clock)
        let node = AnyNode<Int, Int> { $0 }
        #expect(try await filter.andThen(node).process(1) == 1)
        #expect(budget.balance == 1)
        let second = RetryFilter<Int, Int>(maxAttempts: 1, backoff: .none, budget: budget, clock: clock)
        #expect(try await filter.andThen(second).andThen(filter).andThen(node).process(1) == 1)
        #expect(budget.balance == 2)
        #expect(try await second.andThen(node).process(1) == 1)
        #expect(budget.balance == 3)
    }
}
