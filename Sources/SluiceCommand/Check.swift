import ArgumentParser
import SluiceJSON
import SluiceStreams

/// `sluice check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check stream documents: every error at once, with its place.",
        discussion: """
            Errors are printed as PATH:LINE:COLUMN: error: PLACE IN THE DOCUMENT: text, and a hint. References lead to
            the documents given and to those in the same folder.
            """
    )

    @Argument(help: "The documents; - is standard input.")
    var files: [String]

    func run() async throws {
        var worst: ExitCode?
        var read: [(file: DocumentFile, document: StreamDocument)] = []
        func report(_ failure: Failure) {
            let code = failure.report()
            if worst == nil || code == .badData { worst = code }
        }
        for file in files.map(DocumentFile.init) {
            do { read.append((file, try file.read())) } catch let failure as Failure { report(failure) }
        }
        for (file, document) in read {
            do throws(JSONErrors) {
                _ = try document.flow(in: file.library(read.map(\.document)))
            } catch {
                report(file.failure(error))
            }
        }
        if let worst { throw worst }
    }
}
