import Sluice
import SluiceFilters
import SluiceTesting
import Testing

/// Buoyant's scenario of 2016: eleven servers, 1,000 calls a second for a minute, one of them slow from the 15th second
/// to the 45th. What is asked is how many calls end well within a second.
extension SimulationTests {
    @Suite struct BalancingScenarioTests {
        private func report(_ policy: BalancingPolicy, seed: UInt64) async throws -> SimulationReport {
            let usual = Latency.normal(mean: .milliseconds(167), deviation: .milliseconds(5))
            let slow = usual.replaced(by: .constant(.seconds(2)), during: .seconds(15)..<(.seconds(45)))
            let simulation = Simulation(
                of: .seconds(60),
                arrivals: .every(.milliseconds(1)),
                endpoints: (1...11).map { SimulatedEndpoint("\($0)", latency: $0 == 11 ? slow : usual) },
                seed: seed
            )
            return try await simulation.run { world in
                Balancer(policy, over: world.endpoints, clock: world.clock, random: world.random) { $0 }
            }
        }

        @Test(arguments: ScenarioSeeds.all) func roundRobin(_ seed: Int) async throws {
            let report = try await report(.roundRobin, seed: UInt64(seed))
            #expect(report.calls == 60_000)
            #expect(report.success == 1)
            #expect(abs(report.success(within: .seconds(1)) - 0.9545) < 0.0005)
        }

        @Test(arguments: ScenarioSeeds.all) func leastLoaded(_ seed: Int) async throws {
            let report = try await report(.leastLoaded, seed: UInt64(seed))
            #expect(report.success(within: .seconds(1)) > 0.99)
        }

        @Test(arguments: ScenarioSeeds.all) func peakEWMA(_ seed: Int) async throws {
            let report = try await report(.peakEWMA(), seed: UInt64(seed))
            #expect(report.success(within: .seconds(1)) >= 0.999)
        }
    }
}
