import Foundation

/// 1,000 who listen to one stream of the hub, and 1,000 to the bare server's.
///
/// Each round has new servers. Both have their listeners at once, and make events in turns, so that whatever the machine
/// does meets both. What is measured of an event begins when the step is asked for, of both over HTTP.
func measureEvents(_ folder: URL, rounds: Int, events: Int, size: Int) async throws {
    var report = Report()
    for round in 0..<rounds {
        let servers = [try ServerProcess.hub(folder, "few"), try ServerProcess.bare(folder, "few")]
        defer { for server in servers { server.stop() } }
        // The first server alternates, since each may leave the machine to the next in another state.
        let order = round.isMultiple(of: 2) ? [0, 1] : [1, 0]
        var audiences: [Int: Audience] = [:]
        for index in order { audiences[index] = try await Audience(servers[index], size: size) }
        for _ in 0..<events { for index in order { try await audiences[index]?.hear() } }
        for _ in 0..<4 { for index in order { try await audiences[index]?.flood(events) } }
        guard let hub = audiences[0], let bare = audiences[1] else { return }
        for (ours, theirs) in zip(hub.figures, bare.figures) {
            report.add(ours.name, hub: ours.value, bare: theirs.value)
        }
        for audience in [hub, bare] { try await audience.leave() }
    }
    report.show("\(size) listeners")
}

/// The subscribers of one server.
final class Audience {
    private let server: ServerProcess
    private let crowd: Crowd
    private let size: Int
    /// The number of values that each subscriber has received.
    private var heard = 0
    private let connecting: Duration
    private let memory: (before: Double, after: Double)
    private var latencies: [[Double]] = []
    private var processor = 0.0
    private var rates: [Double] = []

    init(_ server: ServerProcess, size: Int) async throws {
        (self.server, self.size) = (server, size)
        let path = "/streams/\(Sample.id)/events"
        // What only the first listener costs is not counted.
        let first = Crowd(1)
        _ = try await first.connect(port: server.port, path: path)
        try await first.leave()
        crowd = Crowd(size)
        let before = server.memory
        connecting = try await crowd.connect(port: server.port, path: path)
        memory = (before, server.memory)
    }

    /// Makes one step, and waits until all have heard it.
    func hear() async throws {
        let control = try Connection(port: server.port)
        heard += 1
        let used = server.processorTime
        let begun = ContinuousClock.now
        try control.post("/streams/\(Sample.id)/step")
        latencies.append(await crowd.hear(heard).map { ($0 - begun) / .milliseconds(1) }.sorted())
        processor += server.processorTime - used
    }

    /// Makes steps on four connections, as fast as the server takes them.
    func flood(_ steps: Int) async throws {
        let port = server.port
        heard += 4 * (steps / 4)
        let begun = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            guard let control = try? Connection(port: port) else { return }
            for _ in 0..<steps / 4 { try? control.post("/streams/\(Sample.id)/step") }
        }
        let end = await crowd.hear(heard).max() ?? begun
        rates.append(Double(4 * (steps / 4) * Sample.events * size) / ((end - begun) / .seconds(1)))
    }

    func leave() async throws { try await crowd.leave() }

    var figures: [(name: String, value: Double)] {
        [
            ("connecting all, ms", connecting / .milliseconds(1)),
            ("memory each, KB", (memory.after - memory.before) / Double(size)),
            ("heard by half, ms", median(latencies.map { $0[size / 2] })),
            ("heard by 99 %, ms", median(latencies.map { $0[size * 99 / 100] })),
            ("heard by all, ms", median(latencies.map { $0[size - 1] })),
            ("µs used for one to one", processor / Double(latencies.count * Sample.events * size) * 1e6),
            ("delivered a second", median(rates)),
        ]
    }
}
