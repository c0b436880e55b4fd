import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error {}

/// Further attempts of a call go to endpoints that it has not tried.
@Suite(.timeLimit(.minutes(1))) struct TriedEndpointsTests {
    private static let policies: [BalancingPolicy] = [.roundRobin, .leastLoaded, .peakEWMA()]
    private let clock = TestClock()

    /// The names of the endpoints that each call was sent to.
    private final class Trail: Sendable {
        private let names = Locked<[Int: [String]]>([:])
        func note(_ call: Int, _ name: String) { names.withLock { $0[call, default: []].append(name) } }
        func names(of call: Int) -> [String] { names.withLock { $0[call] ?? [] } }
    }

    private func balancer(
        _ policy: BalancingPolicy,
        over names: [String],
        seed: Int,
        _ trail: Trail
    ) -> Balancer<Int, String> {
        Balancer(
            policy,
            over: names,
            accrual: .consecutiveFailures(1_000_000),
            clock: clock,
            random: RandomSource(seed: UInt64(seed))
        ) { name in
            AnyNode { call in
                trail.note(call, name)
                if name != "good" { throw Failure() }
                return name
            }
        }
    }

    /// With as many attempts as endpoints, one of which responds, every call succeeds, and tries none twice. The stages
    /// between the retry and the balancer start tasks of their own.
    @Test(arguments: policies, 1...10) func aRetryTriesAll(_ policy: BalancingPolicy, _ seed: Int) async throws {
        let trail = Trail()
        let node = RetryFilter<Int, String>(maxAttempts: 5, clock: clock)
            .andThen(TimeoutFilter(.seconds(1), clock: clock))
            .andThen(balancer(policy, over: ["a", "b", "good", "c", "d"], seed: seed, trail))
        for call in 0..<40 {
            #expect(try await node.process(call) == "good")
            #expect(Set(trail.names(of: call)).count == trail.names(of: call).count, "\(trail.names(of: call))")
        }
    }

    /// The filter learns only from a later attempt that there is a balancer, and knows it from then on.
    @Test func aRetryLearnsLate() async throws {
        let trail = Trail()
        let isAway = Locked(true)
        let gate = FallbackFilter<Int, String>(when: { _ in isAway.withLock { $0 } }) { _, _ in "away" }
        let balanced = gate.andThen(balancer(.leastLoaded, over: ["a", "b", "good"], seed: 1, trail))
        let skipping = AnyNode<Int, String> { call in
            if isAway.withLock({ $0 }) { return "away" }
            return try await balanced.process(call)
        }
        let node = RetryFilter<Int, String>(maxAttempts: 3, clock: clock).andThen(skipping)
        #expect(try await node.process(0) == "away")
        isAway.withLock { $0 = false }
        for call in 1..<30 { _ = try? await node.process(call) }
        for call in 30..<60 {
            #expect(try await node.process(call) == "good")
            #expect(Set(trail.names(of: call)).count == trail.names(of: call).count)
        }
    }

    /// Once all have been tried, any may be called again.
    @Test(arguments: policies) func thenAnyAgain(_ policy: BalancingPolicy) async {
        let trail = Trail()
        let node = RetryFilter<Int, String>(maxAttempts: 6, clock: clock)
            .andThen(balancer(policy, over: ["a", "b"], seed: 1, trail))
        await #expect(throws: Failure.self) { try await node.process(1) }
        #expect(trail.names(of: 1).count == 6)
        #expect(Set(trail.names(of: 1).prefix(2)) == ["a", "b"])
    }

    /// A call that ended well does not keep its endpoint from further calls within the same attempt.
    @Test func successesDoNotCount() async throws {
        let trail = Trail()
        let inner = balancer(.roundRobin, over: ["good"], seed: 1, trail)
        let node = RetryFilter<Int, Int>(maxAttempts: 2, clock: clock).andThen(
            AnyNode { call in
                for _ in 0..<3 { _ = try await inner.process(call) }
                return TriedEndpoints.current?.endpoints.count ?? -1
            }
        )
        #expect(try await node.process(1) == 0)
    }

    /// The first call of a hedge hangs; another caller's call takes the turn of the other endpoint; the second call goes
    /// there all the same.
    @Test(arguments: [true, false]) func aHedgePrefersAnother(withRetry: Bool) async throws {
        let hanging = Locked<String?>(nil)
        let balancer = Balancer<Int, String>(.roundRobin, over: ["a", "b"], clock: clock) { name in
            AnyNode { input in
                guard input == 1 else { return name }
                let isFirst = hanging.withLock { hanging in
                    if hanging == nil { hanging = name }
                    return hanging == name
                }
                if isFirst { return try await Context<String>().value }
                return name
            }
        }
        let hedge = HedgeFilter<Int, String>(extraLoad: 1, clock: clock)
        _ = hedge.latencies.value(now: 0)
        for _ in 0..<10 { hedge.latencies.record(100_000_000, now: 0) }
        clock.advance(by: .seconds(3))
        for input in 2..<6 { _ = try await hedge.andThen(balancer).process(input) }
        let call: Observer<String>
        if withRetry {
            call = hedge.andThen(RetryFilter(maxAttempts: 2, clock: clock)).andThen(balancer).start(1)
        } else {
            call = hedge.andThen(balancer).start(1)
        }
        while hanging.withLock({ $0 }) == nil { await Task.yield() }
        #expect(try await balancer.process(0) != hanging.withLock { $0 })
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        #expect(try await call.value != hanging.withLock { $0 })
    }
}
