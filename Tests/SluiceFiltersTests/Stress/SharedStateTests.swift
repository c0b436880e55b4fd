import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

/// 64 tasks, a fixed number of calls, faults of every kind: every counter adds up. Run under the thread sanitizer by
/// `bin/test sanitizer`.
@Suite struct SharedStateTests {
    private static let tasks = 64
    private static let callsEach = 100
    private static let calls = tasks * callsEach

    /// The results of the calls.
    struct Tally: Sendable, Equatable {
        var successes = 0
        var failures = 0
        var canceled = 0
        var refused = 0
        var all: Int { successes + failures + canceled + refused }
    }

    /// Calls a node from all tasks. Of a hundred calls about ten fail, and ten are canceled while they run or wait.
    private func tally(_ node: some Node<Int, Int>) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var tally = Tally()
                    for number in 0..<Self.callsEach {
                        let call = Task { try await node.process(task * Self.callsEach + number) }
                        if number % 10 == 3 {
                            await Task.yield()
                            call.cancel()
                        }
                        switch await call.result {
                        case .success: tally.successes += 1
                        case .failure(is Failure): tally.failures += 1
                        case .failure(is CancellationError): tally.canceled += 1
                        case .failure: tally.refused += 1
                        }
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { sum, tally in
                sum.successes += tally.successes
                sum.failures += tally.failures
                sum.canceled += tally.canceled
                sum.refused += tally.refused
            }
        }
    }

    /// Answers after a few turns of the scheduler; one of ten fails.
    private let work = AnyNode<Int, Int> { number in
        for _ in 0..<(number % 4) {
            await Task.yield()
            try Task.checkCancellation()
        }
        if number % 10 == 7 { throw Failure() }
        return number
    }

    @Test func breaker() async {
        let breaker = Breaker(
            opensOn: .failureRate(0.2, ofLast: 20).or(.slowRate(1, over: .seconds(9), within: .seconds(1))),
            backoff: .constant(.microseconds(50)),
            probes: 3
        )
        let tally = await tally(BreakerFilter(breaker).andThen(work))
        let counts = breaker.counts
        #expect(tally.all == Self.calls)
        #expect(counts.passed + counts.refused == Self.calls)
        #expect(counts.refused == tally.refused)
        #expect(counts.successes == tally.successes)
        #expect(counts.failures == tally.failures)
        #expect(counts.ignored == tally.canceled)
    }

    @Test(arguments: [ConcurrencyLimit.fixed(3), .aimd(initial: 4, in: 2...8)])
    func concurrency(_ limit: ConcurrencyLimit) async {
        let most = Locked((running: 0, most: 0))
        let filter = ConcurrencyFilter<Int, Int>(limit, queue: 20, wait: .milliseconds(20), priority: { $0 % 3 })
        let node = filter.andThen(
            AnyNode<Int, Int> { [work] number in
                most.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) }
                defer { most.withLock { $0.running -= 1 } }
                return try await work.process(number)
            }
        )
        let tally = await tally(node)
        let counts = filter.counts
        #expect(tally.all == Self.calls)
        #expect(counts.running == 0)
        #expect(counts.waiting == 0)
        #expect(counts.ended + counts.refused + counts.canceled == Self.calls)
        #expect(counts.refused == tally.refused)
        #expect(most.withLock { $0.most } <= 8)
    }

    @Test func rate() async {
        let filter = RateFilter<Int, Int>(
            2000,
            per: .milliseconds(100),
            burst: 5,
            wait: .milliseconds(3),
            keys: 2,
            by: { $0 % 3 }
        )
        let tally = await tally(filter.andThen(work))
        let counts = filter.counts
        #expect(tally.all == Self.calls)
        #expect(counts.passed + counts.refused + counts.canceled == Self.calls)
        #expect(counts.refused == tally.refused)
    }

    @Test func shedding() async {
        let filter = SheddingFilter<Int, Int>(refused: 0.05, over: .milliseconds(10), minimumRate: 1) { $0 is Failure }
        let tally = await tally(filter.andThen(work))
        let counts = filter.counts
        #expect(tally.all == Self.calls)
        #expect(counts.passed + counts.dropped == Self.calls)
        #expect(counts.dropped == tally.refused)
        #expect(counts.refused == tally.failures)
        #expect(counts.accepted == tally.successes)
        #expect(counts.ignored == tally.canceled)
    }

    @Test(arguments: [BalancingPolicy.roundRobin, .leastLoaded, .peakEWMA()])
    func balancer(_ policy: BalancingPolicy) async {
        let (sets, input) = AsyncStream.makeStream(of: [Int].self)
        input.yield(Array(0..<10))
        let balancer = Balancer(
            policy,
            following: sets,
            accrual: .consecutiveFailures(2),
            backoff: .exponential(from: .microseconds(10), to: .milliseconds(1))
        ) { [work] _ in work }
        // A set of other order while calls run: all endpoints stay, and so do their counts.
        let shuffling = Task {
            for round in 0..<50 {
                input.yield((0..<10).map { ($0 + round) % 10 })
                await Task.yield()
            }
        }
        let tally = await tally(balancer)
        await shuffling.value
        let endpoints = balancer.endpoints
        #expect(tally.all == Self.calls)
        #expect(tally.refused == 0)
        #expect(endpoints.reduce(0) { $0 + $1.pending } == 0)
        #expect(endpoints.reduce(0) { $0 + $1.successes } == tally.successes)
        #expect(endpoints.reduce(0) { $0 + $1.failures } == tally.failures)
        // A call that was canceled before the first set came was sent to none.
        let sent = endpoints.reduce(0) { $0 + $1.calls }
        #expect(endpoints.reduce(0) { $0 + $1.ignored } == sent - tally.successes - tally.failures)
        #expect((0...Self.tasks).contains(Self.calls - sent))
    }

    @Test func stack() async {
        let breaker = Breaker(opensOn: .failureRate(0.3, ofLast: 30), backoff: .constant(.microseconds(20)), probes: 2)
        let concurrency = ConcurrencyFilter<Int, Int>(.aimd(in: 4...30), queue: 40)
        let balancer = Balancer(.peakEWMA(), over: 0..<5) { [work] _ in work }
        let node = SheddingFilter<Int, Int>()
            .andThen(RateFilter(1_000_000, per: .seconds(1), burst: 1000, wait: .milliseconds(50)))
            .andThen(concurrency)
            .andThen(BreakerFilter(breaker))
            .andThen(TimeoutFilter(.seconds(30)))
            .andThen(balancer)
        let tally = await tally(node)
        #expect(tally.all == Self.calls)
        #expect(concurrency.counts.running == 0)
        #expect(concurrency.counts.waiting == 0)
        #expect(concurrency.counts.ended == breaker.counts.passed + breaker.counts.refused)
        let counts = breaker.counts
        #expect(counts.successes + counts.failures + counts.ignored == counts.passed)
        let endpoints = balancer.endpoints
        #expect(endpoints.reduce(0) { $0 + $1.pending } == 0)
        #expect(endpoints.reduce(0) { $0 + $1.successes } == tally.successes)
    }
}
