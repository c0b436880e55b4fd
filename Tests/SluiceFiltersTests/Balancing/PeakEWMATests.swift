import Testing

@testable import SluiceFilters

/// The numbers are those of Finagle's `PeakEwma`, worked out by its formulas: decay 10 s, times in nanoseconds.
@Suite struct PeakEWMATests {
    private let second: Int64 = 1_000_000_000
    private let millisecond: Int64 = 1_000_000

    @Test func jumpsUpAndComesDownSlowly() {
        var cost = PeakEWMA(decay: 10 * second, at: 0)
        cost.observe(5e6, at: 0)
        #expect(cost.average == 5e6)
        cost.observe(100e6, at: second)
        #expect(cost.average == 100e6)
        // 100 ms × e⁻¹ + 10 ms × (1 - e⁻¹)
        cost.observe(10e6, at: 11 * second)
        #expect(abs(cost.average - 43_109_149.705_429_81) < 1e-6)
        // After no time a sample weighs nothing.
        cost.observe(1e6, at: 11 * second)
        #expect(abs(cost.average - 43_109_149.705_429_81) < 1e-6)
    }

    @Test func looking() {
        var cost = PeakEWMA(decay: 10 * second, at: 0)
        cost.observe(100e6, at: 0)
        #expect(cost.cost(pending: 0, at: 0) == 100e6)
        #expect(cost.cost(pending: 3, at: 0) == 400e6)
        // e^-0.5 after five seconds, and looking moves the stamp: a sample just after it weighs little.
        #expect(abs(cost.cost(pending: 0, at: 5 * second) - 60_653_065.971_263_34) < 1e-6)
        cost.observe(10e6, at: 5 * second + millisecond)
        #expect(abs(cost.average - 60_648_000.917_923_1) < 1e-6)
    }

    @Test func anEndpointThatHasNotAnswered() {
        var cost = PeakEWMA(decay: 10 * second, at: 0)
        #expect(cost.cost(pending: 0, at: second) == 0)
        #expect(cost.cost(pending: 2, at: second) == 140_737_488_355_327 + 2)
    }

    @Test func timeThatGoesBackwardStandsStill() {
        var cost = PeakEWMA(decay: 10 * second, at: 100)
        cost.observe(10, at: 100)
        cost.observe(5, at: 50)
        #expect(cost.average == 10)
        var last = PeakEWMA(decay: 0, at: 0)
        last.observe(10, at: 1)
        last.observe(5, at: 2)
        #expect(last.average == 5)
    }
}
