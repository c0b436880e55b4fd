import Sluice
import SluiceTesting
import Testing

@testable import SluiceFilters

private struct Failure: Error, Equatable {}

/// Tests of the jitter of pauses: each kind of pause has it, unless a program or a document chooses none.
@Suite struct PauseTests {
    let clock = TestClock()
    let isDown = Switch()

    final class Switch: Sendable {
        private let state = Locked(false)
        var isOn: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    private var node: AnyNode<Int, Int> {
        AnyNode { [isDown] input in
            if isDown.isOn { throw Failure() }
            return input
        }
    }

    /// Returns the pauses of twenty breakers that open at the same time.
    private func pauses(_ make: (RandomSource) -> Breaker) async throws -> Set<Duration> {
        var pauses: Set<Duration> = []
        for seed in 0..<20 {
            let breaker = make(RandomSource(seed: UInt64(seed)))
            let stack = BreakerFilter(breaker).andThen(node)
            isDown.isOn = true
            while breaker.state == .closed { await #expect(throws: Failure.self) { try await stack.process(0) } }
            isDown.isOn = false
            let error = await #expect(throws: BreakerOpenError.self) { try await stack.process(0) }
            pauses.insert(try #require(error?.retryAfter))
        }
        return pauses
    }

    @Test(arguments: [
        Backoff.constant(.seconds(10)), .linear(from: .seconds(10), by: .seconds(1), to: .seconds(60)),
        .exponential(from: .seconds(10), to: .seconds(60)), .decorrelated(from: .seconds(10), to: .seconds(60)),
        .constant(.seconds(10), jitter: .equal), .constant(.seconds(10), jitter: .full),
        .linear(from: .seconds(10), by: .seconds(1), to: .seconds(60), jitter: .full),
        .exponential(from: .seconds(10), to: .seconds(60), jitter: .equal),
    ])
    func everyKindOfPauseHasJitter(_ backoff: Backoff) async throws {
        let pauses = try await pauses {
            Breaker(opensOn: .consecutiveFailures(1), backoff: backoff, clock: clock, random: $0)
        }
        #expect(pauses.count == 20)
        #expect(pauses.allSatisfy { $0 > .zero && $0 <= .seconds(30) })
    }

    @Test func pauseByDefaultHasJitter() async throws {
        let pauses = try await pauses { Breaker(opensOn: .consecutiveFailures(1), clock: clock, random: $0) }
        #expect(pauses.count == 20)
        #expect(pauses.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(60) })
    }

    /// The same backoff is exact between attempts, and as a pause if that was chosen.
    @Test func jitterIsAChoice() async throws {
        #expect(Backoff.constant(.seconds(10)).delay(after: 1, random: RandomSource { 0 }) == .seconds(10))
        let pauses = try await pauses {
            Breaker(
                opensOn: .consecutiveFailures(1),
                backoff: .constant(.seconds(10), jitter: .none),
                clock: clock,
                random: $0
            )
        }
        #expect(pauses == [.seconds(10)])
    }

    /// The pauses of documents, for breakers and for endpoints.
    @Test(arguments: [
        #"{"constant": {"seconds": 10}}"#, #"{"linear": {"from": 10, "by": 1, "to": 60}}"#,
        #"{"exponential": {"from": 10, "to": 60}}"#, #"{"decorrelated": {"from": 10, "to": 60}}"#,
    ])
    func pausesOfDocuments(_ pause: String) throws {
        let document = try StackDocument(
            parsing: """
                {
                  "filters": [{"breaker": {"backoff": \(pause)}}],
                  "balancer": {"endpoints": ["a"], "backoff": \(pause)}
                }
                """
        )
        let balancer = try #require(document.balancer).settings
        for pause in [document.filters[0].settings[BreakerKind.backoff], balancer[BalancerKeys.backoff]] {
            let backoff = pause.forPauses
            let pauses = (0..<20).map { backoff.delay(after: 1, random: RandomSource(seed: $0)) }
            #expect(Set(pauses).count == 20)
        }
    }

    /// A document that chooses no jitter keeps its choice, also in its canonical text.
    @Test func documentWithoutJitter() throws {
        let text = #"{"filters": [{"breaker": {"backoff": {"constant": {"seconds": 10, "jitter": "none"}}}}]}"#
        let document = try StackDocument(parsing: StackDocument(parsing: text).canonicalText)
        let backoff = document.filters[0].settings[BreakerKind.backoff].forPauses
        #expect(backoff == .constant(.seconds(10), jitter: .none))
    }

    @Test func pausesOfEndpointsHaveJitter() async throws {
        var pauses: Set<Int> = []
        for seed in 0..<20 {
            isDown.isOn = true
            let balancer = Balancer(
                .roundRobin,
                over: [0, 1, 2, 3],
                accrual: .consecutiveFailures(1),
                backoff: .constant(.seconds(100)),
                clock: clock,
                random: RandomSource(seed: UInt64(seed))
            ) { number in number == 0 ? node : AnyNode { $0 } }
            for _ in 0..<4 { _ = try? await balancer.process(0) }
            #expect(!balancer.endpoints[0].isAlive)
            isDown.isOn = false
            var seconds = 0
            while !balancer.endpoints[0].isAlive, seconds < 200 {
                clock.advance(by: .seconds(1))
                seconds += 1
                for _ in 0..<4 { _ = try await balancer.process(0) }
            }
            pauses.insert(seconds)
        }
        #expect(pauses.count >= 10)
        #expect(pauses.allSatisfy { (50...101).contains($0) })
    }
}
