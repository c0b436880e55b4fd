import Foundation
import SluiceJSON
import Testing

/// Every `json*.jsonl` in the folder of answers from outside: `SLUICE_ORACLES`, else `../shared/oracles`.
struct OracleTests {
    static let folder: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_ORACLES"] { return URL(fileURLWithPath: path) }
        return packageRoot.deletingLastPathComponent().appending(path: "shared/oracles")
    }()

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
    }

    @Test func everyCaseIsAnsweredAsFromOutside() throws {
        guard !OracleTests.files.isEmpty else {
            print("json.jsonl: skipped, no json*.jsonl in \(OracleTests.folder.path)")
            return
        }
        for file in OracleTests.files {
            var passed = 0
            var failed: [String] = []
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let item = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
                // RFC 8259 allows a key to occur twice; that documents refuse it is a choice beyond the grammar.
                let isAccepted = (try? JSONDocument(parsing: item.base64, duplicateKeys: .firstWins)) != nil
                if item.expect == "either" || isAccepted == (item.expect == "accept") {
                    passed += 1
                } else {
                    failed.append(item.name)
                }
            }
            print("\(file.lastPathComponent): \(passed) passed, \(failed.count) failed")
            for name in failed { print("  failed: \(name)") }
            #expect(failed.isEmpty, "\(file.lastPathComponent): \(failed)")
            #expect(passed > 0)
        }
    }
}

/// The folder of `Package.swift`.
let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
