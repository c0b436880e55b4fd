import Sluice
import SluiceFilters
import SluiceTesting
import Testing

extension SimulationTests {
    /// Limits that adapt, in a closed loop with an endpoint that does ten calls at a time.
    struct LimitScenarioTests {
        private static let capacity = 10
        private static let latency = Latency.exponential(mean: .milliseconds(100))

        /// The average of the limit after the first ten seconds, and the report.
        private func settled(
            _ limit: ConcurrencyLimit,
            load: Double,
            latency: Latency = latency,
            seed: UInt64
        ) async throws -> (limit: Double, report: SimulationReport) {
            let rate = load * Double(Self.capacity) / 0.1
            let simulation = Simulation(
                // A higher load tells as much in half the time.
                of: .seconds(load > 2 ? 20 : 40),
                arrivals: .poisson(perSecond: rate),
                endpoints: [SimulatedEndpoint("a", latency: latency, capacity: Self.capacity)],
                seed: seed
            )
            let samples = Locked((sum: 0.0, count: 0))
            let report = try await simulation.run { world in
                let filter = ConcurrencyFilter<Int, String>(limit, clock: world.clock)
                let stack = filter.andThen(world.endpoints[0])
                return AnyNode<Int, String> { input in
                    if world.clock.start.duration(to: world.clock.now) > .seconds(10) {
                        let limit = Double(filter.counts.limit)
                        samples.withLock { $0 = ($0.sum + limit, $0.count + 1) }
                    }
                    return try await stack.process(input)
                }
            }
            return (samples.withLock { $0.sum / Double($0.count) }, report)
        }

        /// A limit, the greatest factor between it and ten, and the least share that the endpoint does of what it does behind
        /// a fixed limit of ten. Vegas looks for the shortest times, which vary here, and so is careful.
        private static let limits: [(name: String, limit: ConcurrencyLimit, factor: Double, share: Double)] = [
            ("aimd", .aimd(in: 2...200, slow: .milliseconds(300)), 1.5, 0.8),
            ("vegas", .vegas(in: 2...200), 2, 0.55),
            ("gradient2", .gradient2(in: 2...200, tolerance: 1, queue: 2), 1.5, 0.8),
        ]

        /// The limit settles near ten calls, which keep the endpoint busy without a line, for every load and seed.
        @Test(arguments: limits.indices, [0.5, 1, 2, 10])
        func holdsTheIdealLimit(_ index: Int, _ load: Double) async throws {
            let (name, limit, factor, share) = Self.limits[index]
            let ideal = Double(Self.capacity)
            for seed in ScenarioSeeds.numbers {
                let (average, report) = try await settled(limit, load: load, seed: seed)
                // At half the load, five calls run on average.
                let least = ideal * min(load, 1) / factor
                #expect((least...ideal * factor).contains(average), "\(name), load \(load): \(average)")
                let served = Double(report.endpoints[0].successes)
                let best = Double(try await settled(10, load: load, seed: seed).report.endpoints[0].successes)
                #expect(served >= share * best, "\(name), load \(load): \(served) of \(best)")
            }
        }
    }
}

extension SimulationTests {
    /// Calls that wait although they come too late, at twice what an endpoint can do.
    struct LateCallTests {
        private func run(
            _ order: WaitingOrder,
            seed: UInt64
        ) async throws -> SimulationReport {
            try await Simulation(
                of: .seconds(30),
                arrivals: .poisson(perSecond: 200),
                endpoints: [SimulatedEndpoint("a", latency: .exponential(mean: .milliseconds(100)), capacity: 10)],
                seed: seed
            ).run { world in
                TimeoutFilter<Int, String>(.seconds(1), clock: world.clock)
                    .andThen(ConcurrencyFilter(10, queue: 400, order: order, clock: world.clock))
                    .andThen(world.endpoints[0])
            }
        }

        /// Of the calls that reach the endpoint, at most 5 % are canceled there.
        @Test(arguments: [WaitingOrder.oldestFirst, .newestFirst()], ScenarioSeeds.all)
        func callsThatCannotEndInTimeAreRefused(_ order: WaitingOrder, _ seed: Int) async throws {
            let report = try await run(order, seed: UInt64(seed))
            let endpoint = report.endpoints[0]
            let canceled = Double(endpoint.canceled) / Double(endpoint.tries)
            #expect(canceled <= 0.05, "\(canceled)")
            // It isn't idle for that.
            #expect(Double(endpoint.successes) / 30 > 85, "\(endpoint.successes)")
        }

        /// In overload, the newest calls are answered at once; the oldest first all wait as long as they can.
        @Test(arguments: ScenarioSeeds.all) func newestFirstAnswersSooner(_ seed: Int) async throws {
            let oldest = try await run(.oldestFirst, seed: UInt64(seed))
            let newest = try await run(.newestFirst(), seed: UInt64(seed))
            let (new, old) = (try #require(newest.latency(0.5)), try #require(oldest.latency(0.5)))
            #expect(new < old / 2, "\(new), \(old)")
            #expect(newest.success > 0.9 * oldest.success)
        }
    }
}

extension SimulationTests {
    /// An endpoint that accepts calls and never answers them, under the timeout of the whole call.
    struct HangingEndpointTests {
        /// Round robin over nine endpoints, one of which hangs from the fifth second on.
        private func run(seed: UInt64, timeoutPerTry: Bool) async throws -> SimulationReport {
            let usual = Latency.exponential(mean: .milliseconds(20))
            let hanging = usual.replaced(by: .constant(.seconds(3600)), during: .seconds(5)..<(.seconds(100)))
            return try await Simulation(
                of: .seconds(30),
                arrivals: .poisson(perSecond: 300),
                endpoints: (1...9).map { SimulatedEndpoint("\($0)", latency: $0 == 9 ? hanging : usual) },
                seed: seed
            ).run { world in
                TimeoutFilter<Int, String>(.seconds(1), clock: world.clock)
                    .andThen(
                        Balancer(.roundRobin, over: world.endpoints, clock: world.clock, random: world.random) { node in
                            timeoutPerTry
                                ? AnyNode(TimeoutFilter(.seconds(1), clock: world.clock).andThen(node))
                                : AnyNode(node)
                        }
                    )
            }
        }

        /// It is taken out as soon as with a timeout within each endpoint.
        @Test(arguments: ScenarioSeeds.all) func isTakenOut(_ seed: Int) async throws {
            let outside = try await run(seed: UInt64(seed), timeoutPerTry: false).endpoints[8]
            let inside = try await run(seed: UInt64(seed), timeoutPerTry: true).endpoints[8]
            // Its share of the first five seconds is about 167 calls.
            #expect(outside.tries < 300, "\(outside)")
            #expect(Double(outside.tries) < 1.2 * Double(inside.tries), "\(outside), \(inside)")
        }
    }
}
