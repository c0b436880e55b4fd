import Foundation

if CommandLine.arguments.dropFirst() == ["--serve"] {
    try Server.run()
    exit(0)
}
let options = Options(Array(CommandLine.arguments.dropFirst()))
let arguments = options.words
let bounds = try (options.check ?? options.setBounds).map(Bounds.read)
var runner = options.isQuick ? Runner(rounds: 5, slice: .milliseconds(100)) : Runner()
runner.isShared = options.isShared

/// Returns a text that fills a column.
func column(_ text: String, _ width: Int) -> String {
    text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
}

/// Calls that several peers make.
struct Row {
    let name: String
    let concurrency: Int
    let peers: [Peer]
    /// A Boolean value that indicates whether the chain has bounds: not with one call at a time, which measures how
    /// soon the system wakes a thread.
    var isBound = true
}

let server = try ServerProcess()
if arguments.first == "growth" {
    try await Growth.run(port: server.port, arguments.dropFirst().first ?? ".")
    server.stop()
    exit(0)
}
let rows = try [
    Row(name: "http/1 KB, 32 at a time", concurrency: 32, peers: peers(port: server.port, path: "/users/small")),
    Row(name: "http/100 KB, 32 at a time", concurrency: 32, peers: peers(port: server.port, path: "/users/large")),
    Row(
        name: "http/1 KB, one at a time",
        concurrency: 1,
        peers: peers(port: server.port, path: "/users/small"),
        isBound: false
    ),
    Row(
        name: "http/100 KB, one at a time",
        concurrency: 1,
        peers: peers(port: server.port, path: "/users/large"),
        isBound: false
    ),
    Row(name: "http/1 KB, no network", concurrency: 1, peers: peers(body: UserEntry.body(of: 1000))),
    Row(name: "http/100 KB, no network", concurrency: 1, peers: peers(body: UserEntry.body(of: 100_000))),
].filter { row in arguments.allSatisfy { row.name.contains($0) } }

/// Measures a row and prints it, and returns the ratios of our chains to the others by their keys.
@MainActor func measure(_ row: Row) async throws -> [(key: String, ratio: Double, allocations: Int?)] {
    // For a profiler: this peer alone.
    let peers = row.peers.filter { options.peer == nil || $0.name == options.peer }
    let measurements = try await runner.measure(peers, concurrency: row.concurrency)
    var ours: [(key: String, ratio: Double, allocations: Int?)] = []
    for measurement in measurements {
        // A machine with other work gives more of itself to one peer than to another: then processor time is compared.
        let ratios = measurements.map { other in
            runner.isShared
                ? other.processor / measurement.processor
                : measurement.callsPerSecond / other.callsPerSecond
        }
        print(
            column(row.name, 27) + column(measurement.name, 20)
                + column(text(measurement.callsPerSecond) + " calls/s", 18)
                + column(text(measurement.processor) + " us", 11)
                + column(ratios.prefix(2).map { text($0) + "x" }.joined(separator: " "), 14)
                + (measurement.allocations.map { "\($0) allocs" } ?? "")
        )
        guard row.isBound, measurement.name.hasPrefix("chain") else { continue }
        for (other, ratio) in zip(measurements, ratios) where !other.name.hasPrefix("chain") {
            ours.append(("\(row.name)/\(measurement.name) against \(other.name)", ratio, measurement.allocations))
        }
    }
    return ours
}

var (passed, complaints) = (0, [String]())
var newBounds = bounds
for row in rows {
    var ours = try await measure(row)
    if options.check != nil, let bounds {
        // A row that noise puts out of bounds is within them when it is measured again; one that is slower is not.
        for attempt in 1...3 {
            let broken = ours.compactMap { item in
                bounds.complaint(item.key, ratio: item.ratio, allocations: item.allocations, margin: options.margin)
            }
            if broken.isEmpty || attempt == 3 {
                passed += ours.count - broken.count
                complaints += broken
                break
            }
            ours = try await measure(row)
        }
    }
    if options.setBounds != nil {
        for item in ours { newBounds?.set(item.key, ratio: item.ratio, allocations: item.allocations) }
    }
}
server.stop()
if rows.isEmpty {
    print("no such row; rows: 1 KB, 100 KB, 32 at a time, one at a time, no network")
    exit(64)
}
if let path = options.setBounds { try newBounds?.write(path) }
if options.check != nil {
    for complaint in complaints { print("out of bounds: \(complaint)") }
    print("\(passed) passed, \(complaints.count) failed")
    exit(complaints.isEmpty ? 0 : 1)
}
