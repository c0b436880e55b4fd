import Foundation

/// 1,000 who listen to one stream, each round with new servers.
func measureEvents(_ folder: URL, rounds: Int, events: Int, size: Int) async throws {
    var report = Report()
    for round in 0..<rounds {
        // Who begins changes, as one may leave the machine to the next in another state than it was.
        let kinds = round.isMultiple(of: 2) ? ["hub", "bare"] : ["bare", "hub"]
        var measured: [String: [(name: String, value: Double)]] = [:]
        for kind in kinds {
            let server = kind == "hub" ? try ServerProcess.hub(folder, "few") : try ServerProcess.bare(folder, "few")
            measured[kind] = try await listen(to: server, events: events, size: size)
            server.stop()
        }
        for (ours, theirs) in zip(measured["hub"] ?? [], measured["bare"] ?? []) {
            report.add(ours.name, hub: ours.value, bare: theirs.value)
        }
    }
    report.show("\(size) listeners")
}

private func listen(to server: ServerProcess, events: Int, size: Int) async throws -> [(name: String, value: Double)] {
    let control = try Connection(port: server.port)
    let path = "/streams/\(Sample.id)"
    // A first listener, so that what only the first costs is not counted.
    let first = Crowd(1)
    _ = try await first.connect(port: server.port, path: "\(path)/events")
    let memory = server.memory
    let crowd = Crowd(size)
    let connecting = try await crowd.connect(port: server.port, path: "\(path)/events")
    let connected = server.memory

    var (middle, late, last): ([Double], [Double], [Double]) = ([], [], [])
    let before = server.processorTime
    for event in 1...events {
        let begun = ContinuousClock.now
        try control.post("\(path)/step")
        let times = await crowd.hear(event).map { ($0 - begun) / .milliseconds(1) }.sorted()
        middle.append(times[size / 2])
        late.append(times[size * 99 / 100])
        last.append(times[size - 1])
    }
    let alone = server.processorTime - before

    // As fast as the server takes steps: its listeners are told while the next is made.
    let begun = ContinuousClock.now
    for _ in 1...events { try control.post("\(path)/step") }
    let end = await crowd.hear(2 * events).max() ?? begun
    let rate = Double(events * Sample.events * size) / ((end - begun) / .seconds(1))
    let after = server.memory
    try await crowd.leave()
    try await first.leave()
    return [
        ("connecting all, ms", connecting / .milliseconds(1)),
        ("memory each, KB", (connected - memory) / Double(size)),
        ("  after the events, KB", (after - memory) / Double(size)),
        ("heard by half, ms", median(middle)),
        ("heard by 99 %, ms", median(late)),
        ("heard by all, ms", median(last)),
        ("  processor, µs each", alone / Double(events * Sample.events * size) * 1e6),
        ("events a second", rate),
    ]
}
