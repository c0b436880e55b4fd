#if Command
import ArgumentParser
import SluiceJSON
import SluiceStreams

/// `sluice check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check stream documents, and report every error at once with its position.",
        discussion: """
            Errors are printed as PATH:LINE:COLUMN: error: PATH IN THE DOCUMENT: text, with a hint. References lead to the
            given documents and to those in the folder of each. A warning reports a folder that is too large.
            """
    )

    @Argument(help: "The documents; - is standard input.", completion: .file())
    var files: [String]

    func run() async throws {
        var worst: ExitCode?
        var read: [(file: DocumentFile, document: StreamDocument)] = []
        func report(_ failure: Failure) {
            let code = failure.report()
            if worst == nil || code == .badData { worst = code }
        }
        for file in DocumentFile.distinct(files + Operands.rest) {
            do { read.append((file, try file.preserved())) } catch let failure as Failure { report(failure) }
        }
        let documents = DocumentLibrary(read)
        for (file, document) in read {
            do throws(JSONErrors) {
                _ = try document.flow(in: documents.library(for: document, in: file))
            } catch {
                report(file.failure(error))
            }
        }
        if let worst { throw worst }
    }
}
#endif
