import Foundation

/// The measurement of a peer: medians over the rounds, or the least processor time on a machine with other work.
struct Measurement {
    var name: String
    /// The measured rows, all interleaved.
    var callsPerSecond: Double
    /// The processor time of a call in microseconds: of this process, the client's side.
    var processor: Double
    var allocations: Int?
}

/// Measures peers in turns, round after round, so that whatever the machine does meets all of them.
struct Runner {
    var rounds = 15
    /// The time for which one peer runs in one round.
    var slice: Duration = .milliseconds(300)
    /// A Boolean value that indicates whether the machine has other work.
    var isShared = false

    func measure(_ peers: [Peer], concurrency: Int) async throws -> [Measurement] {
        var counts: [Int] = []
        for peer in peers { counts.append(try await count(peer, concurrency)) }
        var samples = peers.map { _ in [Sample]() }
        for round in 0..<rounds {
            // The first peer alternates, since each may leave the machine to the next in another state.
            for index in peers.indices {
                let index = (index + round) % peers.count
                samples[index].append(try await sample(peers[index], counts[index], concurrency))
            }
        }
        return zip(peers, samples).map { peer, samples in
            Measurement(
                name: peer.name,
                callsPerSecond: median(samples.map(\.callsPerSecond)),
                processor: isShared ? samples.map(\.processor).min() ?? 0 : median(samples.map(\.processor)),
                allocations: Allocations.count == nil ? nil : Int(median(samples.map(\.allocations)).rounded())
            )
        }
    }

    /// Returns the number of calls that each task makes in a slice, found by doubling, since a call of 100 KB takes a
    /// hundred times as long as one of 1 KB.
    private func count(_ peer: Peer, _ concurrency: Int) async throws -> Int {
        var count = 1
        while true {
            let time = try await ContinuousClock().measure { try await run(peer, count, concurrency) }
            if time * 4 >= slice { return max(1, Int(Double(count) * (slice / time))) }
            count *= 2
        }
    }

    private struct Sample {
        var callsPerSecond: Double
        var processor: Double
        var allocations: Double
    }

    private func sample(_ peer: Peer, _ count: Int, _ concurrency: Int) async throws -> Sample {
        let calls = Double(count * concurrency)
        let allocations = Allocations.count ?? 0
        let processor = processorTime
        let time = try await ContinuousClock().measure { try await run(peer, count, concurrency) }
        return Sample(
            callsPerSecond: calls / (time / .seconds(1)),
            processor: (processorTime - processor) / calls / 1000,
            allocations: Double((Allocations.count ?? 0) - allocations) / calls
        )
    }

    /// Lets `concurrency` tasks make `count` calls each, one after the other.
    private func run(_ peer: Peer, _ count: Int, _ concurrency: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<concurrency {
                group.addTask { for _ in 0..<count { keep(try await peer.call()) } }
            }
            try await group.waitForAll()
        }
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Keeps the compiler from dropping what nobody uses.
@inline(never)
@_optimize(none)
func keep<T>(_ value: T) {}
