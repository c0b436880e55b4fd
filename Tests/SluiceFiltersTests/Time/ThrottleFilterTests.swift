import Sluice
import SluiceFilters
import SluiceTesting
import Testing

@Suite struct ThrottleFilterTests {
    let clock = TestClock()
    let called = Tries()

    @Test func oneNowOneLaterTheRestRefused() async throws {
        let node = ThrottleFilter<Int, Int>(delay: .seconds(3), clock: clock)
            .andThen(
                AnyNode { [called] in
                    called.note($0)
                    return $0
                }
            )
        #expect(try await node.process(1) == 1)
        clock.advance(by: .seconds(2))
        let second: Observer<Int> = node.start(2)
        await clock.sleepers(1)
        #expect(clock.untilNext == .seconds(3))
        await #expect(throws: ThrottledError()) { try await node.process(3) }
        clock.advance(by: .seconds(3))
        #expect(try await second.value == 2)
        let fourth: Observer<Int> = node.start(4)
        await clock.sleepers(1)
        fourth.cancel()
        while clock.untilNext != nil { await Task.yield() }
        let fifth: Observer<Int> = node.start(5)
        await clock.sleepers(1)
        clock.advance(by: .seconds(3))
        #expect(try await fifth.value == 5)
        clock.advance(by: .seconds(3))
        #expect(try await node.process(6) == 6)
        #expect(called.all == [1, 2, 5, 6])
    }

    @Test func tellsWhy() async throws {
        let node = ThrottleFilter<Int, Int>(delay: .seconds(3), clock: clock).andThen(AnyNode { $0 })
        #expect(try await node.process(1) == 1)
        async let waiting = node.explain(2, clock: clock)
        await clock.sleepers(1)
        let refused = await node.explain(3, clock: clock).trail.steps
        let event = "refused: too soon: another call waits already"
        #expect(refused == [.init(time: .zero, filter: "ThrottleFilter", event: event)])
        clock.advance(by: .seconds(3))
        let waited = await waiting.trail.steps
        #expect(waited == [.init(time: .zero, filter: "ThrottleFilter", event: "waits for 3.0 seconds")])
    }

    @Test func errorIsReadable() {
        #expect("\(ThrottledError())" == "too soon: another call waits already")
        #expect("\(ThrottleFilter<Int, Int>(delay: .seconds(3)))" == "ThrottleFilter(delay: 3.0 seconds)")
        #expect(ResponseClass.of(ThrottledError()) == .ignorable)
    }
}
