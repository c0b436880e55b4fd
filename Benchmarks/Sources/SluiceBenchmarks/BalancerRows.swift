import Sluice
import SluiceFilters

/// Returns the costs of breakers, limits, and balancers when all calls succeed, including clock readings; the first
/// peer is the one that the issue compares with.
func balancerRows() -> [Row] {
    let one = Peer(name: "one call", run: callingAny(Leaf()))
    func row(_ name: String, _ node: some Node<Int, Int>) -> Row {
        Row(
            group: "filters",
            name: name,
            bytes: 0,
            peers: [one, Peer(name: "Sluice", run: calling(node))],
            operations: calls
        )
    }
    func balancer(_ policy: BalancingPolicy, _ accrual: TripCondition) -> Balancer<Int, Int> {
        Balancer(policy, over: 0..<1000, accrual: accrual) { _ in Leaf() }
    }
    let rate = RateFilter<Int, Int>(1_000_000_000, per: .seconds(1), burst: 1_000_000_000)
    let failures = TripCondition.failureRate(0.5, ofLast: 100)
    return [
        row("breaker", BreakerFilter(Breaker(opensOn: failures)).andThen(Leaf())),
        row("breaker, slow calls too", BreakerFilter(Breaker()).andThen(Leaf())),
        row("concurrency limit", ConcurrencyFilter(100).andThen(Leaf())),
        row("adaptive concurrency limit", ConcurrencyFilter(.aimd()).andThen(Leaf())),
        row("rate limit", rate.andThen(Leaf())),
        row("round robin among 1000", balancer(.roundRobin, .consecutiveFailures())),
        row("P2C least loaded among 1000", balancer(.leastLoaded, .consecutiveFailures())),
        row("P2C peak EWMA among 1000", balancer(.peakEWMA(), .consecutiveFailures())),
        row(
            "P2C peak EWMA among 1000, default accrual",
            balancer(.peakEWMA(), .averageSuccess().or(.consecutiveFailures()))
        ),
    ]
}
