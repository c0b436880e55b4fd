import Foundation
import SluiceJSON
import Testing

/// Every `stream_pipelines*.jsonl` in the folder of answers from outside: `SLUICE_ORACLES`, else `../shared/oracles`.
struct StreamOracleTests {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_ORACLES"] { return URL(fileURLWithPath: path) }
        return DiagramTests.root.deletingLastPathComponent().appending(path: "shared/oracles")
    }()

    /// Of the cases whose answer depends on the order within a frame so many must pass; of all others, every one.
    static let leastWithTies = 0.98

    @Test func everyCaseIsAnsweredAsFromOutside() throws {
        let found = try? FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        let files = (found ?? [])
            .filter { $0.lastPathComponent.hasPrefix("stream_pipelines") && $0.pathExtension == "jsonl" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        guard !files.isEmpty else {
            print("stream_pipelines.jsonl: skipped, no stream_pipelines*.jsonl in \(Self.folder.path)")
            return
        }
        for file in files { try run(file) }
    }

    private func run(_ url: URL) throws {
        var operators: [String: (passed: Int, failed: Int)] = [:]
        var counts: [Bool: (passed: Int, failed: Int)] = [:]
        var failures: [String] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let item = try StreamCase(JSON(parsing: String(line)))
            let problem = item.problem()
            let (passed, failed) = problem == nil ? (1, 0) : (0, 1)
            for name in Set(item.names) {
                operators[name, default: (0, 0)].passed += passed
                operators[name, default: (0, 0)].failed += failed
            }
            counts[item.hasTies, default: (0, 0)].passed += passed
            counts[item.hasTies, default: (0, 0)].failed += failed
            if let problem { failures.append("\(item.id)\(item.hasTies ? " (ties)" : ""): \(line): \(problem)") }
        }
        for (name, count) in operators.sorted(by: { $0.key < $1.key }) {
            print("\(name): \(count.passed) passed, \(count.failed) failed")
        }
        for failure in failures { print("failed: \(failure)") }
        let ties = counts[true] ?? (0, 0)
        print("with ties: \(ties.passed) passed, \(ties.failed) failed")
        let total = counts.values.reduce(0) { $0 + $1.passed }
        print("\(url.lastPathComponent): \(total) passed, \(failures.count) failed")
        #expect(total > 0)
        #expect(counts[false]?.failed ?? 0 == 0, "cases without ties failed")
        #expect(Double(ties.passed) >= Self.leastWithTies * Double(ties.passed + ties.failed))
    }
}
