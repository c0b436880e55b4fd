import Foundation

let options = Options(Array(CommandLine.arguments.dropFirst()))
let arguments = options.words
let bounds = try (options.check ?? options.setBounds).map(Bounds.read)
var runner = options.isQuick ? Runner(rounds: 3, slice: .milliseconds(10)) : Runner()
runner.isShared = options.isShared
if runner.isShared { runner.rounds *= 3 }
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

/// Measures a row and prints it.
@MainActor func measure(_ row: Row) -> [Measurement] {
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
    }
    return measurements
}

/// Calls a body with the key, the ratio, and the allocations of each of our peers in a row.
func forOurs(_ row: Row, _ measurements: [Measurement], _ body: (String, Double, Int?) -> Void) {
    for measurement in measurements.dropFirst() where measurement.isOurs {
        let ratio = measurements[0].nanoseconds / measurement.nanoseconds
        body("\(row.group)/\(row.name)/\(measurement.name)", ratio, measurement.allocations)
    }
}

var (passed, complaints) = (0, [String]())
var newBounds = bounds
for var row in rows {
    // For a profiler: this peer alone.
    if let only = options.peer { row.peers.removeAll { $0.name != only } }
    var measurements = measure(row)
    if options.check != nil, let bounds {
        // A row that noise puts out of bounds is within them when it is measured again; one that is slower is not.
        for attempt in 1...3 {
            var (within, broken) = (0, [String]())
            forOurs(row, measurements) { key, ratio, allocations in
                let complaint = bounds.complaint(key, ratio: ratio, allocations: allocations, margin: options.margin)
                if let complaint { broken.append(complaint) } else { within += 1 }
            }
            if broken.isEmpty || attempt == 3 {
                passed += within
                complaints += broken
                break
            }
            measurements = measure(row)
        }
    }
    if options.setBounds != nil, !row.isLimit {
        forOurs(row, measurements) { newBounds?.set($0, ratio: $1, allocations: $2) }
    }
}
if let path = options.setBounds { try newBounds?.write(path) }
if options.check != nil {
    for complaint in complaints { print("out of bounds: \(complaint)") }
    print("\(passed) passed, \(complaints.count) failed")
    exit(complaints.isEmpty ? 0 : 1)
}
