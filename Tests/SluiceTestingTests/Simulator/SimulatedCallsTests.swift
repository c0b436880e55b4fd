import Sluice
import SluiceFilters
import SluiceTesting
import Testing

extension SimulationTests {
    /// Callers of a closed loop.
    @Suite struct SimulatedCallsTests {
        /// Each of four callers thinks for 60 ms and is answered after 40: ten calls a second.
        @Test func eachCallerHasOneCallAtATime() async throws {
            let simulation = Simulation(
                of: .seconds(10),
                arrivals: .closed(callers: 4, thinking: .constant(.milliseconds(60))),
                endpoints: [SimulatedEndpoint("a", latency: .constant(.milliseconds(40)))]
            )
            let report = try await simulation.run { $0.endpoints[0] }
            #expect(report.calls == 4 * 100)
            #expect(report.endpoints[0].peak == 4)
            #expect(report.slices.map(\.calls).allSatisfy { $0 == 40 })
        }

        /// The interactive response time law: calls per second = callers ÷ (response time + thinking time), however long the
        /// endpoint's line is. An open loop at the same rate as the capacity would grow without bound.
        @Test(arguments: ScenarioSeeds.all) func slowAnswersSlowTheCallersDown(_ seed: Int) async throws {
            let simulation = Simulation(
                of: .seconds(60),
                arrivals: .closed(callers: 50, thinking: .exponential(mean: .seconds(1))),
                endpoints: [SimulatedEndpoint("a", latency: .exponential(mean: .milliseconds(100)), capacity: 2)],
                seed: UInt64(seed)
            )
            let times = Locked((sum: Duration.zero, count: 0))
            let report = try await simulation.run { world in
                AnyNode<Int, String> { input in
                    let start = world.clock.now
                    defer {
                        let time = start.duration(to: world.clock.now)
                        times.withLock { $0 = ($0.sum + time, $0.count + 1) }
                    }
                    return try await world.endpoints[0].process(input)
                }
            }
            let mean = times.withLock { $0.sum / Double($0.count) } / .seconds(1)
            let rate = Double(report.calls) / 60
            // Twice the capacity is asked for in the beginning, and as much as it is from then on.
            #expect(abs(rate * (mean + 1) - 50) < 3, "\(rate) calls a second of \(mean) s")
            #expect(rate < 22 && rate > 17)
            #expect(report.endpoints[0].peak <= 50)
        }

        /// Callers belong to clients: each of the two filters sees the calls of two callers.
        @Test func callersBelongToClients() async throws {
            let simulation = Simulation(
                of: .seconds(1),
                arrivals: .closed(callers: 4, thinking: .constant(.milliseconds(50))),
                endpoints: [SimulatedEndpoint("a", latency: .constant(.milliseconds(50)))],
                clients: 2
            )
            let report = try await simulation.run { world in
                ConcurrencyFilter(1, clock: world.clock).andThen(world.endpoints[0])
            }
            // Of two callers, one is refused each time, and thinks again.
            #expect(report.endpoints[0].peak == 2)
            #expect(report.success < 0.7)
        }

        /// A caller that does not think and is refused at once does not stop the time.
        @Test func timePasses() async throws {
            let simulation = Simulation(
                of: .milliseconds(1),
                arrivals: .closed(callers: 1, thinking: .constant(.zero)),
                endpoints: []
            )
            struct Refused: Error {}
            let report = try await simulation.run { _ in AnyNode<Int, String> { _ in throw Refused() } }
            #expect(report.calls == 999)
        }
    }
}
