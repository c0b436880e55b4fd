import Testing

@testable import SluiceFilters

@Suite struct ConcurrencyStateTests {
    /// Slow start: one more for each call until the first bad one, as long as all of the limit is in use.
    @Test func growsByEachCallAtFirst() {
        var limit = AIMD(initial: 20, in: 10...23, backoff: 0.9, slow: 100)
        limit.record(isBad: false, duration: 100, inFlight: 19, generation: 0)
        #expect(limit.limit == 20)
        limit.record(isBad: false, duration: 100, inFlight: 20, generation: 0)
        #expect(limit.limit == 21)
        for _ in 0..<9 { limit.record(isBad: false, duration: 0, inFlight: 30, generation: 0) }
        #expect(limit.limit == 23)
    }

    /// Congestion avoidance: after a decrease, as many calls as the limit allows make it one more.
    @Test func growsByOneForAWindowAfterwards() {
        var limit = AIMD(initial: 20, in: 1...100, backoff: 0.5, slow: 100)
        limit.record(isBad: true, duration: 0, inFlight: 20, generation: 0)
        #expect(limit.limit == 10)
        // 10.39, and then 10.59: the limit is rounded.
        for _ in 0..<4 { limit.record(isBad: false, duration: 0, inFlight: 10, generation: 1) }
        #expect(limit.limit == 10)
        for _ in 0..<2 { limit.record(isBad: false, duration: 0, inFlight: 10, generation: 1) }
        #expect(limit.limit == 11)
        for _ in 0..<9 { limit.record(isBad: false, duration: 0, inFlight: 11, generation: 1) }
        #expect(limit.limit == 11)
        for _ in 0..<2 { limit.record(isBad: false, duration: 0, inFlight: 11, generation: 1) }
        #expect(limit.limit == 12)
    }

    /// Recovery: what ran before a decrease neither lowers the limit again nor raises it.
    @Test func multipliesOnceForCallsThatRanTogether() {
        var limit = AIMD(initial: 20, in: 10...22, backoff: 0.9, slow: 100)
        limit.record(isBad: true, duration: 0, inFlight: 20, generation: 0)
        #expect(limit.limit == 18)
        limit.record(isBad: true, duration: 0, inFlight: 20, generation: 0)
        for _ in 0..<100 { limit.record(isBad: false, duration: 0, inFlight: 20, generation: 0) }
        #expect(limit.limit == 18)
        limit.record(isBad: false, duration: 101, inFlight: 20, generation: 1)
        #expect(limit.limit == 16)
        var limits: [Int] = []
        for generation in 2..<7 {
            limit.record(isBad: true, duration: 0, inFlight: 1, generation: generation)
            limits.append(limit.limit)
        }
        // 16.2, 14.6, 13.1, 11.8, 10.6, 9.6: not below the bound.
        #expect(limits == [15, 13, 12, 11, 10])
    }

    @Test func numbersThatMakeNoSense() {
        let limit = AIMD(initial: 500, in: -3...(-2), backoff: 7, slow: 0)
        #expect(limit.limit == 1)
        #expect(limit.bounds == 1...1)
        #expect(limit.backoff == 1)
        #expect("\(ConcurrencyLimit.aimd(in: 5...200))" == "5 to 200")
        #expect("\(ConcurrencyLimit.fixed(-4))" == "1")
    }

    @Test func letsTheNextOneRun() {
        var state = ConcurrencyState<String>(2, queue: 2)
        #expect(start(&state, "a") && start(&state, "b"))
        #expect(!start(&state, "c") && !start(&state, "d"))
        guard case .refused = state.enter("e", priority: 0, now: { 0 }) else {
            Issue.record("two run and two wait")
            return
        }
        var begun: [String] = []
        state.leave(ConcurrencyPass(), .well, now: { 0 })
        state.start(now: { 0 }) { name, _ in
            begun.append(name)
            return name != "c"
        }
        // c had given up, so that d runs.
        #expect(begun == ["c", "d"])
        #expect((state.running, state.waiting) == (2, 0))
    }

    /// A call that comes while others wait does not overtake them, even if there is room.
    @Test func nobodyIsPassed() {
        var state = ConcurrencyState<String>(1, queue: 2)
        #expect(start(&state, "a"))
        #expect(!start(&state, "b"))
        state.leave(ConcurrencyPass(), .well, now: { 0 })
        #expect(state.enterAtOnce(now: { 0 }) == nil)
    }

    private func start(_ state: inout ConcurrencyState<String>, _ name: String) -> Bool {
        if case .run = state.enter(name, priority: 0, now: { 0 }) { return true }
        return false
    }
}
