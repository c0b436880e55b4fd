import Testing

@testable import SluiceFilters

/// The state machine alone; times are in nanoseconds, the pause is ten times the number of openings.
@Suite struct BreakerStateTests {
    private var state = BreakerState(.consecutiveFailures(2), probes: 3, at: 0)

    private mutating func admit(at now: Int64) -> BreakerState.Pass? {
        guard case .passed(let pass) = state.admit(now: { now }, pause: { Int64($0) * 10 }) else { return nil }
        return pass
    }

    private mutating func record(_ pass: BreakerState.Pass?, _ isFailure: Bool?, at now: Int64) {
        guard let pass else { return }
        state.record(pass, isFailure: isFailure, now: { now }, pause: { Int64($0) * 10 })
    }

    private mutating func openAtZero() {
        for _ in 0..<2 { record(admit(at: 0), true, at: 0) }
    }

    @Test mutating func opensAndRefuses() {
        record(admit(at: 0), true, at: 0)
        #expect(state.state == .closed)
        record(admit(at: 0), true, at: 5)
        #expect(state.state == .open)
        guard case .refused(retryAfter: 9) = state.admit(now: { 6 }, pause: { _ in 0 }) else {
            Issue.record("the pause is 10 from 5 on")
            return
        }
        #expect(admit(at: 14) == nil)
        #expect(admit(at: 15) != nil)
        #expect(state.state == .halfOpen)
    }

    @Test mutating func closesWhenAllProbesEndWell() {
        openAtZero()
        let probes = (0..<3).map { _ in admit(at: 10) }
        #expect(probes.allSatisfy { $0 != nil })
        #expect(admit(at: 10) == nil)
        record(probes[0], false, at: 11)
        record(probes[1], true, at: 11)
        #expect(state.state == .halfOpen)
        record(probes[2], false, at: 11)
        #expect(state.state == .closed)
        #expect(state.openings == 0)
    }

    @Test mutating func opensAgainForLonger() {
        openAtZero()
        for _ in 0..<2 { record(admit(at: 10), true, at: 12) }
        #expect(state.state == .open)
        #expect(state.openings == 2)
        #expect(admit(at: 31) == nil)
        #expect(admit(at: 32) != nil)
    }

    @Test mutating func aCanceledProbeGivesItsPlaceBack() {
        openAtZero()
        let probes = (0..<3).map { _ in admit(at: 10) }
        record(probes[0], nil, at: 10)
        let another = admit(at: 10)
        #expect(another != nil)
        #expect(admit(at: 10) == nil)
        for probe in [another, probes[1], probes[2]] { record(probe, false, at: 10) }
        #expect(state.state == .closed)
    }

    @Test mutating func callsFromBeforeDoNotCount() {
        let late = (admit(at: 0), admit(at: 0))
        openAtZero()
        record(late.0, false, at: 1)
        #expect(state.state == .open)
        let probes = (0..<3).map { _ in admit(at: 10) }
        record(late.1, true, at: 11)
        record(late.1, true, at: 11)
        #expect(state.state == .halfOpen)
        for probe in probes { record(probe, false, at: 11) }
        #expect(state.state == .closed)
        record(probes[0], true, at: 12)
        record(probes[1], true, at: 12)
        #expect(state.state == .closed)
    }

    @Test mutating func probesThatHangAreGivenUp() {
        openAtZero()
        let hanging = (0..<3).map { _ in admit(at: 10) }
        #expect(admit(at: 19) == nil)
        let probes = [admit(at: 20), admit(at: 20), admit(at: 20)]
        #expect(probes.allSatisfy { $0 != nil })
        #expect(admit(at: 20) == nil)
        for pass in hanging { record(pass, true, at: 21) }
        #expect(state.state == .halfOpen)
        for pass in probes { record(pass, false, at: 21) }
        #expect(state.state == .closed)
    }

    @Test mutating func forcedModes() {
        state.setMode(.forcedOpen, at: 0)
        guard case .refused(retryAfter: nil) = state.admit(now: { 1_000_000 }, pause: { _ in 0 }) else {
            Issue.record("forced open lets nothing pass")
            return
        }
        state.setMode(.metricsOnly, at: 0)
        for _ in 0..<5 { record(admit(at: 0), true, at: 0) }
        #expect(state.state == .closed)
        state.setMode(.disabled, at: 0)
        for _ in 0..<5 { record(admit(at: 0), true, at: 0) }
        let running = admit(at: 0)
        state.setMode(.automatic, at: 0)
        record(running, true, at: 0)
        record(admit(at: 0), true, at: 0)
        #expect(state.state == .closed)
        record(admit(at: 0), true, at: 0)
        #expect(state.state == .open)
    }

    /// A clock is asked only where a rule looks at it.
    @Test func readsNoClockWithoutNeed() {
        var state = BreakerState(.failureRate(0.5, ofLast: 10).or(.consecutiveFailures(5)), probes: 1, at: 0)
        var readings = 0
        for index in 0..<20 {
            let admission = state.admit(
                now: {
                    readings += 1
                    return 0
                },
                pause: { _ in 0 }
            )
            guard case .passed(let pass) = admission else { continue }
            state.record(
                pass,
                isFailure: index % 3 == 0,
                now: {
                    readings += 1
                    return 0
                },
                pause: { _ in 0 }
            )
        }
        #expect(readings == 0)
    }
}
