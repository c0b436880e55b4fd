import Sluice
import SluiceFilters
import SluiceTesting
import Testing

@Suite struct DebounceFilterTests {
    let clock = TestClock()
    let called = Tries()

    private var node: some Node<Int, Int> {
        DebounceFilter<Int, Int>(delay: .seconds(3), clock: clock)
            .andThen(
                AnyNode { [called] in
                    called.note($0)
                    return $0 * 2
                }
            )
    }

    @Test func theLastOfABurstCounts() async throws {
        let node = node
        var calls: [Observer<Int>] = []
        for input in 1...3 {
            calls.append(node.start(input))
            await clock.sleepers(1)
            while clock.untilNext != .seconds(3) { await Task.yield() }
            if input < 3 { clock.advance(by: .seconds(2)) }
        }
        clock.advance(by: .seconds(3))
        #expect(try await calls[2].value == 6)
        for call in calls[..<2] { await #expect(throws: SupersededError()) { try await call.value } }
        #expect(called.all == [3])
        #expect(clock.untilNext == nil)
    }

    @Test func whatRunsIsSupersededToo() async throws {
        let forever = Forever()
        let node = DebounceFilter<Int, Int>(delay: .seconds(3), clock: clock).andThen(forever)
        let first: Observer<Int> = node.start(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        while forever.calls.running < 1 { await Task.yield() }
        let second: Observer<Int> = node.start(2)
        await #expect(throws: SupersededError()) { try await first.value }
        while forever.calls.running > 0 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        while clock.untilNext != nil { await Task.yield() }
    }

    @Test func oneAfterTheOther() async throws {
        let node = node
        for input in 1...2 {
            let call: Observer<Int> = node.start(input)
            await clock.sleepers(1)
            clock.advance(by: .seconds(3))
            #expect(try await call.value == input * 2)
        }
    }

    @Test func tellsWhy() async throws {
        let node = node
        async let first = node.explain(1, clock: clock)
        await clock.sleepers(1)
        let second: Observer<Int> = node.start(2)
        let steps = await first.trail.steps
        #expect(steps.map(\.event) == ["waits for 3.0 seconds", "a newer call took the place of this one"])
        #expect(steps.allSatisfy { $0.filter == "DebounceFilter" })
        second.cancel()
    }

    @Test func errorIsReadable() {
        #expect("\(SupersededError())" == "a newer call took the place of this one")
        #expect("\(DebounceFilter<Int, Int>(delay: .seconds(3)))" == "DebounceFilter(delay: 3.0 seconds)")
    }
}
