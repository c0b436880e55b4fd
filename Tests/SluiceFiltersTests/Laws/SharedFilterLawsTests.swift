import Sluice
import SluiceFilters
import SluiceTesting
import Testing

/// The filters that act across calls obey the laws, with room, with a line in which calls wait, and with none.
@Suite struct SharedFilterLawsTests {
    let clock = TestClock()

    private func check<F: Filter<Int, Int, Int, Int>>(_ filter: @escaping @Sendable () -> F) async throws {
        try await FilterLaws(request: 1, answer: 2, clock: clock, filter).check()
    }

    @Test func breaker() async throws {
        try await check { [clock] in BreakerFilter(Breaker(clock: clock)) }
        try await check { [clock] in
            let condition = TripCondition.slowRate(0.5, over: .seconds(1), within: .seconds(10))
            return BreakerFilter<Int, Int>(Breaker(opensOn: condition.or(.averageSuccess()), clock: clock))
        }
    }

    @Test func rate() async throws {
        try await check { [clock] in RateFilter(10, per: .seconds(1), burst: 20, clock: clock) }
        try await check { [clock] in RateFilter(10, per: .seconds(1), burst: 2, wait: .seconds(60), clock: clock) }
        try await check { [clock] in
            RateFilter(10, per: .seconds(1), burst: 20, wait: .seconds(60), clock: clock, by: { $0 })
        }
    }

    @Test func concurrency() async throws {
        try await check { [clock] in ConcurrencyFilter(2, clock: clock) }
        try await check { [clock] in ConcurrencyFilter(2, queue: 100, wait: .seconds(60), clock: clock) }
        try await check { [clock] in ConcurrencyFilter(.aimd(in: 2...9), queue: 100, priority: { $0 }, clock: clock) }
    }

    @Test func shedding() async throws {
        try await check { [clock] in SheddingFilter(clock: clock) }
    }

    @Test(arguments: [BalancingPolicy.roundRobin, .leastLoaded, .peakEWMA()])
    func balancer(_ policy: BalancingPolicy) async throws {
        try await check { [clock] in Balanced(policy: policy, clock: clock) }
    }

    /// A balancer over two ways to the next stage.
    struct Balanced: SimpleFilter<Int, Int> {
        let policy: BalancingPolicy
        let clock: TestClock

        func process(_ request: Int, next: some Node<Int, Int>) async throws -> Int {
            try await Balancer(policy, over: [1, 2], clock: clock) { _ in next }.process(request)
        }
    }

    @Test func stack() async throws {
        try await check { [clock] in
            TimeoutFilter<Int, Int>(.seconds(9), clock: clock)
                .andThen(SheddingFilter(clock: clock))
                .andThen(RetryFilter(maxAttempts: 3, backoff: .constant(.milliseconds(100)), clock: clock))
                .andThen(RateFilter(100, per: .seconds(1), burst: 50, wait: .seconds(1), clock: clock))
                .andThen(ConcurrencyFilter(.aimd(), queue: 10, clock: clock))
                .andThen(BreakerFilter(Breaker(clock: clock)))
                .andThen(TimeoutFilter(.seconds(2), clock: clock))
        }
    }
}
