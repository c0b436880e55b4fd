import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

@Suite struct RateFilterTests {
    let clock = TestClock()
    let served = Tries()

    private func node(_ filter: RateFilter<Int, Int>) -> Filtered<RateFilter<Int, Int>, AnyNode<Int, Int>> {
        filter.andThen(
            AnyNode { [served] input in
                served.note(input)
                return input
            }
        )
    }

    @Test func refusesAtOnce() async throws {
        let filter = RateFilter<Int, Int>(10, per: .seconds(1), clock: clock)
        let node = node(filter)
        #expect(try await node.process(1) == 1)
        clock.advance(by: .milliseconds(99))
        await #expect(throws: RateLimitError(retryAfter: .milliseconds(1))) { try await node.process(2) }
        clock.advance(by: .milliseconds(1))
        #expect(try await node.process(3) == 3)
        #expect(filter.counts.passed == 2)
        #expect(filter.counts.refused == 1)
    }

    @Test func waitsInOrder() async throws {
        let filter = RateFilter<Int, Int>(1, per: .seconds(1), wait: .seconds(3), clock: clock)
        let node = node(filter)
        _ = try await node.process(0)
        var calls: [Observer<Int>] = []
        for number in 1...3 {
            calls.append(node.start(number))
            await clock.sleepers(number)
        }
        await #expect(throws: RateLimitError(retryAfter: .seconds(4))) { try await node.process(4) }
        for number in 1...3 {
            clock.advance(by: .milliseconds(999))
            #expect(served.all == Array(0..<number))
            clock.advance(by: .milliseconds(1))
            #expect(try await calls[number - 1].value == number)
        }
        #expect(clock.untilNext == nil)
        #expect(filter.counts.passed == 4)
    }

    /// A call that leaves gives up the last slot; the calls after it move up, and no token is lost.
    @Test func whoIsCanceledMakesRoom() async throws {
        let filter = RateFilter<Int, Int>(1, per: .seconds(1), wait: .seconds(9), clock: clock)
        let node = node(filter)
        _ = try await node.process(0)
        var calls: [Observer<Int>] = []
        for number in 1...3 {
            calls.append(node.start(number))
            await clock.sleepers(number)
        }
        calls[0].cancel()
        while filter.counts.canceled == 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        #expect(try await calls[1].value == 2)
        clock.advance(by: .seconds(1))
        #expect(try await calls[2].value == 3)
        #expect(clock.untilNext == nil)
        #expect(served.all == [0, 2, 3])
    }

    @Test func doesNotWaitForWhatCannotBeInTime() async throws {
        let filter = RateFilter<Int, Int>(1, per: .seconds(1), wait: .seconds(9), clock: clock)
        let node = node(filter)
        _ = try await node.process(0)
        var context = CallContext()
        context.deadline = clock.now + .milliseconds(500)
        await #expect(throws: RateLimitError(retryAfter: .seconds(1))) {
            try await withCallContext(context) { try await node.process(1) }
        }
    }

    @Test func aLimitForEachKey() async throws {
        let filter = RateFilter<Int, Int>(1, per: .seconds(1), burst: 2, clock: clock, by: { $0 % 10 })
        let node = node(filter)
        for number in [1, 11, 2, 12] { _ = try await node.process(number) }
        await #expect(throws: RateLimitError(retryAfter: .seconds(1))) { try await node.process(21) }
        await #expect(throws: RateLimitError(retryAfter: .seconds(1))) { try await node.process(22) }
    }

    /// Whoever invents keys gets no more than one that has none, and memory stays bounded.
    @Test func inventedKeysShareOneLimit() async throws {
        let filter = RateFilter<Int, Int>(1, per: .seconds(1), keys: 3, clock: clock, by: { $0 })
        let node = node(filter)
        for key in 1...3 { _ = try await node.process(key) }
        _ = try await node.process(4)
        await #expect(throws: RateLimitError(retryAfter: .seconds(1))) { try await node.process(5) }
        // A second later the buckets are full, and forgetting one changes nothing.
        clock.advance(by: .seconds(1))
        for key in 6...8 { _ = try await node.process(key) }
        await #expect(throws: RateLimitError(retryAfter: .seconds(1))) { try await node.process(6) }
    }

    @Test func keysAreForgottenByLastUse() {
        let timer = CallTimer.of(clock)
        let rate = TokenBucket.Rate(limit: 1, period: 10, burst: 1)
        let gates = KeyedGates<String>(capacity: 2) { RateGate(rate, timer) }
        let a = gates.enter("a", at: 0, latest: 0).0
        let b = gates.enter("b", at: 0, latest: 0).0
        #expect(gates.enter("a", at: 15, latest: 15).0 === a)
        let c = gates.enter("c", at: 16, latest: 16).0
        #expect(c !== a && c !== b)
        #expect(gates.enter("a", at: 40, latest: 40).0 === a)
        #expect(gates.enter("b", at: 41, latest: 41).0 !== b)
        #expect(gates.count == 2)
    }

    @Test func tellsWhy() async throws {
        let node = node(RateFilter(1, per: .seconds(1), clock: clock))
        _ = try await node.process(0)
        let steps = await node.explain(1, clock: clock).trail.steps
        #expect(steps.map(\.event) == ["refused: the rate limit is reached: try again in 1.0 seconds"])
    }

    @Test func textsAreReadable() {
        #expect(RateFilter<Int, Int>(10, per: .seconds(1)).description == "RateFilter(10 per 1.0 seconds)")
        let error = RateLimitError(retryAfter: .milliseconds(500))
        #expect("\(error)" == "the rate limit is reached: try again in 0.5 seconds")
        #expect(ResponseClass.of(error) == .retryable(after: .milliseconds(500)))
    }
}
