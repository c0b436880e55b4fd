internal import Sluice

/// A factory of endpoints from addresses that keeps those whose address remains.
final class Membership<Address: Hashable & Sendable, N: Node>: Sendable {
    private let core: BalancerCore
    private let connect: @Sendable (Address) -> N
    private let known = Locked<[Address: EndpointLoad]>([:])

    init(_ core: BalancerCore, _ connect: @escaping @Sendable (Address) -> N) {
        self.core = core
        self.connect = connect
    }

    /// Replaces the set of addresses. Only one caller at a time may call it.
    func update(_ addresses: some Sequence<Address>) {
        let old = known.withLock { $0 }
        var new: [Address: EndpointLoad] = [:]
        var order: [EndpointLoad] = []
        let now = core.timer.now
        for address in addresses where new[address] == nil {
            let endpoint =
                old[address]
                ?? Endpoint<N.Input, N.Output>("\(address)", connect(address), core.accrual, core.policy, at: now)
            new[address] = endpoint
            order.append(endpoint)
        }
        known.withLock { [new] in $0 = new }
        core.replace(order)
    }
}

extension BalancerCore {
    static func make(
        _ policy: BalancingPolicy,
        _ accrual: TripCondition,
        _ backoff: Backoff,
        _ limits: EjectionLimits,
        _ slowStart: SlowStart,
        _ clock: any Clock<Duration>,
        _ random: RandomSource,
        isAwaited: Bool
    ) -> BalancerCore {
        let backoff = backoff.forPauses
        return BalancerCore(
            policy,
            accrual: accrual,
            pause: { backoff.delay(after: $0, random: random).nanoseconds },
            timer: .of(clock),
            random: random,
            limits: limits,
            slowStart: slowStart,
            isAwaited: isAwaited
        )
    }
}
