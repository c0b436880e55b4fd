import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}
private struct NotFound: ClassifiedError {
    var responseClass: ResponseClass { .success }
}

@Suite struct BreakerFilterTests {
    let clock = TestClock()
    let changes = Changes()

    final class Changes: Sendable {
        private let states = Locked<[Breaker.State]>([])
        func note(_ state: Breaker.State) { states.withLock { $0.append(state) } }
        var all: [Breaker.State] { states.withLock { $0 } }
    }

    /// Answers what it is given; fails for numbers below zero.
    private let node = AnyNode<Int, Int> { input in
        if input < 0 { throw Failure() }
        return input
    }

    private func breaker(_ condition: TripCondition = .consecutiveFailures(2), probes: Int = 1) -> Breaker {
        Breaker(
            opensOn: condition,
            backoff: .linear(from: .seconds(10), by: .seconds(10), to: .seconds(60), jitter: .none),
            probes: probes,
            clock: clock,
            whenChanged: { [changes] in changes.note($0) }
        )
    }

    @Test func opensProbesAndCloses() async throws {
        let breaker = breaker()
        let stack = BreakerFilter(breaker).andThen(node)
        #expect(try await stack.process(1) == 1)
        for _ in 0..<2 { await #expect(throws: Failure()) { try await stack.process(-1) } }
        #expect(breaker.state == .open)
        clock.advance(by: .seconds(4))
        await #expect(throws: BreakerOpenError(retryAfter: .seconds(6))) { try await stack.process(1) }
        clock.advance(by: .seconds(6))
        await #expect(throws: Failure()) { try await stack.process(-1) }
        await #expect(throws: BreakerOpenError(retryAfter: .seconds(20))) { try await stack.process(1) }
        clock.advance(by: .seconds(20))
        #expect(try await stack.process(2) == 2)
        #expect(breaker.state == .closed)
        #expect(changes.all == [.open, .halfOpen, .open, .halfOpen, .closed])
        let expected = Breaker.Counts(passed: 5, refused: 2, successes: 2, failures: 3, ignored: 0, openings: 2)
        #expect(breaker.counts == expected)
    }

    @Test func slowCallsOpenIt() async throws {
        let breaker = breaker(.slowRate(1, over: .seconds(1), ofLast: 2))
        let slow = AnyNode<Int, Int> { [clock] input in
            clock.advance(by: .milliseconds(input))
            return input
        }
        let stack = BreakerFilter(breaker).andThen(slow)
        for milliseconds in [1000, 1001] { _ = try await stack.process(milliseconds) }
        #expect(breaker.state == .closed)
        _ = try await stack.process(1001)
        #expect(breaker.state == .open)
    }

    @Test func whatIsAFailureCanBeSaid() async throws {
        let breaker = breaker(.consecutiveFailures(1))
        let stack = BreakerFilter<Int, Int>(breaker) { _, result in
            if case .success(503) = result { return .retryable() }
            return .of(result)
        }.andThen(node)
        _ = try await stack.process(200)
        #expect(breaker.state == .closed)
        #expect(try await stack.process(503) == 503)
        #expect(breaker.state == .open)
    }

    @Test func errorsThatSayNothingAreNotCounted() async {
        let breaker = breaker(.consecutiveFailures(1))
        let stack = BreakerFilter<Int, Int>(breaker).andThen(
            AnyNode { input in
                if input == 0 { throw CancellationError() }
                throw NotFound()
            }
        )
        await #expect(throws: CancellationError.self) { try await stack.process(0) }
        await #expect(throws: NotFound.self) { try await stack.process(1) }
        #expect(breaker.state == .closed)
        #expect(breaker.counts == Breaker.Counts(passed: 2, successes: 1, ignored: 1))
    }

    /// By default, breakers that open together try again at different times, from half a minute to a minute later.
    @Test func pausesDifferByDefault() async throws {
        let random = RandomSource(seed: 1)
        var waits: [Double] = []
        for _ in 0..<100 {
            let breaker = Breaker(opensOn: .consecutiveFailures(1), clock: clock, random: random)
            let filter = BreakerFilter<Int, Int>(breaker)
            let failing = AnyNode<Int, Int> { _ in throw SimulatedError(endpoint: "a") }
            await #expect(throws: SimulatedError.self) { try await filter.andThen(failing).process(0) }
            do { _ = try await filter.andThen(failing).process(0) } catch let error as BreakerOpenError {
                waits.append(try #require(error.retryAfter) / .seconds(1))
            }
        }
        #expect(waits.count == 100)
        #expect(waits.allSatisfy { (30...60).contains($0) })
        for quarter in 0..<4 {
            let range = 30 + 7.5 * Double(quarter)..<37.5 + 7.5 * Double(quarter)
            #expect((10...40).contains(waits.count(where: range.contains)))
        }
    }

    @Test func modesAndReset() async throws {
        let breaker = breaker(.consecutiveFailures(1))
        let stack = BreakerFilter(breaker).andThen(node)
        #expect(breaker.mode == .automatic)
        breaker.mode = .forcedOpen
        await #expect(throws: BreakerOpenError(retryAfter: nil)) { try await stack.process(1) }
        breaker.mode = .automatic
        _ = try? await stack.process(-1)
        #expect(breaker.state == .open)
        breaker.reset()
        #expect(try await stack.process(1) == 1)
        #expect(changes.all == [.open, .closed])
    }

    @Test func tellsWhy() async {
        let breaker = breaker(.consecutiveFailures(1))
        let stack = BreakerFilter(breaker).andThen(node)
        let failed = await stack.explain(-1, clock: clock)
        #expect(failed.trail.steps.map(\.event) == ["opened: 1 failures in a row"])
        let refused = await stack.explain(1, clock: clock)
        #expect(
            refused.trail.steps == [
                .init(
                    time: .zero,
                    filter: "BreakerFilter",
                    event: "refused: the circuit breaker is open: try again in 10.0 seconds"
                )
            ]
        )
    }

    @Test func textsAreReadable() {
        #expect(
            "\(BreakerOpenError(retryAfter: .seconds(5)))" == "the circuit breaker is open: try again in 5.0 seconds"
        )
        #expect("\(BreakerOpenError())" == "the circuit breaker is open")
        #expect(ResponseClass.of(BreakerOpenError()) == .failure)
        #expect(BreakerFilter<Int, Int>(Breaker()).description == "BreakerFilter")
    }
}
