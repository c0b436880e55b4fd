import Foundation
import SluiceStreams
import Testing

/// The page about tests: each of its documents passes its tests.
@Suite struct TestPageTests {
    @Test func everyExamplePasses() throws {
        let page = try String(contentsOf: DiagramTests.root.appending(path: "docs/tests.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```json\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        var count = 0
        for block in blocks {
            let document = try StreamDocument(parsing: block)
            for test in document.tests {
                let outcome = try document.outcome(of: test)
                #expect(outcome.isPassed, "\(test.name):\n\(outcome.report)")
                count += 1
            }
        }
        #expect(blocks.count == 3 && count == 5)
    }

    /// The documents in `Examples`.
    @Test func everyAutomationPasses() throws {
        let folder = DiagramTests.root.appending(path: "Examples/automations")
        var count = 0
        for url in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        where url.pathExtension == "json" {
            let document = try StreamDocument(parsing: String(contentsOf: url, encoding: .utf8))
            for test in document.tests {
                let outcome = try document.outcome(of: test)
                #expect(outcome.isPassed, "\(url.lastPathComponent): \(test.name):\n\(outcome.report)")
                count += 1
            }
        }
        #expect(count >= 3)
    }
}
