import Testing

@testable import SluiceFilters

@Suite struct TripConditionTests {
    /// Records outcomes one a second, `x` a failure, and says after which of them the condition holds.
    private func trips(_ condition: TripCondition, _ outcomes: String, every step: Int64 = 1_000_000_000) -> [Int] {
        var state = TripState(condition, at: 0)
        var trips: [Int] = []
        for (index, character) in outcomes.enumerated() {
            let isTripped = state.record(CallOutcome(isFailure: character == "x"), at: Int64(index + 1) * step)
            if isTripped { trips.append(index + 1) }
        }
        return trips
    }

    @Test func failureRateOfCalls() {
        let condition = TripCondition.failureRate(0.5, ofLast: 4)
        #expect(trips(condition, "xxx") == [])
        #expect(trips(condition, "xx..") == [4])
        #expect(trips(condition, "x...xx.x") == [6, 7, 8])
        #expect(trips(.failureRate(0.5, ofLast: 4, minimumCalls: 2), "xx") == [2])
        // The least number of calls is never more than the window holds.
        #expect(trips(.failureRate(1, ofLast: 2, minimumCalls: 9), "xx") == [2])
    }

    @Test func failureRateOfATime() {
        // Ten slices of one second: what was recorded in second 1 is gone in second 11.
        let condition = TripCondition.failureRate(0.5, within: .seconds(10), minimumCalls: 3)
        #expect(trips(condition, "xx") == [])
        #expect(trips(condition, "xx.") == [3])
        #expect(trips(condition, "xxx", every: 5_000_000_000) == [])
        #expect(trips(condition, ".....xxxx") == [])
        #expect(trips(condition, ".....xxxxx") == [10])
        #expect(trips(condition, "......xxxxx") == [11])
    }

    /// An exact ratio does not ask how the calls are spaced; a moving average does.
    @Test func exactRatioIsIndependentOfSpacing() {
        let condition = TripCondition.failureRate(0.5, ofLast: 6)
        for step: Int64 in [1, 1_000_000, 60_000_000_000] {
            #expect(trips(condition, "x.x.x.", every: step) == [6])
        }
    }

    @Test func slowCalls() {
        var state = TripState(.slowRate(0.5, over: .seconds(1), ofLast: 2), at: 0)
        #expect(state.needsDuration && !state.needsTime)
        let is1 = state.record(CallOutcome(isFailure: false, duration: 1_000_000_001), at: 0)
        #expect(!is1)
        let is2 = state.record(CallOutcome(isFailure: true, duration: 1_000_000_000), at: 0)
        #expect(is2)
        let is3 = state.record(CallOutcome(isFailure: true, duration: 1_000_000_000), at: 0)
        #expect(!is3)
        let is4 = state.record(CallOutcome(isFailure: true, duration: 2_000_000_000), at: 0)
        #expect(is4)
        var timed = TripState(.slowRate(1, over: .seconds(1), within: .seconds(10), minimumCalls: 2), at: 0)
        #expect(timed.needsDuration && timed.needsTime)
        let is5 = timed.record(CallOutcome(isFailure: false, duration: .max), at: 1)
        #expect(!is5)
        let is6 = timed.record(CallOutcome(isFailure: false, duration: .max), at: 2)
        #expect(is6)
    }

    @Test func consecutiveFailures() {
        #expect(trips(.consecutiveFailures(3), "xx.xxxx") == [6, 7])
        #expect(trips(.consecutiveFailures(0), ".x") == [2])
    }

    /// Finagle's: not before the span has passed, only on a failure, with enough calls in the span.
    @Test func averageSuccess() {
        let condition = TripCondition.averageSuccess(below: 0.8, over: .seconds(5), minimumCalls: 3)
        #expect(trips(condition, "xxxx") == [])
        #expect(trips(condition, "xxxxx") == [5])
        #expect(trips(condition, "....xx.x") == [6, 8])
        // Calls two seconds apart: slices of a second, so three of them are in the last five seconds.
        #expect(trips(condition, "xxxx", every: 2_000_000_000) == [3, 4])
        #expect(trips(condition, "xxxx", every: 3_000_000_000) == [])
    }

    @Test func eitherOfTwo() {
        let condition = TripCondition.failureRate(0.5, ofLast: 4).or(.consecutiveFailures(3))
        #expect(trips(condition, "xxx") == [3])
        #expect(trips(condition, "x.x.") == [4])
    }

    @Test func overProbes() {
        let all = TripCondition.failureRate(0.5, ofLast: 100).or(.consecutiveFailures(5)).overProbes(4)
        #expect(trips(all, "x...") == [])
        #expect(trips(all, "x..x") == [4])
        #expect(trips(TripCondition.consecutiveFailures(5).overProbes(1), "x") == [1])
        #expect(trips(TripCondition.failureRate(0.5, within: .seconds(1)).overProbes(1), "x") == [1])
        // Of ten, two failures leave 80 %, three do not.
        let average = TripCondition.averageSuccess(below: 0.8).overProbes(10)
        #expect(trips(average, "xx........") == [])
        #expect(trips(average, "xxx.......") == [10])
    }

    @Test func saysWhatItIs() {
        #expect("\(TripCondition.failureRate(0.5, ofLast: 100))" == "50% of 100 calls fail")
        #expect("\(TripCondition.failureRate(0.005, within: .seconds(10)))" == "0.5% of the calls in 10.0 seconds fail")
        let slow = TripCondition.slowRate(1, over: .seconds(60), ofLast: 100)
        #expect("\(slow)" == "100% of 100 calls take over 60.0 seconds")
        #expect(
            "\(TripCondition.averageSuccess().or(.consecutiveFailures()))"
                == "average success below 80% over 30.0 seconds or 5 failures in a row"
        )
    }
}
