import Sluice
import SluiceFilters
import SluiceTesting
import Testing

extension SimulationTests {
    /// Filters of the server.
    @Suite struct SimulatedEndpointTests {
        private func run(queue: Int?, seed: Int, timeout: Duration = .seconds(1)) async throws -> SimulationReport {
            var endpoint = SimulatedEndpoint("a", latency: .exponential(mean: .milliseconds(100)), capacity: 10)
            if let queue {
                endpoint = endpoint.behind { clock, _ in ConcurrencyFilter(10, queue: queue, clock: clock) }
            }
            return try await Simulation(
                of: .seconds(20),
                arrivals: .poisson(perSecond: 200),
                endpoints: [endpoint],
                seed: UInt64(seed)
            ).run { TimeoutFilter(timeout, clock: $0.clock).andThen($0.endpoints[0]) }
        }

        /// At twice its capacity, a server that rejects what it can't do answers what it does, and soon; one that doesn't
        /// lets most calls wait until they are given up.
        @Test(arguments: ScenarioSeeds.all) func sheddingByTheServer(_ seed: Int) async throws {
            let (shedding, waiting) = (try await run(queue: 5, seed: seed), try await run(queue: nil, seed: seed))
            #expect(shedding.success > 0.45)
            #expect(shedding.endpoints[0].refused > shedding.calls / 3)
            #expect(shedding.errorsByKind["OverloadedError"] == shedding.endpoints[0].refused)
            let load = shedding.endpoints[0]
            #expect(load.tries == load.successes + load.failures + load.canceled + load.refused)
            #expect(load.canceled < shedding.calls / 100)
            #expect(waiting.endpoints[0].refused == 0)
            #expect(waiting.endpoints[0].canceled > waiting.calls / 3)
            let (soon, late) = (try #require(shedding.latency(0.5)), try #require(waiting.latency(0.5)))
            #expect(soon * 3 < late, "\(soon), \(late)")
            #expect("\(shedding)".contains("\(load.refused) rejected, "))
            #expect(!"\(waiting)".contains("rejected"))
        }

        /// The server sees the deadline of the caller, and does not begin what would end too late.
        @Test func theServerSeesTheDeadline() async throws {
            let report = try await run(queue: 1000, seed: 1)
            #expect(report.endpoints[0].refused > report.calls / 3)
            #expect(Double(report.endpoints[0].canceled) < 0.05 * Double(report.calls))
        }

        @Test func aFilterThatCannotBeMadeEndsTheSimulation() async throws {
            struct Failure: Error {}
            let endpoint = SimulatedEndpoint("a", latency: .constant(.zero))
                .behind { _, _ -> RetryFilter<Int, String> in throw Failure() }
            let simulation = Simulation(of: .seconds(1), arrivals: .every(.seconds(1)), endpoints: [endpoint])
            await #expect(throws: Failure.self) { try await simulation.run { $0.endpoints[0] } }
        }
    }
}
