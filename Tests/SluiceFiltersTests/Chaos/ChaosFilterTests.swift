import Sluice
import SluiceFilters
import SluiceTesting
import Testing

private struct Outage: Error, Equatable {}

@Suite struct ChaosFilterTests {
    let clock = TestClock()
    let echo = AnyNode<Int, Int> { $0 }

    private func fates(seed: UInt64, count: Int = 1000) async -> [String] {
        let filter = ChaosFilter<Int, Int>(
            [
                .latency(rate: 0.2, .seconds(1) ... .seconds(2)), .fault(rate: 0.1) { _ in Outage() },
                .answer(rate: 0.05) { -$0 },
            ],
            clock: AdvancingClock(clock: clock),
            random: RandomSource(seed: seed)
        )
        let node = filter.andThen(echo)
        var fates: [String] = []
        for input in 1...count {
            let start = clock.now
            let fate: String
            do { fate = try await node.process(input) == input ? "passed" : "answered" } catch { fate = "failed" }
            fates.append(start == clock.now ? fate : "late " + fate)
        }
        return fates
    }

    @Test func theSeedDecides() async {
        let (one, same, other) = await (fates(seed: 1), fates(seed: 1), fates(seed: 2))
        #expect(one == same)
        #expect(one != other)
        let counts = Dictionary(grouping: one, by: { $0 }).mapValues(\.count)
        let late = one.count { $0.hasPrefix("late") }
        #expect((160...240).contains(late))
        #expect((70...130).contains((counts["failed"] ?? 0) + (counts["late failed"] ?? 0)))
        #expect((30...65).contains((counts["answered"] ?? 0) + (counts["late answered"] ?? 0)))
    }

    @Test func numbersInOrder() async throws {
        let drawn = Tries()
        let random = RandomSource {
            drawn.note(0)
            return drawn.count == 2 ? 0 : UInt64.max / 2 + 1
        }
        let filter = ChaosFilter<Int, Int>(
            [.fault(rate: 0.5) { _ in Outage() }, .latency(rate: 0.4, .seconds(2) ... .seconds(4))],
            clock: clock,
            random: random
        )
        // 0.5 is not below 0.5; then 0 is below 0.4, and 0.5 of the range is three seconds.
        let call: Observer<Int> = filter.andThen(echo).start(7)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(3))
        clock.advance(by: .seconds(3))
        #expect(try await call.value == 7)
        #expect(drawn.count == 3)
    }

    @Test func alwaysAndNever() async throws {
        let always = ChaosFilter<Int, Int>([.fault(rate: 1) { _ in Outage() }], random: RandomSource { .max })
        await #expect(throws: Outage()) { try await always.andThen(echo).process(1) }
        let never = ChaosFilter<Int, Int>([.fault(rate: 0) { _ in Outage() }], random: RandomSource { 0 })
        #expect(try await never.andThen(echo).process(1) == 1)
        let off = ChaosFilter<Int, Int>(
            [.fault(rate: 1) { _ in Outage() }],
            isEnabled: { false },
            random: RandomSource {
                Issue.record("drawn")
                return 0
            }
        )
        #expect(try await off.andThen(echo).process(1) == 1)
    }

    @Test func describesItself() async {
        let filter = ChaosFilter<Int, Int>([
            .latency(rate: 1, .zero), .latency(rate: 0.5, .seconds(-2)), .fault(rate: 1) { _ in Outage() },
        ])
        #expect(filter.description == "ChaosFilter(latency 1.0, latency 0.5, fault 1.0)")
        let steps = await filter.andThen(echo).explain(1).trail.steps.map(\.event)
        #expect(steps.first == "waits for 0.0 seconds")
        #expect(steps.last == "failed: Outage()")
    }
}

/// A clock that is where one wants to sleep to, at once.
private struct AdvancingClock: Clock {
    let clock: TestClock
    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let wait = clock.now.duration(to: deadline)
        if wait > .zero { clock.advance(by: wait) }
    }
}
