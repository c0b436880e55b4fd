import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

@Suite struct SheddingFilterTests {
    private let second: Int64 = 1_000_000_000

    /// Ten calls a second, all refused: the average falls by e^(-0.1 s ÷ 2 min) with each.
    @Test func dropsAsTheAverageFalls() {
        var state = SheddingState(refused: 0.5, over: 120 * second, atMost: 0.75, minimumRate: 5, at: 0)
        var now: Int64 = 0
        var asked = 0
        for _ in 0..<1000 {
            now += second / 10
            let passes = state.admit(at: now) {
                asked += 1
                return 1
            }
            #expect(passes)
            state.record(isRefused: true, at: now)
        }
        // The first four calls are too few a second to count as refused.
        #expect(abs(state.average - 0.436_049_286_321_535) < 1e-3)
        #expect(asked > 0)
        #expect(abs(state.dropProbability - (1 - state.average / 0.5)) < 1e-12)
        for _ in 0..<10_000 {
            now += second / 10
            state.record(isRefused: true, at: now)
            _ = state.admit(at: now) { 1 }
        }
        #expect(state.dropProbability == 0.75)
        let dropped = state.admit(at: now) { 0.7499 }
        #expect(!dropped)
        let passed = state.admit(at: now) { 0.75 }
        #expect(passed)
    }

    @Test func fewCallsAreNotCounted() {
        var state = SheddingState(refused: 0.5, over: 120 * second, atMost: 0.75, minimumRate: 5, at: 0)
        for index in 1...1000 {
            _ = state.admit(at: Int64(index) * second) { 0 }
            state.record(isRefused: true, at: Int64(index) * second)
        }
        #expect(state.average == 1)
        #expect(state.dropProbability == 0)
    }

    @Test func recoversByWhatPasses() async throws {
        let clock = TestClock()
        let isDown = Locked(true)
        let filter = SheddingFilter<Int, Int>(over: .seconds(10), random: RandomSource(seed: 4), clock: clock)
        let node = filter.andThen(
            AnyNode<Int, Int> { input in
                if isDown.withLock({ $0 }) { throw OverloadedError(limit: 1, waiting: 0) }
                return input
            }
        )
        for _ in 0..<1000 {
            clock.advance(by: .milliseconds(100))
            _ = try? await node.process(1)
        }
        let down = filter.counts
        #expect(down.passed + down.dropped == 1000)
        #expect(down.refused == down.passed)
        #expect((550...750).contains(down.dropped))
        isDown.withLock { $0 = false }
        var lastDrop = 0
        for index in 0..<1000 {
            clock.advance(by: .milliseconds(100))
            do { _ = try await node.process(1) } catch is SheddingError { lastDrop = index }
        }
        // The average needs as long to come back to a half as it is wide, at a quarter of the calls and more.
        #expect((20...150).contains(lastDrop))
        #expect(filter.counts.accepted > 900)
    }

    @Test func otherErrorsAreNoRefusals() async {
        struct Failure: Error {}
        let filter = SheddingFilter<Int, Int>(clock: TestClock())
        let node = filter.andThen(
            AnyNode<Int, Int> { input in
                if input == 0 { throw CancellationError() }
                throw Failure()
            }
        )
        await #expect(throws: Failure.self) { try await node.process(1) }
        await #expect(throws: CancellationError.self) { try await node.process(0) }
        #expect(filter.counts == SheddingCounts(passed: 2, dropped: 0, accepted: 1, refused: 0, ignored: 1))
    }

    @Test func textsAreReadable() {
        #expect(
            "\(SheddingError(probability: 0.75))" == "dropped, as 75% of calls are: the other side refuses too many"
        )
        #expect(ResponseClass.of(SheddingError(probability: 1)) == .failure)
        #expect(SheddingFilter<Int, Int>().description == "SheddingFilter")
    }
}
