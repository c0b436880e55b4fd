import SluiceTesting
import Testing

@testable import SluiceFilters

@Suite struct BalancerCoreTests {
    private let clock = TestClock()

    private func call(_ endpoint: EndpointLoad, fails: Bool) -> EndpointLoad.Change {
        let call = endpoint.begin(isProbe: false) { 0 }
        return endpoint.end(call, isFailure: fails, now: { 0 }, pause: { _ in 1_000_000_000 })
    }

    /// Two changes of an endpoint that reach the pool in either order: the one that was decided last holds.
    @Test(arguments: [true, false], [true, false])
    func theLastChangeHolds(_ isDeathLast: Bool, _ isInOrder: Bool) {
        let timer = CallTimer.of(clock)
        let core = BalancerCore(
            .roundRobin,
            accrual: .consecutiveFailures(1),
            pause: { _ in 1_000_000_000 },
            timer: timer,
            random: RandomSource(seed: 1),
            limits: EjectionLimits(),
            slowStart: .none,
            isAwaited: false
        )
        let endpoints = ["a", "b"].map { EndpointLoad($0, .consecutiveFailures(1), .roundRobin, at: timer.now) }
        core.replace(endpoints)
        // It dies, and is revived by a call that began after its death; at last it may die again.
        let death = call(endpoints[0], fails: true)
        if isDeathLast { core.apply(death, to: endpoints[0]) }
        let revival = call(endpoints[0], fails: false)
        let changes = isDeathLast ? [revival, call(endpoints[0], fails: true)] : [death, revival]
        #expect(changes.map(\.change).contains(.revived))
        for change in isInOrder ? changes : changes.reversed() { core.apply(change, to: endpoints[0]) }
        let names = Set((0..<10).compactMap { _ in core.send()?.endpoint.name })
        #expect(names == (isDeathLast ? ["b"] : ["a", "b"]))
    }
}
