#if Command
import ArgumentParser
import SluiceJSON
import SluiceStreams

/// `sluice test`
struct Test: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the tests that stream documents carry, in virtual time.",
        discussion: """
            Prints each test that fails with both diagrams, and ends with: N passed, N failed. References lead to the
            inputs of a test, the documents given, and those in the same folder.
            """
    )

    @Argument(help: "The documents; - is standard input.", completion: .file())
    var files: [String]

    func run() async throws {
        try await exiting {
            var read: [(file: DocumentFile, document: StreamDocument)] = []
            for file in DocumentFile.distinct(files + Operands.rest) { read.append((file, try file.read())) }
            let documents = DocumentLibrary(read)
            var (passed, failed) = (0, 0)
            for (file, document) in read {
                let library = documents.library(for: document, in: file)
                for test in document.tests {
                    if try isPassed(test, of: document, in: library, file) { passed += 1 } else { failed += 1 }
                }
            }
            try Output.line("\(passed) passed, \(failed) failed")
            if failed > 0 { throw ExitCode.no }
        }
    }

    private func isPassed(
        _ test: StreamTest,
        of document: StreamDocument,
        in library: StreamLibrary,
        _ file: DocumentFile
    ) throws -> Bool {
        let outcome: StreamTest.Outcome
        do {
            outcome = try document.outcome(of: test, in: library)
        } catch let error as MarbleError {
            throw Failure(code: .badData, message: "\(file.name): error: test \(JSON.string(test.name)): \(error)")
        } catch let errors as JSONErrors {
            throw file.failure(errors)
        }
        if outcome.isPassed { return true }
        try Output.line("failed: \(file.name): \(test.name)")
        for line in outcome.report.split(separator: "\n") { try Output.line("  \(line)") }
        return false
    }
}
#endif
