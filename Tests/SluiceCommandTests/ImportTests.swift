#if Command
import Foundation
import SluiceTestSupport
import Testing

/// `sluice import`
@Suite(.timeLimit(.minutes(30))) struct ImportTests {
    static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples")

    /// The seed program's own streams, imported, check and run.
    @Test func theSeedsStreamsRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sluice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = Self.examples.appending(path: "combine-magic.json").path
        let outcome = try await Tool.sluice.run(["import", store, "-o", folder.path])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        let files = outcome.output.split(separator: "\n").map(String.init)
        #expect(files.count == 12)
        let check = try await Tool.sluice.run(["check"] + files)
        #expect(check.status == 0)
        #expect(check.errors == "")
        for file in files {
            let run = try await Tool.sluice.run(["run", file, "--virtual"])
            #expect(run.status == 0, "\(file): \(run.errors)")
            #expect(run.output.contains(#""completed": true"#))
        }
        let filtered = try await Tool.sluice.run(
            ["run", folder.appending(path: "filter-stream.json").path, "--virtual"]
        )
        #expect(
            filtered.output == """
                {"time": 1, "value": 1}
                {"time": 2, "value": 2}
                {"time": 4, "value": 4}
                {"time": 4, "completed": true}

                """
        )
    }

    @Test func errorsHaveTheirPlace() async throws {
        let file = try TemporaryFile(#"[{"id": "a", "operators": [{"map": {"expression": "%d ** 2"}}]}]"#)
        let outcome = try await Tool.sluice.run(["import", file.path])
        #expect(outcome.status == 65)
        #expect(outcome.errors.hasPrefix("\(file.path):1:"))
        #expect(outcome.output == "")
    }
}
#endif
