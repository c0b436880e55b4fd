import Foundation
import SluiceJSON
import Testing

/// The cases of a public parsing suite: a sample that is part of the repository, and all of them where they are present.
struct OracleTests {
    /// The folder of the oracle files: `SLUICE_ORACLES`, or `../shared/oracles`.
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_ORACLES"] { return URL(fileURLWithPath: path) }
        return packageRoot.deletingLastPathComponent().appending(path: "shared/oracles")
    }()

    /// The files `json*.jsonl` in the folder.
    static let files: [URL] = {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? [])
            .filter { $0.lastPathComponent.hasPrefix("json") && $0.pathExtension == "jsonl" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()

    struct Case: Decodable {
        var name: String
        var base64: Data
        var expect: String

        /// The difference from the expected answer, if there is one.
        var problem: String? {
            // RFC 8259 allows a key to occur twice; that documents refuse it is a choice beyond the grammar.
            let isAccepted = (try? JSONDocument(parsing: base64, duplicateKeys: .firstWins)) != nil
            if expect == "either" || isAccepted == (expect == "accept") { return nil }
            return "expected \(expect), found \(isAccepted ? "accept" : "reject")"
        }
    }

    @Test func sampleIsAnsweredAsFromOutside() throws {
        let counts = try run(
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "json-sample.jsonl")
        )
        // All three kinds, so that neither a reader that accepts everything nor one that rejects everything passes.
        #expect(counts == ["accept": 65, "reject": 144, "either": 25])
    }

    @Test(.enabled(if: !files.isEmpty, "there are no files json*.jsonl in the folder of oracles"))
    func everyJSONCaseIsAnsweredAsFromOutside() throws {
        for file in Self.files {
            let counts = try run(file)
            #expect(counts["accept", default: 0] > 0 && counts["reject", default: 0] > 0)
        }
    }

    /// Runs the cases of a file, and returns their number by what they expect.
    private func run(_ file: URL) throws -> [String: Int] {
        let name = file.lastPathComponent
        var counts: [String: Int] = [:]
        var failures: [String] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let item = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
            counts[item.expect, default: 0] += 1
            if let problem = item.problem { failures.append("\(name): \(item.name): \(problem)") }
        }
        for failure in failures { print("failed: \(failure)") }
        let total = counts.values.reduce(0, +)
        print("\(name): \(total - failures.count) passed, \(failures.count) failed")
        #expect(failures.isEmpty)
        return counts
    }
}

/// The folder of `Package.swift`.
let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
