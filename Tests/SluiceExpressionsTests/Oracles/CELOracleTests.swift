import Foundation
import SluiceExpressions
import SluiceJSON
import Testing

/// The cases of the specification: the sample beside this file, and every `cel*.jsonl` in the folder of answers from
/// outside, where there are any.
struct CELOracleTests {
    @Test func everyCaseOfTheSamplePasses() throws {
        let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "cel-sample.jsonl")
        let (cases, sections) = try run(sample)
        #expect(cases == 348)
        #expect(sections == 131)
    }

    @Test(.enabled(if: !OracleFiles.named("cel").isEmpty, "no cel*.jsonl in the folder of SLUICE_ORACLES"))
    func everyCELCaseIsAnsweredAsFromOutside() throws {
        for file in OracleFiles.named("cel") { try run(file) }
    }

    /// Runs every case of a file, all of which have to pass, names those that don't, and returns the numbers of cases and
    /// sections.
    @discardableResult
    private func run(_ url: URL) throws -> (cases: Int, sections: Int) {
        var sections: [String: (passed: Int, failed: Int)] = [:]
        var total = (passed: 0, failed: 0)
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let item = try ConformanceCase(JSON(parsing: String(line)))
            let section = "\(item.file)/\(item.section)"
            if let problem = item.problem() {
                sections[section, default: (0, 0)].failed += 1
                total.failed += 1
                Issue.record("\(url.lastPathComponent): \(section)/\(item.name): \(item.text): \(problem)")
            } else {
                sections[section, default: (0, 0)].passed += 1
                total.passed += 1
            }
        }
        for (name, count) in sections.sorted(by: { $0.key < $1.key }) {
            print("\(name): \(count.passed) passed, \(count.failed) failed")
        }
        print("\(url.lastPathComponent): \(total.passed) passed, \(total.failed) failed")
        #expect(total.passed + total.failed > 0)
        return (total.passed + total.failed, sections.count)
    }
}
