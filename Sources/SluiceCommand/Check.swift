import ArgumentParser

/// `sluice check`
struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check stream documents: every error at once, with its place.",
        discussion: "Errors are printed as PATH:LINE:COLUMN: error: PLACE IN THE DOCUMENT: text, and a hint."
    )

    @Argument(help: "The documents; - is standard input.")
    var files: [String]

    func run() async throws {
        var worst: ExitCode?
        for file in files {
            do {
                _ = try DocumentFile(path: file).read()
            } catch let failure as Failure {
                let code = failure.report()
                if worst == nil || code == .badData { worst = code }
            }
        }
        if let worst { throw worst }
    }
}
