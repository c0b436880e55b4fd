#if Command
import ArgumentParser
import SluiceFilters
import SluiceJSON
import SluiceStreams

/// `sluice check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check stream documents, and report every error at once with its position.",
        discussion: """
            Errors are printed as PATH:LINE:COLUMN: error: PATH IN THE DOCUMENT: text, with a hint. References lead to the
            given documents and to those in the folder of each. Filter stacks are checked too. A warning reports a folder
            that is too large, or filters of a stack that are likely in the wrong order.
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
                if document.isStack {
                    let errors = document.stackErrors
                    if !errors.isEmpty { throw JSONErrors(errors) }
                    for finding in document.stackFindings { Output.error("\(file.path):\(finding.warning)") }
                } else {
                    _ = try document.flow(in: documents.library(for: document, in: file))
                }
            } catch {
                report(file.failure(error))
            }
        }
        if let worst { throw worst }
    }
}

extension StackFinding {
    /// The finding as a warning, after its place.
    fileprivate var warning: String {
        "\(position.map { "\($0.line):\($0.column): " } ?? " ")warning: \(outer) around \(inner): \(reason)"
    }
}
#endif
