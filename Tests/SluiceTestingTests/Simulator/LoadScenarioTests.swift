import Sluice
import SluiceFilters
import SluiceTesting
import Testing

/// The costs and benefits of additional load.
extension SimulationTests {
    @Suite struct LoadScenarioTests {
        /// All calls fail, four tries are allowed: without a budget the load is four times as high.
        @Test func totalFailure() async throws {
            let simulation = Simulation(
                of: .seconds(60),
                arrivals: .every(.milliseconds(10)),
                endpoints: [SimulatedEndpoint("down", latency: .constant(.milliseconds(3))) { _ in 1 }]
            )
            let without = try await simulation.run { world in
                RetryFilter(maxAttempts: 4, backoff: .none, clock: world.clock, random: world.random)
                    .andThen(world.endpoints[0])
            }
            #expect(without.amplification == 4)
            #expect(without.success == 0)
            let within = try await simulation.run { world in
                RetryFilter(
                    maxAttempts: 4,
                    backoff: .none,
                    budget: RetryBudget(ratio: 0.2, minimumPerSecond: 10, clock: world.clock),
                    clock: world.clock,
                    random: world.random
                ).andThen(world.endpoints[0])
            }
            // After the first time to live, in which the reserve is spent: 1 + 0.2 + 10 ÷ 100.
            #expect(within.amplification(from: .seconds(10)) <= 1.3)
            #expect(within.amplification(from: .seconds(10)) > 1.28)
        }

        /// One call of a hundred stalls, for 200 ms on average.
        @Test func hedging() async throws {
            let latency = Latency.lognormal(median: .milliseconds(5), sigma: 0.3)
                .adding(.exponential(mean: .milliseconds(200)), withProbability: 0.01)
            let simulation = Simulation(
                of: .seconds(80),
                arrivals: .poisson(perSecond: 1000),
                endpoints: [SimulatedEndpoint("stalling", latency: latency)]
            )
            let alone = try await simulation.run { $0.endpoints[0] }
            let hedged = try await simulation.run { world in
                HedgeFilter(extraLoad: 0.01, clock: world.clock).andThen(world.endpoints[0])
            }
            let (before, after) = (alone.latency(0.999) ?? .zero, hedged.latency(0.999) ?? .zero)
            #expect(hedged.amplification <= 1.01)
            #expect(after * 10 <= before)
        }

        /// An outage of ten seconds: a thousand clients fail in it, and come back. With a wait that is the same for all they
        /// come at once; spread, they do not.
        @Test func aHerdAfterAnOutageSpreads() async throws {
            let simulation = Simulation(
                of: .milliseconds(100),
                arrivals: .every(.microseconds(100)),
                endpoints: [
                    SimulatedEndpoint("back", latency: .constant(.milliseconds(1))) { $0 < .seconds(10) ? 1 : 0 }
                ],
                clients: 1000,
                slice: .milliseconds(100)
            )
            func herd(_ jitter: Backoff.Jitter) async throws -> SimulationReport {
                try await simulation.run { world in
                    RetryFilter(
                        maxAttempts: 50,
                        backoff: .exponential(from: .milliseconds(100), to: .seconds(5), jitter: jitter),
                        clock: world.clock,
                        random: world.random
                    ).andThen(world.endpoints[0])
                }
            }
            func peak(_ report: SimulationReport) -> Int { report.slices.dropFirst(100).map(\.tries).max() ?? 0 }
            let (together, spread) = (try await herd(.none), try await herd(.full))
            #expect(together.success == 1 && spread.success == 1)
            #expect(peak(together) >= 900)
            #expect(peak(spread) <= 100)
        }
    }
}
