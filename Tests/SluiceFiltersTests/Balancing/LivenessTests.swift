import Testing

@testable import SluiceFilters

/// The state machine alone; an endpoint is out for ten nanoseconds times the number of its deaths.
@Suite struct LivenessTests {
    private var liveness = Liveness(.consecutiveFailures(2), at: 0)

    private func call(isProbe: Bool = false) -> Liveness.Call {
        Liveness.Call(epoch: liveness.epoch, isProbe: isProbe, start: 0)
    }

    private mutating func record(_ isFailure: Bool?, _ call: Liveness.Call, at now: Int64) -> Liveness.Change {
        liveness.record(isFailure: isFailure, call, now: { now }, pause: { Int64($0) * 10 })
    }

    private mutating func probe(at now: Int64) -> Liveness.Call {
        _ = liveness.probe(at: now, pause: { Int64($0) * 10 })
        return call(isProbe: true)
    }

    private mutating func die(at now: Int64) -> Liveness.Change {
        _ = record(true, call(), at: now)
        return record(true, call(), at: now)
    }

    @Test mutating func diesAndIsRevivedByItsProbe() {
        let death = die(at: 5)
        #expect(death == .died(until: 15))
        #expect(!liveness.isAlive)
        let probe = probe(at: 15)
        let revival = record(false, probe, at: 16)
        #expect(revival == .revived)
        #expect(liveness.isAlive && liveness.deaths == 0)
        // The failures from before are forgotten.
        let first = record(true, call(), at: 17)
        #expect(first == .none)
    }

    @Test mutating func aProbeThatFailsMakesItLonger() {
        _ = die(at: 0)
        let first = probe(at: 10)
        let again = record(true, first, at: 11)
        #expect(again == .died(until: 31))
        let second = probe(at: 31)
        let longer = record(true, second, at: 31)
        #expect(longer == .died(until: 61))
    }

    @Test mutating func aCanceledProbeLeavesRoomForAnother() {
        _ = die(at: 0)
        let canceled = probe(at: 10)
        let change = record(nil, canceled, at: 12)
        #expect(change == .died(until: 12))
        #expect(liveness.deaths == 1)
    }

    @Test mutating func aProbeThatHangsIsReplaced() {
        _ = die(at: 0)
        let next = liveness.probe(at: 10, pause: { Int64($0) * 10 })
        #expect(next == 20)
        let hanging = call(isProbe: true)
        let second = probe(at: 20)
        let late = record(true, hanging, at: 21)
        #expect(late == .none)
        let revival = record(false, second, at: 22)
        #expect(revival == .revived)
    }

    @Test mutating func callsFromBeforeDoNotCount() {
        let early = call()
        _ = die(at: 0)
        let failure = record(true, early, at: 1)
        #expect(failure == .none)
        let success = record(false, early, at: 1)
        #expect(success == .none)
        #expect(!liveness.isAlive)
    }

    /// If all endpoints are dead, all are called; one that responds then is alive.
    @Test mutating func aSuccessAfterItsDeathRevivesIt() {
        _ = die(at: 0)
        let anyway = call()
        let failure = record(true, anyway, at: 1)
        #expect(failure == .none)
        let revival = record(false, anyway, at: 2)
        #expect(revival == .revived)
    }

    @Test mutating func whatSaysNothingIsNotCounted() {
        _ = record(true, call(), at: 0)
        _ = record(nil, call(), at: 0)
        let death = record(true, call(), at: 0)
        #expect(death == .died(until: 10))
    }
}
