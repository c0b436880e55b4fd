import Foundation

/// Measures rows: all peers in turns, round after round, so that whatever the machine does meets all of them.
struct Runner {
    var rounds = 9
    /// How long one peer runs in one round.
    var slice: Duration = .milliseconds(40)

    func measure(_ row: Row) -> [Measurement] {
        let clock = ContinuousClock()
        var iterations: [Int] = []
        for peer in row.peers {
            peer.run()
            let once = clock.measure { peer.run() }
            iterations.append(max(1, Int(slice / max(once, .nanoseconds(50)))))
        }
        var times = row.peers.map { _ in [Double]() }
        for _ in 0..<rounds {
            for (index, peer) in row.peers.enumerated() {
                let count = iterations[index]
                let time = clock.measure { for _ in 0..<count { peer.run() } }
                times[index].append(time / .nanoseconds(1) / Double(count))
            }
        }
        return row.peers.enumerated().map { index, peer in
            Measurement(
                name: peer.name,
                nanoseconds: times[index].sorted()[rounds / 2] / Double(row.operations),
                allocations: Allocations.during(peer.run).map { $0 / row.operations }
            )
        }
    }
}
