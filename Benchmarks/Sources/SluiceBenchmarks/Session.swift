import Foundation

/// One run of a benchmark program: it measures rows, prints them, and compares them with their bounds or sets these.
struct Session {
    private let options: Options
    private let runner: Runner
    private var bounds: Bounds?
    private var passed = 0
    private var complaints: [String] = []

    init(_ options: Options) throws {
        self.options = options
        var runner = options.isQuick ? Runner(rounds: 3, slice: .milliseconds(10)) : Runner()
        runner.isShared = options.isShared
        if runner.isShared { runner.rounds *= 3 }
        self.runner = runner
        bounds = try (options.check ?? options.setBounds).map(Bounds.read)
    }

    /// Measures the rows whose names contain all words of the options.
    ///
    /// - Returns: the status with which the program exits.
    mutating func run(_ all: [Row]) throws -> Int32 {
        let rows = all.filter { row in options.words.allSatisfy { "\(row.group)/\(row.name)".contains($0) } }
        if rows.isEmpty {
            let groups = Set(all.map(\.group)).sorted().joined(separator: ", ")
            print("no such group; groups: \(groups)")
            return 64
        }
        for var row in rows {
            // For a profiler: this peer alone.
            if let only = options.peer { row.peers.removeAll { $0.name != only } }
            var measurements = measure(row)
            if options.check != nil { measurements = check(row, measurements) }
            if options.setBounds != nil, !row.isLimit {
                for our in ours(row, measurements) {
                    bounds?.set(our.key, ratio: our.ratio, allocations: our.allocations)
                }
            }
        }
        if let path = options.setBounds { try bounds?.write(path) }
        guard options.check != nil else { return 0 }
        for complaint in complaints { print("out of bounds: \(complaint)") }
        print("\(passed) passed, \(complaints.count) failed")
        return complaints.isEmpty ? 0 : 1
    }

    /// Compares measurements with their bounds. A row that noise puts out of bounds is within them when it is measured again; one
    /// that is slower is not.
    private mutating func check(_ row: Row, _ first: [Measurement]) -> [Measurement] {
        var measurements = first
        for attempt in 1...3 {
            let all = ours(row, measurements)
            let broken = all.compactMap {
                bounds?.complaint($0.key, ratio: $0.ratio, allocations: $0.allocations, margin: options.margin)
            }
            if broken.isEmpty || attempt == 3 {
                passed += all.count - broken.count
                complaints += broken
                break
            }
            measurements = measure(row)
        }
        return measurements
    }

    /// Returns the key, the ratio, and the allocations of each of our peers in a row.
    private func ours(_ row: Row, _ all: [Measurement]) -> [(key: String, ratio: Double, allocations: Int?)] {
        all.dropFirst().filter(\.isOurs).map {
            ("\(row.group)/\(row.name)/\($0.name)", all[0].nanoseconds / $0.nanoseconds, $0.allocations)
        }
    }

    /// Measures a row and prints it.
    private func measure(_ row: Row) -> [Measurement] {
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

    private func column(_ text: String, _ width: Int) -> String {
        text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
    }
}
