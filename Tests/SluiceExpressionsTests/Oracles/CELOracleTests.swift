import Foundation
import SluiceExpressions
import SluiceJSON
import Testing

/// Every `cel*.jsonl` in the folder of answers from outside: `SLUICE_ORACLES`, else `../shared/oracles`.
struct CELOracleTests {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_ORACLES"] { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/oracles")
    }()

    /// Files of which 95 % must pass; of all others, every case.
    static let extensions: Set<String> = [
        "string_ext", "math_ext", "optionals", "block_ext", "bindings_ext", "encoders_ext", "network_ext",
    ]

    @Test func everyCaseIsAnsweredAsFromOutside() throws {
        let found = try? FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        let files = (found ?? [])
            .filter { $0.lastPathComponent.hasPrefix("cel") && $0.pathExtension == "jsonl" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        guard !files.isEmpty else {
            print("cel.jsonl: skipped, no cel*.jsonl in \(Self.folder.path)")
            return
        }
        for file in files { try run(file) }
    }

    private func run(_ url: URL) throws {
        var sections: [String: (passed: Int, failed: Int)] = [:]
        var files: [String: (passed: Int, failed: Int)] = [:]
        var failures: [String] = []
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let item = try ConformanceCase(JSON(parsing: String(line)))
            let problem = item.problem()
            let (passed, failed) = problem == nil ? (1, 0) : (0, 1)
            sections["\(item.file)/\(item.section)", default: (0, 0)].passed += passed
            sections["\(item.file)/\(item.section)", default: (0, 0)].failed += failed
            files[item.file, default: (0, 0)].passed += passed
            files[item.file, default: (0, 0)].failed += failed
            if let problem { failures.append("\(item.file)/\(item.section)/\(item.name): \(item.text): \(problem)") }
        }
        for (name, count) in sections.sorted(by: { $0.key < $1.key }) {
            print("\(name): \(count.passed) passed, \(count.failed) failed")
        }
        for (name, count) in files.sorted(by: { $0.key < $1.key }) {
            print("\(name): \(count.passed) passed, \(count.failed) failed")
            let least = Self.extensions.contains(name) ? 0.95 : 1
            #expect(Double(count.passed) >= least * Double(count.passed + count.failed), "\(name) is below its bound")
        }
        for failure in failures { print("failed: \(failure)") }
        let total = files.values.reduce(0) { $0 + $1.passed }
        print("\(url.lastPathComponent): \(total) passed, \(failures.count) failed")
        #expect(total > 0)
    }
}
