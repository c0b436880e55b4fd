import Sluice
import SluiceFilters
import SluiceTesting
import Testing

/// One at a time: each takes a processor for seconds.
@Suite(.serialized) struct SimulationTests {
    private let simulation = Simulation(
        of: .seconds(10),
        arrivals: .poisson(perSecond: 100),
        endpoints: [
            SimulatedEndpoint("a", latency: .exponential(mean: .milliseconds(20))) { $0 < .seconds(5) ? 0.1 : 0 },
            SimulatedEndpoint("b", latency: .uniform(.milliseconds(1)..<(.milliseconds(9))), capacity: 1),
        ],
        clients: 2,
        seed: 7
    )

    /// A stack with everything that starts tasks, waits, and draws.
    private func stack(_ world: Simulation.World) -> some Node<Int, String> {
        TimeoutFilter<Int, String>(.seconds(2), clock: world.clock)
            .andThen(
                RetryFilter(
                    maxAttempts: 3,
                    backoff: .exponential(from: .milliseconds(10), to: .seconds(1)),
                    budget: RetryBudget(clock: world.clock),
                    clock: world.clock,
                    random: world.random
                )
            )
            .andThen(ConcurrencyFilter(.aimd(in: 2...50), queue: 100, clock: world.clock))
            .andThen(HedgeFilter(extraLoad: 0.05, clock: world.clock))
            .andThen(TimeoutFilter(.milliseconds(200), clock: world.clock))
            .andThen(
                Balancer(.peakEWMA(), over: world.endpoints, clock: world.clock, random: world.random) { $0 }
            )
    }

    @Test func sameSeedSameResult() async throws {
        let (one, other) = (try await simulation.run(stack), try await simulation.run(stack))
        #expect(one == other)
        #expect(one.calls > 900 && one.calls < 1100)
        #expect(one.tries > one.calls)
        #expect(one.success > 0.99)
        #expect(one.endpoints.allSatisfy { $0.tries == $0.successes + $0.failures + $0.canceled })
        #expect(one.endpoints[0].failures > 0 && one.endpoints[1].failures == 0)
    }

    @Test func countsExactly() async throws {
        let simulation = Simulation(
            of: .seconds(1),
            arrivals: .every(.milliseconds(250)),
            endpoints: [
                SimulatedEndpoint("line", latency: .constant(.milliseconds(400)), capacity: 1) {
                    $0 >= .milliseconds(800) ? 1 : 0
                }
            ],
            slice: .milliseconds(500)
        )
        let report = try await simulation.run { $0.endpoints[0] }
        #expect(report.calls == 4)
        #expect(report.slices.map(\.calls) == [2, 2])
        #expect(report.slices.map(\.tries) == [2, 2])
        #expect(report.slices.map(\.successes) == [2, 0])
        #expect(report.latency(0.5) == .milliseconds(400))
        #expect(report.latency(1) == .milliseconds(550))
        #expect(report.success(within: .milliseconds(549)) == 0.25)
        #expect(report.errors == ["line failed": 2])
        #expect(
            "\(report)" == """
                calls     4, 50.00 % well, 1.000 tries each
                latency   p50 400.0 ms, p99 550.0 ms, p99.9 550.0 ms, max 550.0 ms
                error     2 × line failed
                endpoint  line  4 tries, 2 failed, 0 canceled, 3 at a time
                """
        )
    }

    /// A stack that waits for something else does not hang the test.
    @Test func saysWhenItStalls() async throws {
        let forever = Context<String>()
        let simulation = Simulation(of: .seconds(1), arrivals: .every(.milliseconds(400)), endpoints: [])
        await #expect(throws: SimulationError.stalled(unfinished: 3, at: .milliseconds(800))) {
            try await simulation.run { _ in AnyNode<Int, String> { _ in try await forever.value } }
        }
        let error = SimulationError.stalled(unfinished: 3, at: .seconds(60))
        #expect("\(error)" == "3 calls did not end by 60.0 seconds: they wait for something outside of the simulation")
        #expect("\(SimulationError.unsupported)" == "this platform's concurrency runtime cannot be simulated")
    }

    @Test func whatMakesTheClientMayFail() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await simulation.run { world -> SimulatedNode in throw Failure() }
        }
    }

    @Test func cancelEndsIt() async throws {
        let endless = Simulation(
            of: .seconds(1_000_000),
            arrivals: .every(.milliseconds(1)),
            endpoints: [SimulatedEndpoint("a", latency: .constant(.zero))]
        )
        let task = Task { try await endless.run { $0.endpoints[0] } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func distributionsHaveTheirMeans() async throws {
        func mean(_ latency: Latency) async throws -> Double {
            let simulation = Simulation(
                of: .seconds(2),
                arrivals: .every(.milliseconds(1)),
                endpoints: [SimulatedEndpoint("a", latency: latency)]
            )
            let report = try await simulation.run { $0.endpoints[0] }
            return (report.latency(0.5) ?? .zero) / .milliseconds(1)
        }
        let ten = Duration.milliseconds(10)
        #expect(try await mean(.constant(ten)) == 10)
        #expect(abs(try await mean(.uniform(.zero..<(ten * 2))) - 10) < 1)
        #expect(abs(try await mean(.normal(mean: ten, deviation: .milliseconds(1))) - 10) < 0.2)
        #expect(abs(try await mean(.lognormal(median: ten, sigma: 0.5)) - 10) < 0.6)
        // The median of the exponential distribution is ln 2 of its mean.
        #expect(abs(try await mean(.exponential(mean: ten)) - 6.931) < 0.6)
        #expect(try await mean(.constant(ten).adding(.constant(ten), withProbability: 1)) == 20)
        #expect(try await mean(.constant(ten).replaced(by: .constant(.zero), during: .zero..<(.seconds(2)))) == 0)
    }
}
