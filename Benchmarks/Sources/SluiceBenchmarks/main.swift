import Foundation

// usage: SluiceBenchmarks [--check FILE] [--quick] [--shared] [--peer NAME] [GROUP]

var arguments = Array(CommandLine.arguments.dropFirst())
var bounds: Bounds?
if let at = arguments.firstIndex(of: "--check"), at + 1 < arguments.count {
    bounds = try Bounds.read(arguments[at + 1])
    arguments.removeSubrange(at...at + 1)
}
var runner = Runner()
if let at = arguments.firstIndex(of: "--quick") {
    runner = Runner(rounds: 3, slice: .milliseconds(10))
    arguments.remove(at: at)
}
if let at = arguments.firstIndex(of: "--shared") {
    runner.isShared = true
    runner.rounds *= 3
    arguments.remove(at: at)
}
var onlyPeer: String?
if let at = arguments.firstIndex(of: "--peer"), at + 1 < arguments.count {
    onlyPeer = arguments[at + 1]
    arguments.removeSubrange(at...at + 1)
}
let rows = [
    jsonDecodeRows(), jsonEncodeRows(), try expressionRows(), filterRows(), balancerRows(), try streamRows(),
]
.joined().filter { row in arguments.allSatisfy { "\(row.group)/\(row.name)".contains($0) } }
if rows.isEmpty {
    print("no such group; groups: json-decode, json-direct, json-value, json-encode, cel, filters, streams")
    exit(64)
}

func column(_ text: String, _ width: Int) -> String {
    text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
}

var complaints: [String] = []
for var row in rows {
    // For a profiler: this peer alone.
    if let onlyPeer { row.peers.removeAll { $0.name != onlyPeer } }
    let measurements = runner.measure(row)
    for measurement in measurements {
        let ratio = measurements[0].nanoseconds / measurement.nanoseconds
        let speed = row.bytes > 0 ? text(Double(row.bytes) * 1000 / measurement.nanoseconds) + " MB/s" : ""
        let allocations = measurement.allocations.map { "\($0) allocs" } ?? ""
        print(
            column("\(row.group)/\(row.name)", 44) + column(measurement.name, 14)
                + column(text(measurement.nanoseconds / 1000) + " us", 16) + column(text(ratio) + "x", 10)
                + column(speed, 16) + allocations
        )
        if let bounds, measurement.isOurs, measurement.name != measurements[0].name {
            let key = "\(row.group)/\(row.name)/\(measurement.name)"
            if let complaint = bounds.complaint(key, ratio: ratio, allocations: measurement.allocations) {
                complaints.append(complaint)
            }
        }
    }
}
if bounds != nil {
    for complaint in complaints { print("out of bounds: \(complaint)") }
    print("\(rows.count) rows, \(complaints.count) out of bounds")
    exit(complaints.isEmpty ? 0 : 1)
}
