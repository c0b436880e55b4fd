#if Command
import ArgumentParser
import SluiceStreams

/// `sluice plan`
struct Plan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what an edit of a stream does to a run of it.",
        discussion: """
            Prints a line for each stage: keep, reset, add, or drop, its path, and the differences. Where "partition" \
            changes, a line for each operator with state says whether it moves to the new partitions. References lead to \
            the documents in the folder of each.
            """
    )

    @Argument(help: "The document as it runs; - is standard input.", completion: .file())
    var old: String

    @Argument(help: "The document as it will run; - is standard input.", completion: .file())
    var new: String

    func run() async throws {
        try await exiting {
            let (before, after) = (DocumentFile(path: old), DocumentFile(path: new))
            let (was, now) = (try before.read(), try after.read())
            let plan = StreamPlan(
                from: was,
                in: DocumentLibrary([(before, was)]).library(for: was, in: before),
                to: now,
                in: DocumentLibrary([(after, now)]).library(for: now, in: after)
            )
            for step in plan.steps { try Output.line("\(step)") }
            if let division = plan.division { try Output.line("\(division)") }
        }
    }
}
#endif
