import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

/// Every filter obeys the laws.
@Suite struct FilterLawsTests {
    let clock = TestClock()

    private func check<F: Filter<Int, Int, Int, Int>>(_ filter: @escaping @Sendable () -> F) async throws {
        try await FilterLaws(request: 1, answer: 2, clock: clock, filter).check()
    }

    @Test func retry() async throws {
        try await check { [clock] in RetryFilter(maxAttempts: 3, clock: clock) }
        try await check { [clock] in
            RetryFilter(
                maxAttempts: 3,
                backoff: .exponential(from: .seconds(1), to: .seconds(9)),
                budget: RetryBudget(clock: clock),
                classify: { _, result in
                    if case .failure = result { .retryable(after: .seconds(1)) } else { .success }
                },
                clock: clock
            )
        }
    }

    @Test func timeout() async throws {
        try await check { [clock] in TimeoutFilter(.seconds(2), clock: clock) }
        try await check { [clock] in TimeoutFilter(.milliseconds(500), clock: clock) }
        try await check { [clock] in DeadlineFilter(clock: clock) }
    }

    @Test func debounceAndThrottle() async throws {
        try await check { [clock] in DebounceFilter(delay: .milliseconds(10), clock: clock) }
        try await check { [clock] in DebounceFilter(delay: .seconds(10), clock: clock) }
        try await check { [clock] in ThrottleFilter(delay: .seconds(2), clock: clock) }
    }

    @Test func hedge() async throws {
        try await check { [clock] in HedgeFilter(extraLoad: 0.5, clock: clock) }
        // One that knows how long calls take, and calls a second time after a tenth of a second.
        try await check { [clock] in
            let filter = HedgeFilter<Int, Int>(extraLoad: 1, clock: clock)
            _ = filter.latencies.value(now: 0)
            for _ in 0..<10 { filter.latencies.record(100_000_000, now: 0) }
            clock.advance(by: .seconds(3))
            return filter
        }
    }

    @Test func singleFlight() async throws {
        try await check { [clock] in SingleFlightFilter(clock: clock) }
        try await check { [clock] in SingleFlightFilter(key: { _ in Int?.none }, clock: clock) }
    }

    @Test func auth() async throws {
        try await check { AuthFilter(refresh: {}) }
    }

    @Test func fallback() async throws {
        try await check { FallbackFilter(when: { !($0 is UnrelatedError) }) { request, _ in request } }
    }

    @Test func map() async throws {
        let filter: @Sendable () -> MapFilter<Int, Int, String, String> = {
            MapFilter(request: { "\($0)" }, response: { $0.count })
        }
        try await FilterLaws(request: 1, answer: "two", clock: clock, filter).check()
    }

    @Test func chaos() async throws {
        try await check { [clock] in ChaosFilter([.latency(rate: 1, .milliseconds(10))], clock: clock) }
    }

    @Test func stack() async throws {
        try await check { [clock] in
            TimeoutFilter<Int, Int>(.seconds(9), clock: clock)
                .andThen(AuthFilter(refresh: {}))
                .andThen(RetryFilter(maxAttempts: 3, backoff: .constant(.milliseconds(100)), clock: clock))
                .andThen(HedgeFilter(extraLoad: 0.1, clock: clock))
                .andThen(TimeoutFilter(.seconds(2), clock: clock))
        }
    }
}
