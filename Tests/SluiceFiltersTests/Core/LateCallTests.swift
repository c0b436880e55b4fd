import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

/// Calls that are canceled because their deadline has passed, within a timeout further outside: they are failures of the one
/// who was called. Calls that a caller cancels are not.
@Suite(.timeLimit(.minutes(30))) struct LateCallTests {
    private let clock = TestClock()
    private let forever = Forever()

    private func until(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    /// Ends `count` calls one after the other, by the time of a timeout or by their caller.
    private func end(_ count: Int, of node: some Node<Int, Int>, byTimeout: Bool) async {
        let node = TimeoutFilter(.seconds(1), clock: clock).andThen(node)
        for number in 1...count {
            let call: Observer<Int> = node.start(1)
            await until { forever.calls.begun == number }
            if byTimeout {
                await clock.sleepers(1)
                clock.advance(by: .seconds(1))
            } else {
                call.cancel()
            }
            _ = try? await call.value
            await until { forever.calls.running == 0 }
        }
    }

    @Test(arguments: [true, false]) func breaker(byTimeout: Bool) async throws {
        let breaker = Breaker(opensOn: .consecutiveFailures(3), clock: clock)
        await end(3, of: BreakerFilter(breaker).andThen(forever), byTimeout: byTimeout)
        await until { breaker.counts.failures + breaker.counts.ignored == 3 }
        #expect(breaker.counts.failures == (byTimeout ? 3 : 0))
        #expect(breaker.state == (byTimeout ? .open : .closed))
    }

    @Test(arguments: [true, false]) func balancer(byTimeout: Bool) async throws {
        let balancer = Balancer<Int, Int>(
            .roundRobin,
            over: ["a"],
            accrual: .consecutiveFailures(3),
            clock: clock
        ) { [forever] _ in forever }
        await end(3, of: balancer, byTimeout: byTimeout)
        await until { balancer.endpoints[0].pending == 0 }
        #expect(balancer.endpoints[0].failures == (byTimeout ? 3 : 0))
        #expect(balancer.endpoints[0].ignored == (byTimeout ? 0 : 3))
        #expect(balancer.endpoints[0].isAlive == !byTimeout)
    }

    @Test(arguments: [true, false]) func concurrencyLimit(byTimeout: Bool) async throws {
        let filter = ConcurrencyFilter<Int, Int>(.aimd(initial: 10, in: 2...20), clock: clock)
        await end(1, of: filter.andThen(forever), byTimeout: byTimeout)
        await until { filter.counts.ended == 1 }
        #expect(filter.counts.limit == (byTimeout ? 9 : 10))
    }
}
