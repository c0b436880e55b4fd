import Sluice
import SluiceFilters
import SluiceTesting
import Testing

/// The costs and benefits of additional load.
extension SimulationTests {
    @Suite struct LoadScenarioTests {
        /// All calls fail, four attempts are allowed: without a budget the load is four times as high.
        @Test(arguments: ScenarioSeeds.all) func totalFailure(_ seed: Int) async throws {
            let simulation = Simulation(
                of: .seconds(60),
                arrivals: .poisson(perSecond: 100),
                endpoints: [SimulatedEndpoint("down", latency: .constant(.milliseconds(3))) { _ in 1 }],
                seed: UInt64(seed)
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
            // After the first time to live, in which the reserve is spent: 1 + 0.2 + 10 ÷ calls a second.
            let rate = Double(within.slices.dropFirst(10).reduce(0) { $0 + $1.calls }) / 50
            let expected = 1.2 + 10 / rate
            #expect(abs(within.amplification(from: .seconds(10)) - expected) < 0.02)
        }

        /// One call of a hundred stalls, for 200 ms on average. How much hedging saves depends on the stalls that happen to
        /// come: what holds for each of ten seeds is a factor of four, and in the median of them one of five.
        @Test func hedging() async throws {
            let latency = Latency.lognormal(median: .milliseconds(5), sigma: 0.3)
                .adding(.exponential(mean: .milliseconds(200)), withProbability: 0.01)
            var factors: [Double] = []
            for seed in ScenarioSeeds.numbers {
                let simulation = Simulation(
                    of: .seconds(80),
                    arrivals: .poisson(perSecond: 1000),
                    endpoints: [SimulatedEndpoint("stalling", latency: latency)],
                    seed: seed
                )
                let alone = try await simulation.run { $0.endpoints[0] }
                let hedged = try await simulation.run { world in
                    HedgeFilter(extraLoad: 0.01, clock: world.clock).andThen(world.endpoints[0])
                }
                #expect(hedged.amplification <= 1.01)
                let (before, after) = (try #require(alone.latency(0.999)), try #require(hedged.latency(0.999)))
                factors.append(before / after)
            }
            factors.sort()
            #expect(factors[0] >= 4, "\(factors)")
            #expect(factors[(factors.count - 1) / 2] >= 5, "\(factors)")
        }

        /// An outage of ten seconds: a thousand clients fail in it, and return. With a wait that is the same for all, they
        /// return together; with jitter, they do not.
        @Test(arguments: ScenarioSeeds.all) func aHerdAfterAnOutageSpreads(_ seed: Int) async throws {
            let simulation = Simulation(
                of: .milliseconds(100),
                arrivals: .every(.microseconds(100)),
                endpoints: [
                    SimulatedEndpoint("back", latency: .constant(.milliseconds(1))) { $0 < .seconds(10) ? 1 : 0 }
                ],
                clients: 1000,
                slice: .milliseconds(100),
                seed: UInt64(seed)
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

        /// A server sends a thousand callers away for ten seconds. They return over the ten seconds after those, about ten in
        /// each tenth of a second, and not together.
        @Test(arguments: ScenarioSeeds.all) func callersThatWereSentAwayReturnSpread(_ seed: Int) async throws {
            let endpoint = SimulatedEndpoint("busy", latency: .constant(.milliseconds(1)))
                .behind { clock, _ in Busy(clock: clock) }
            let report = try await Simulation(
                of: .milliseconds(100),
                arrivals: .every(.microseconds(100)),
                endpoints: [endpoint],
                clients: 1000,
                slice: .milliseconds(100),
                seed: UInt64(seed)
            ).run { world in
                RetryFilter(maxAttempts: 2, backoff: .none, clock: world.clock, random: world.random)
                    .andThen(world.endpoints[0])
            }
            #expect(report.success == 1)
            #expect(report.endpoints[0].refused == 1000)
            let returning = report.slices.dropFirst().map(\.tries)
            #expect(returning.prefix(98).allSatisfy { $0 == 0 })
            #expect(try #require(returning.max()) <= 30)
            for second in 0..<10 {
                let count = returning.dropFirst(99 + 10 * second).prefix(10).reduce(0, +)
                #expect((50...150).contains(count), "second \(second): \(count)")
            }
        }

        /// A server that has no room in the first second, and says when it will.
        private struct Busy: SimpleFilter<Int, String> {
            let clock: SimulatedClock

            func process(_ request: Int, next: some Node<Int, String>) async throws -> String {
                guard clock.start.duration(to: clock.now) > .seconds(1) else {
                    throw RateLimitError(retryAfter: .seconds(10))
                }
                return try await next.process(request)
            }
        }

        /// Two hundred clients whose breakers open in an outage: with a pause that is the same for all, their probes come
        /// together, again and again; with jitter, they do not.
        @Test(arguments: ScenarioSeeds.all) func probesOfBreakersSpread(_ seed: Int) async throws {
            func peak(_ jitter: Backoff.Jitter) async throws -> Int {
                let report = try await Simulation(
                    of: .seconds(20),
                    arrivals: .every(.milliseconds(1)),
                    endpoints: [SimulatedEndpoint("down", latency: .constant(.milliseconds(1))) { _ in 1 }],
                    clients: 200,
                    slice: .milliseconds(100),
                    seed: UInt64(seed)
                ).run { world in
                    let breaker = Breaker(
                        opensOn: .consecutiveFailures(1),
                        backoff: .constant(.seconds(5), jitter: jitter),
                        probes: 1,
                        clock: world.clock,
                        random: world.random
                    )
                    return BreakerFilter(breaker).andThen(world.endpoints[0])
                }
                return try #require(report.slices.dropFirst(10).map(\.tries).max())
            }
            #expect(try await peak(.none) >= 90)
            #expect(try await peak(.equal) <= 30)
        }
    }
}
