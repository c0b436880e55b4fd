import Sluice
import SluiceFilters
import SluiceTesting
import Testing

extension SimulationTests {
    @Suite struct SimulationReportTests {
        private struct Odd: Error, CustomStringConvertible {
            let number: Int
            var description: String { "call \(number)" }
        }

        /// Calls each tenth of a second: ten of 10 ms, ten of 20 ms of which two fail in another way each, and ten of 1.5 s.
        private func report() async throws -> SimulationReport {
            let latency = Latency { time, _ in
                time < .seconds(1) ? .milliseconds(10) : time < .seconds(2) ? .milliseconds(20) : .milliseconds(1500)
            }
            let endpoint = SimulatedEndpoint("a", latency: latency) { time in
                (Duration.milliseconds(950)..<(.milliseconds(1050))).contains(time) ? 1 : 0
            }
            return try await Simulation(
                of: .seconds(3),
                arrivals: .every(.milliseconds(100)),
                endpoints: [endpoint]
            ).run { world in
                AnyNode<Int, String> { input in
                    let answer = try await world.endpoints[0].process(input)
                    if input == 15 || input == 16 { throw Odd(number: input) }
                    return answer
                }
            }
        }

        @Test func percentilesOfEachSlice() async throws {
            let report = try await report()
            #expect(report.slices.map(\.calls) == [10, 10, 10])
            #expect(report.slices[0].latency(0.99) == .milliseconds(10))
            #expect(report.slices[1].latency(0.5) == .milliseconds(20))
            #expect(report.slices[1].successes == 7)
            // They began in the third slice, and ended later.
            #expect(report.slices[2].latency(0) == .milliseconds(1500))
            #expect(report.slices.map { $0.success(within: .seconds(1)) }.prefix(3) == [1, 0.7, 0])
        }

        @Test func errorsByKind() async throws {
            let report = try await report()
            #expect(report.errors == ["a failed": 1, "call 15": 1, "call 16": 1])
            #expect(report.errorsByKind == ["SimulatedError": 1, "Odd": 2])
            #expect(report.slices[0].errors.isEmpty)
            #expect(report.slices[1].errors == ["SimulatedError": 1, "Odd": 2])
            #expect(
                "\(report)".contains(
                    """
                    error     2 × Odd, such as: call 15
                    error     1 × a failed
                    """
                )
            )
        }

        @Test func timeline() async throws {
            #expect(
                try await report().timeline == """
                    time   calls  well        p50        p99  tries  errors
                    0.0 s     10  100%    10.0 ms    10.0 ms     10  
                    1.0 s     10   70%    20.0 ms    20.0 ms     10  2 × Odd, 1 × SimulatedError
                    2.0 s     10  100%  1500.0 ms  1500.0 ms     10  
                    """
            )
        }
    }
}
