#if Command
import Foundation
import SluiceTestSupport
import Testing

@testable import SluiceCommand

@Suite(.timeLimit(.minutes(30))) struct VersionTests {
    @Test func printsTheVersion() async throws {
        let outcome = try await Tool.sluice.run(["--version"])
        #expect(outcome.output == Version.current + "\n")
        #expect(outcome.status == 0)
    }

    /// The newest version of the changelog is the version of the program.
    @Test func isTheNewestOfTheChangelog() throws {
        let changelog = Tool.root.appendingPathComponent("CHANGELOG.md")
        let text = try String(contentsOf: changelog, encoding: .utf8)
        let versions = text.matches(of: /(?m)^## \[(\d+\.\d+\.\d+)\]/).map { String($0.1) }
        #expect(versions.first == Version.current)
    }
}
#endif
