#if Instruments
import CoreMetrics
import MetricsTestKit
import Sluice
import SluiceFilters
import SluiceTesting
import Testing

private struct Failure: Error {}

@Suite struct StatsFilterTests {
    let clock = TestClock()
    let metrics = TestMetrics()

    private func stats(_ classify: Classifier<Int, Int>? = nil) -> StatsFilter<Int, Int> {
        StatsFilter("users", dimensions: [("zone", "a")], factory: metrics, classify: classify, clock: clock)
    }

    private func count(_ name: String, _ dimensions: [(String, String)] = []) -> Int64 {
        metrics.counterTotal(label: "users.\(name)", dimensions: [("zone", "a")] + dimensions)
    }

    /// Takes as many milliseconds as it is given; fails for numbers below zero, is canceled for 0.
    private var node: AnyNode<Int, Int> {
        AnyNode { [clock] input in
            clock.advance(by: .milliseconds(input.magnitude))
            if input < 0 { throw Failure() }
            if input == 0 { throw CancellationError() }
            return input
        }
    }

    @Test func countsAndMeasures() async throws {
        let node = stats().andThen(node)
        for input in [5, 7] { _ = try await node.process(input) }
        await #expect(throws: Failure.self) { try await node.process(-3) }
        await #expect(throws: CancellationError.self) { try await node.process(0) }
        #expect(count("requests") == 4)
        #expect(count("successes") == 2)
        #expect(count("failures", [("error", "Failure")]) == 1)
        #expect(count("canceled") == 1)
        let latency = try metrics.expectTimer("users.latency", [("zone", "a")])
        #expect(latency.values == [5_000_000, 7_000_000, 3_000_000])
        let pending = try metrics.expectMeter("users.pending", [("zone", "a")])
        #expect(pending.values == [1, 0, 1, 0, 1, 0, 1, 0])
    }

    @Test func answersMayBeFailures() async throws {
        let node = stats { _, result in if case .success(5) = result { .retryable() } else { .of(result) } }.andThen(
            node
        )
        _ = try await node.process(5)
        #expect(count("failures", [("error", "answer")]) == 1)
        #expect(count("successes") == 0)
    }

    @Test func allCallsOfManyTasksAddUp() async throws {
        let node = stats().andThen(AnyNode<Int, Int> { if $0 % 3 == 0 { throw Failure() } else { $0 } })
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask { for call in 0..<30 { _ = try? await node.process(task + call) } }
            }
        }
        #expect(count("requests") == 64 * 30)
        #expect(count("successes") + count("failures", [("error", "Failure")]) == 64 * 30)
        let pending = try metrics.expectMeter("users.pending", [("zone", "a")])
        #expect(pending.values.last == 0)
    }

    @Test func obeysTheLaws() async throws {
        try await FilterLaws(request: 1, answer: 2, clock: clock) { [metrics, clock] in
            StatsFilter("laws", factory: metrics, clock: clock)
        }.check()
    }

    @Test func saysWhatItIs() {
        #expect("\(stats())" == "StatsFilter(users)")
        let blind = TimeoutFilter<Int, Int>(.seconds(1)).andThen(stats())
        #expect(blind.lint().map(\.rule) == [.statsBlindToTimeouts])
        #expect(stats().andThen(TimeoutFilter(.seconds(1))).lint().isEmpty)
    }
}
#endif
