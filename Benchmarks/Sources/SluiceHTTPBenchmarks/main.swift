import Foundation

// usage: SluiceHTTPBenchmarks [--check FILE] [--quick] [--shared] [--peer NAME] [ROW]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--serve"] {
    try Server.run()
    exit(0)
}
var bounds: Bounds?
if let at = arguments.firstIndex(of: "--check"), at + 1 < arguments.count {
    bounds = try Bounds.read(arguments[at + 1])
    arguments.removeSubrange(at...at + 1)
}
var runner = Runner()
if let at = arguments.firstIndex(of: "--quick") {
    runner = Runner(rounds: 5, slice: .milliseconds(100))
    arguments.remove(at: at)
}
if let at = arguments.firstIndex(of: "--shared") {
    runner.isShared = true
    arguments.remove(at: at)
}
var onlyPeer: String?
if let at = arguments.firstIndex(of: "--peer"), at + 1 < arguments.count {
    onlyPeer = arguments[at + 1]
    arguments.removeSubrange(at...at + 1)
}

/// A text that fills a column.
func column(_ text: String, _ width: Int) -> String {
    text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
}

/// Calls that several peers make.
struct Row {
    let name: String
    let concurrency: Int
    let peers: [Peer]
    /// Whether the chain has to keep bounds: not of one call at a time, which is how soon the system wakes a thread.
    var isBound = true
}

let server = try ServerProcess()
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

var complaints: [String] = []
for row in rows {
    // For a profiler: this peer alone.
    let peers = row.peers.filter { onlyPeer == nil || $0.name == onlyPeer }
    let measurements = try await runner.measure(peers, concurrency: row.concurrency)
    for measurement in measurements {
        // A machine that has more to do gives less of itself to one than to another: then the processor's time tells.
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
        guard let bounds, row.isBound, measurement.name.hasPrefix("chain") else { continue }
        for (other, ratio) in zip(measurements, ratios) where !other.name.hasPrefix("chain") {
            let key = "\(row.name)/\(measurement.name) against \(other.name)"
            if let complaint = bounds.complaint(key, ratio: ratio, allocations: measurement.allocations) {
                complaints.append(complaint)
            }
        }
    }
}
server.stop()
if rows.isEmpty {
    print("no such row; rows: 1 KB, 100 KB, 32 at a time, one at a time, no network")
    exit(64)
}
if bounds != nil {
    for complaint in complaints { print("out of bounds: \(complaint)") }
    print("\(rows.count) rows, \(complaints.count) out of bounds")
    exit(complaints.isEmpty ? 0 : 1)
}
