import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error {}

@Suite(.timeLimit(.minutes(1))) struct SlowStartTests {
    private static let policies: [BalancingPolicy] = [.roundRobin, .leastLoaded, .peakEWMA()]
    private let clock = TestClock()
    private let isDown = Switch()

    private final class Switch: Sendable {
        private let storage = Locked(false)
        var isOn: Bool {
            get { storage.withLock { $0 } }
            set { storage.withLock { $0 = newValue } }
        }
    }

    /// Returns the share of `name` among some thousand calls, all at the same time.
    private func share(of name: String, _ balancer: Balancer<Int, String>) async -> Double {
        let count = 4000
        var hits = 0
        for number in 0..<count where (try? await balancer.process(number)) == name { hits += 1 }
        return Double(hits) / Double(count)
    }

    private func node(_ name: String) -> AnyNode<Int, String> {
        AnyNode { [isDown] _ in
            if name == "a", isDown.isOn { throw Failure() }
            return name
        }
    }

    @Test func theShareGrowsEvenly() {
        let start = SlowStart(over: .seconds(10), from: 0.2)
        for (second, share) in [(0, 0.2), (5, 0.6), (10, 1), (20, 1)] as [(Int64, Double)] {
            #expect(abs(start.share(at: second * 1_000_000_000) - share) < 1e-9)
        }
        #expect(SlowStart.none.share(at: 0) == 1)
        #expect(SlowStart(over: .seconds(-1), from: 7) == SlowStart(over: .zero, from: 1))
    }

    /// An endpoint that returns has a tenth of its share, and all of it ten seconds later.
    @Test(arguments: policies) func returningEndpoints(_ policy: BalancingPolicy) async throws {
        let balancer = Balancer(
            policy,
            over: ["a", "b"],
            accrual: .consecutiveFailures(2),
            backoff: .constant(.seconds(1), jitter: .none),
            slowStart: SlowStart(),
            clock: clock,
            random: RandomSource(seed: 1)
        ) { node($0) }
        // Nothing is slow in the beginning.
        #expect(abs(await share(of: "a", balancer) - 0.5) < 0.05)
        isDown.isOn = true
        while balancer.endpoints[0].isAlive { _ = try? await balancer.process(0) }
        isDown.isOn = false
        clock.advance(by: .seconds(1))
        _ = try await balancer.process(0)
        #expect(balancer.endpoints[0].isAlive)
        #expect(abs(await share(of: "a", balancer) - 0.05) < 0.02)
        clock.advance(by: .seconds(5))
        #expect(abs(await share(of: "a", balancer) - 0.275) < 0.05)
        clock.advance(by: .seconds(5))
        #expect(abs(await share(of: "a", balancer) - 0.5) < 0.05)
    }

    /// An endpoint that is added begins slowly, unless it comes with the first set.
    @Test(arguments: policies) func newEndpoints(_ policy: BalancingPolicy) async throws {
        let balancer = Balancer<Int, String>(
            policy,
            over: [String](),
            slowStart: SlowStart(over: .seconds(20), from: 0),
            clock: clock,
            random: RandomSource(seed: 1)
        ) { node($0) }
        let membership = Membership(balancer.core) { [self] (name: String) in node(name) }
        membership.update(["b", "c"])
        #expect(abs(await share(of: "b", balancer) - 0.5) < 0.05)
        membership.update(["a", "b", "c"])
        #expect(await share(of: "a", balancer) == 0)
        clock.advance(by: .seconds(10))
        #expect(abs(await share(of: "a", balancer) - 1.0 / 6) < 0.05)
        clock.advance(by: .seconds(10))
        #expect(abs(await share(of: "a", balancer) - 1.0 / 3) < 0.05)
    }

    /// The only endpoint gets all calls.
    @Test func aloneItGetsAll() async throws {
        let balancer = Balancer<Int, String>(.leastLoaded, over: [String](), slowStart: SlowStart(), clock: clock) {
            node($0)
        }
        let membership = Membership(balancer.core) { [self] (name: String) in node(name) }
        membership.update(["b"])
        membership.update(["a"])
        #expect(await share(of: "a", balancer) == 1)
    }
}
