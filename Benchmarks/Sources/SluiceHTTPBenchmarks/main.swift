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
var isShared = false
if let at = arguments.firstIndex(of: "--shared") {
    isShared = true
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

let server = try ServerProcess()
var complaints: [String] = []
var rowCount = 0
for (size, path) in [("1 KB", "/users/small"), ("100 KB", "/users/large")] {
    for concurrency in [32, 1] {
        let row = "http/\(size), \(concurrency) at a time"
        guard arguments.allSatisfy({ row.contains($0) }) else { continue }
        rowCount += 1
        // For a profiler: this peer alone.
        let peers = peers(port: server.port, path: path).filter { onlyPeer == nil || $0.name == onlyPeer }
        let measurements = try await runner.measure(peers, concurrency: concurrency)
        for measurement in measurements {
            // A machine that has more to do gives less of itself to one than to another: then the processor's time tells.
            let ratios = measurements.dropLast().map { other in
                isShared
                    ? other.processor / measurement.processor
                    : measurement.callsPerSecond / other.callsPerSecond
            }
            print(
                column(row, 28) + column(measurement.name, 22)
                    + column(text(measurement.callsPerSecond) + " calls/s", 20)
                    + column(text(measurement.processor) + " us", 12)
                    + column(ratios.map { text($0) + "x" }.joined(separator: " "), 14)
                    + (measurement.allocations.map { "\($0) allocs" } ?? "")
            )
            // Of one at a time, no bound is kept: that is how soon the system wakes a thread.
            guard let bounds, concurrency > 1, measurement.name == "chain" else { continue }
            for (other, ratio) in zip(measurements, ratios) {
                let key = "\(row)/chain against \(other.name)"
                if let complaint = bounds.complaint(key, ratio: ratio, allocations: measurement.allocations) {
                    complaints.append(complaint)
                }
            }
        }
    }
}
server.stop()
if rowCount == 0 {
    print("no such row; rows: 1 KB, 100 KB, 32 at a time, 1 at a time")
    exit(64)
}
if bounds != nil {
    for complaint in complaints { print("out of bounds: \(complaint)") }
    print("\(rowCount) rows, \(complaints.count) out of bounds")
    exit(complaints.isEmpty ? 0 : 1)
}
